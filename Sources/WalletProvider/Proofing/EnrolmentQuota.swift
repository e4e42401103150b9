import Synchronization

/// Limits the number of live enrolment challenges without counting them for each new one. If there
/// are many, the last count is reused for a while, plus those made in this process since. Replicas
/// that do not know of each other's challenges exceed the limit by at most what they make within a
/// second.
package final class EnrolmentQuota: Sendable {
  private struct Count {
    var number = 0
    var isGoodUntil = ContinuousClock.now
  }

  /// Counting takes a few microseconds per ten rows, so it takes only a small part of the time
  /// however many rows there are.
  private static let validityPerRow = Duration.microseconds(10)

  private let latest = Mutex(Count())

  package init() {}

  /// Takes one of `limit` slots; false if all are taken.
  ///
  /// - Parameter count: returns the number of live challenges, up to the limit.
  package func take(of limit: Int, count: () throws -> Int) rethrows -> Bool {
    if let known = takeKnown(of: limit) { return known }
    // Outside of the lock: a concurrent count gives the same number.
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
