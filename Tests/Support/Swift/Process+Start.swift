public import Foundation
internal import Synchronization

extension Process {
  private static let starts = Mutex(())

  /// Starts the process; only one process of the test starts at a time.
  ///
  /// Foundation detects the end of a process by a socket that the process holds. If two start at
  /// the same time, one can inherit the other's socket, and then the other's end is not detected
  /// before its own.
  public func start() throws {
    try Self.starts.withLock { _ in try run() }
  }
}
