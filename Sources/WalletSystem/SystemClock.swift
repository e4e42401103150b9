internal import CPosix

/// The clocks of the system. A clock that cannot be read is 0.
public enum SystemClock {
  /// Milliseconds since an arbitrary start; never set, and running while the device sleeps.
  public static var bootMilliseconds: Int64 { wallet_clock_boot_milliseconds() }

  /// Microseconds since an arbitrary start; never set.
  public static var monotonicMicroseconds: Int64 { wallet_clock_monotonic_microseconds() }

  /// Milliseconds since 1970, which may be set to anything; never negative.
  public static var calendarMilliseconds: Int64 { wallet_clock_calendar_milliseconds() }

  /// Seconds since 1970, which may be set to anything.
  public static var calendarSeconds: Int64 { wallet_clock_calendar_seconds() }
}
