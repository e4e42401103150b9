public import WalletProtocol

/// Signs status lists.
public struct StatusListSigner: Sendable {
  /// The certificates in DER, the signer's first, without the anchor.
  public var chain: [[UInt8]]
  /// The key of the first certificate, for ES256.
  public var signer: any Signer & Sendable

  public init(chain: [[UInt8]], signer: any Signer & Sendable) {
    self.chain = chain
    self.signer = signer
  }
}
