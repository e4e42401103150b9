internal import CTestPatience
public import Foundation

/// How long a test waits for an event; see test_patience.h.
public enum Patience {
  public static let milliseconds = Int64(TEST_PATIENCE_MS)
  public static let seconds = TimeInterval(milliseconds) / 1000
  public static var end: Date { Date(timeIntervalSinceNow: seconds) }
}

/// Polls a condition that no event reports.
///
/// - Returns: Whether the condition became true before the deadline.
public func eventually(_ isSo: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .milliseconds(Patience.milliseconds)
  while try !isSo() {
    guard ContinuousClock.now < end else { return false }
    usleep(1_000)
  }
  return true
}

/// As `eventually`, for a task: it blocks no thread of the cooperative pool.
public func eventuallySuspending(_ isSo: () throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .milliseconds(Patience.milliseconds)
  while try !isSo() {
    guard ContinuousClock.now < end else { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}
