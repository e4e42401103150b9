#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The time that limits are counted on: it never goes back, whatever happens to the date.
public protocol MonotonicClock: Sendable {
  /// Since some moment in the past.
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
