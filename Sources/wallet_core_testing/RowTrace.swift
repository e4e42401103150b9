internal import WalletSystem

/// Appends the rows and cases that the flows take, e.g. "UC2.3 1.1a", one per line, to the file
/// that WALLET_CORE_TESTING_TRACE names. The coverage of the scenarios is counted from it.
final class RowTrace: Sendable {
  private static let prefix = "flow."
  private let file: FileDescriptor

  /// Returns nil if the variable is not set or the file cannot be opened.
  init?() {
    guard let path = ProcessEnvironment.value("WALLET_CORE_TESTING_TRACE"),
      let file = try? FileDescriptor(
        opening: path, [.writing, .creating, .appending], mode: 0o600)
    else { return nil }
    self.file = file
  }

  deinit { file.close() }

  /// Writes `point` if it is the crash point of a row. Each line is a single write, so that several
  /// processes can share the file.
  func note(_ point: String) {
    guard point.hasPrefix(Self.prefix) else { return }
    try? file.write(Array((point.dropFirst(Self.prefix.count) + "\n").utf8))
  }
}
