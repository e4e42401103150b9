import Synchronization

/// A token bucket per key, in memory, up to a maximum number of buckets.
///
/// A bucket is stored as one number: the time at which it will be full again (the generic cell rate
/// algorithm, ITU-T I.371). If there are too many buckets, those unused for longest are dropped. A
/// dropped bucket counts as full.
final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
  private struct Table {
    /// Buckets used since the last rotation. A rotation makes them the old ones.
    var recent: [Key: Int64] = [:]
    /// Buckets used before the last rotation but not since. The next rotation drops them.
    var old: [Key: Int64] = [:]

    /// - Parameter generation: the number of new keys between two rotations.
    mutating func keep(_ value: Int64, for key: Key, generation: Int) {
      if recent[key] == nil, recent.count >= generation {
        old = recent
        recent = [:]
      }
      recent[key] = value
    }
  }

  private let table = Mutex(Table())
  private let clock: any MonotonicClock
  /// Microseconds until one token is back; nil for no limit.
  private let interval: Int64?
  /// Microseconds until an empty bucket has all tokens but one.
  private let tolerance: Int64
  private let generation: Int

  /// - Parameter capacity: the maximum number of buckets.
  init(_ limit: RateLimit, capacity: Int, clock: any MonotonicClock) {
    self.clock = clock
    interval =
      limit.perMinute > 0
      ? max(1, RateLimit.fastest / min(limit.perMinute, RateLimit.fastest)) : nil
    let (product, overflow) = (max(1, limit.burst) - 1)
      .multipliedReportingOverflow(by: interval ?? 0)
    tolerance = overflow ? .max / 4 : min(product, .max / 4)
    generation = max(1, capacity / 2)
  }

  /// Takes a token. Returns nil if there was one, otherwise the seconds until there is one, at
  /// least 1.
  func take(_ key: Key) -> Int64? { look(key, taking: true) }

  /// Like `take(_:)`, but does not take the token.
  func pause(_ key: Key) -> Int64? { look(key, taking: false) }

  private func look(_ key: Key, taking: Bool) -> Int64? {
    guard let interval else { return nil }
    let now = clock.microseconds
    return table.withLock { table in
      let kept = table.recent[key] ?? table.old[key]
      let full = max(now, kept ?? now)
      let wait = full - now - tolerance
      if wait > 0 {
        // A client that was refused counts as active too: if its bucket were dropped, the client
        // would get a fresh allowance.
        table.keep(full, for: key, generation: generation)
        return (wait + 999_999) / 1_000_000
      }
      if taking { table.keep(full + interval, for: key, generation: generation) }
      return nil
    }
  }

  /// The number of buckets.
  var count: Int { table.withLock { $0.recent.count + $0.old.count } }
}
