public import WalletProtocol
public import WalletProvider

extension ServerSettings {
  /// The trust anchors in the file that these settings name; none if they name no file.
  ///
  /// - Throws: `FileProblem` that names the file, the entry and the reason.
  public func readTrustAnchors() throws(FileProblem) -> [PublishedAnchor] {
    guard let trustAnchors else { return [] }
    return try TrustAnchorFile(path: trustAnchors).anchors
  }
}
