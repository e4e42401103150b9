import Logging
import WalletSystem

/// The limit of open files of this process; each connection is one.
enum OpenFiles {
  /// Files that the process opens besides connections: stores, logs, event loops.
  private static let others = 256

  /// Raises the limit for `connections`, and warns if the system allows fewer.
  static func allow(_ connections: Int, logger: Logger) {
    guard let allowed = CurrentProcess.allowOpenFiles(UInt64(connections + others)) else { return }
    logger.warning(
      "fewer open files are allowed than connections; raise the limit (ulimit -n)",
      metadata: ["allowed": .stringConvertible(allowed)])
  }
}
