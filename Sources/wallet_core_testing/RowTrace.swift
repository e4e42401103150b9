internal import WalletSystem

/// Writes the rows and cases that the flows take, e.g. "UC2.3 1.1a", one a line, to the end of the
/// file that WALLET_CORE_TESTING_TRACE names: what the coverage of the scenarios is counted from.
final class RowTrace: Sendable {
  private static let prefix = "flow."
  private let file: FileDescriptor

  /// Nil where nobody wants it.
  init?() {
    guard let path = ProcessEnvironment.value("WALLET_CORE_TESTING_TRACE"),
      let file = try? FileDescriptor(
        opening: path, [.writing, .creating, .appending], mode: 0o600)
    else { return nil }
    self.file = file
  }

  deinit { file.close() }

  /// Takes a crash point in; only those of rows are written. A line is one write, so that processes
  /// may share the file.
  func note(_ point: String) {
    guard point.hasPrefix(Self.prefix) else { return }
    try? file.write(Array((point.dropFirst(Self.prefix.count) + "\n").utf8))
  }
}
