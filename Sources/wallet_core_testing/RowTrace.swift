internal import Glibc

/// Writes the rows and cases that the flows take, e.g. "UC2.3 1.1a", one a line, to the end of the
/// file that WALLET_CORE_TESTING_TRACE names: what the coverage of the scenarios is counted from.
final class RowTrace: Sendable {
  private static let prefix = "flow."
  private let file: Int32

  /// Nil where nobody wants it.
  init?() {
    guard let path = getenv("WALLET_CORE_TESTING_TRACE") else { return nil }
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
  }

  deinit { close(file) }

  /// Takes a crash point in; only those of rows are written. A line is one write, so that processes
  /// may share the file.
  func note(_ point: String) {
    guard point.hasPrefix(Self.prefix) else { return }
    let line = Array((point.dropFirst(Self.prefix.count) + "\n").utf8)
    _ = write(file, line, line.count)
  }
}
