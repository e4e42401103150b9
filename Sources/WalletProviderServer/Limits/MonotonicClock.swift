import WalletSystem

/// The time that limits are counted on: it never goes back, whatever happens to the date.
public protocol MonotonicClock: Sendable {
  /// Since some moment in the past.
  var microseconds: Int64 { get }
}

/// The machine's monotonic clock.
public struct SystemMonotonicClock: MonotonicClock {
  public init() {}

  public var microseconds: Int64 { SystemClock.monotonicMicroseconds }
}
