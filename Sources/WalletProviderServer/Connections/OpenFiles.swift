import Logging
import WalletSystem

/// The system's limit of open files for this process. Each connection is an open file.
enum OpenFiles {
  /// How many files the process may open besides connections: stores, logs, event loops.
  private static let others = 256

  /// Raises the limit so that `connections` fit, and warns if the system allows fewer.
  static func allow(_ connections: Int, logger: Logger) {
    guard let allowed = CurrentProcess.allowOpenFiles(UInt64(connections + others)) else { return }
    logger.warning(
      "fewer open files are allowed than connections; raise the limit (ulimit -n)",
      metadata: ["allowed": .stringConvertible(allowed)])
  }
}
