#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The clock for limits: it never goes back, even if the date changes.
public protocol MonotonicClock: Sendable {
  /// Microseconds since an arbitrary moment in the past.
  var microseconds: Int64 { get }
}

/// The machine's monotonic clock.
public struct SystemMonotonicClock: MonotonicClock {
  public init() {}

  public var microseconds: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1000
  }
}
