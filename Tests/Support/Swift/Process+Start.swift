public import Foundation
internal import Synchronization

extension Process {
  private static let starts = Mutex(())

  /// Runs it, one start at a time.
  ///
  /// Foundation hears of the end of a process by a socket that the process holds. Of two that start at once
  /// one can inherit the other's, and then the other's end is heard of no sooner than that one's own.
  public func start() throws {
    try Self.starts.withLock { _ in try run() }
  }
}
