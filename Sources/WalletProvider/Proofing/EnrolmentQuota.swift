import Synchronization

/// How many enrolment challenges live, without counting them for each new one: where there are many,
/// the last count is used for a while, with what was made here since. Replicas that do not know of each
/// other's go beyond the limit by no more than they make within a second.
package final class EnrolmentQuota: Sendable {
  private struct Count {
    var number = 0
    var isGoodUntil = ContinuousClock.now
  }

  /// Counting takes some microseconds per ten rows; so it takes a small part of the time, however many
  /// there are.
  private static let validityPerRow = Duration.microseconds(10)

  private let latest = Mutex(Count())

  package init() {}

  /// Takes one of `limit` places; false when all are taken.
  ///
  /// - Parameter count: how many live, up to the limit.
  package func take(of limit: Int, count: () throws -> Int) rethrows -> Bool {
    if let known = takeKnown(of: limit) { return known }
    // Not under the lock: whoever counts at the same moment finds the same.
    let number = try count()
    return latest.withLock {
      $0.number = number + 1
      $0.isGoodUntil = .now + Self.validityPerRow * number
      return number < limit
    }
  }

  private func takeKnown(of limit: Int) -> Bool? {
    latest.withLock {
      guard ContinuousClock.now < $0.isGoodUntil else { return nil }
      $0.number += 1
      return $0.number <= limit
    }
  }
}
