internal import WalletModel
internal import WalletPlatform

/// The time that `valid_until` is compared with, in seconds since 1970.
///
/// At first it is the latest time known from any source: signed policies, earlier runs and the
/// device's calendar. It does not go back if the calendar is set back or a policy is replayed. Only
/// an answer with the nonce of a request of this process may set it back, so that a calendar that
/// was ahead does no harm. After such an answer it follows the clock that also runs while the
/// device sleeps, whatever the calendar says.
struct ValidityTime: Sendable {
  private var seconds: Int64 = 0
  private var since = Milliseconds.min
  /// The highest reading of the clock, so that a clock that goes back has no effect.
  private var highest = Milliseconds.min
  /// Whether an answer to a request of this process has set it.
  private(set) var isProven = false

  /// The time when the clock shows `clock`.
  mutating func now(at clock: Milliseconds, calendar: Int64) -> Int64 {
    if !isProven { raise(to: calendar, at: clock) }
    return running(at: clock)
  }

  /// Moves the time forward to `time`, unless an answer to a request of this process has set it.
  mutating func raise(to time: Int64, at clock: Milliseconds) {
    guard !isProven, time > running(at: clock) else { return }
    start(time, at: clock)
  }

  /// Sets the time by an answer that says `time` and was requested when the clock showed `clock`.
  /// The wait for the answer counts as passed, so the result is never behind the provider's time.
  mutating func prove(_ time: Int64, at clock: Milliseconds) {
    isProven = true
    start(time, at: clock)
  }

  private mutating func start(_ time: Int64, at clock: Milliseconds) {
    highest = max(highest, clock)
    seconds = time
    since = clock
  }

  private mutating func running(at clock: Milliseconds) -> Int64 {
    highest = max(highest, clock)
    guard since != Milliseconds.min else { return seconds }
    return seconds.addingReportingOverflow(max(0, highest &- since) / 1000).partialValue
  }
}
