internal import CPosix

/// The clocks of the system. The value is 0 if a clock cannot be read.
public enum SystemClock {
  /// Milliseconds since an arbitrary start. Nobody can set this clock, and it runs while the device
  /// sleeps.
  public static var bootMilliseconds: Int64 { wallet_clock_boot_milliseconds() }

  /// Microseconds since an arbitrary start. Nobody can set this clock.
  public static var monotonicMicroseconds: Int64 { wallet_clock_monotonic_microseconds() }

  /// Milliseconds since 1970 by the calendar, which the user can set to any date; never negative.
  public static var calendarMilliseconds: Int64 { wallet_clock_calendar_milliseconds() }

  /// Seconds since 1970 by the calendar, which the user can set to any date.
  public static var calendarSeconds: Int64 { wallet_clock_calendar_seconds() }
}
