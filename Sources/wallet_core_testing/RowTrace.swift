internal import Glibc

/// Appends the rows and cases that the flows take, e.g. "UC2.3 1.1a", one per line, to the file
/// that WALLET_CORE_TESTING_TRACE names. The coverage of the scenarios is counted from it.
final class RowTrace: Sendable {
  private static let prefix = "flow."
  private let file: Int32

  /// Returns nil if the variable is not set or the file cannot be opened.
  init?() {
    guard let path = getenv("WALLET_CORE_TESTING_TRACE") else { return nil }
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
  }

  deinit { close(file) }

  /// Writes a crash point if it is one of a row. A line is one write, so that processes may share
  /// the file.
  func note(_ point: String) {
    guard point.hasPrefix(Self.prefix) else { return }
    let line = Array((point.dropFirst(Self.prefix.count) + "\n").utf8)
    _ = write(file, line, line.count)
  }
}
