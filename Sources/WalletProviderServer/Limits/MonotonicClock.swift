import WalletSystem

/// The clock for limits: it never goes back, even if the date changes.
public protocol MonotonicClock: Sendable {
  /// Microseconds since an arbitrary moment in the past.
  var microseconds: Int64 { get }
}

/// The machine's monotonic clock.
public struct SystemMonotonicClock: MonotonicClock {
  public init() {}

  public var microseconds: Int64 { SystemClock.monotonicMicroseconds }
}
