#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the provider takes the time from; one door, so that a test can stand in it.
public protocol ProviderClock: Sendable {
  /// Milliseconds since 1970, never negative. It may go back; the rules hold all the same.
  var now: Int64 { get }
}

/// The machine's wall clock. Blocks must outlive the process, so no monotonic clock will do.
public struct SystemClock: ProviderClock {
  public init() {}

  public var now: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return max(0, Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000)
  }
}
