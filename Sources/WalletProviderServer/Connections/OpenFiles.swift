import Logging
import WalletSystem

/// How many files the system lets this process open; a connection is one.
enum OpenFiles {
  /// What the process opens beside connections: stores, logs, event loops.
  private static let others = 256

  /// Asks for enough of them, and warns when the system gives fewer.
  static func allow(_ connections: Int, logger: Logger) {
    guard let allowed = CurrentProcess.allowOpenFiles(UInt64(connections + others)) else { return }
    logger.warning(
      "fewer open files are allowed than connections; raise the limit (ulimit -n)",
      metadata: ["allowed": .stringConvertible(allowed)])
  }
}
