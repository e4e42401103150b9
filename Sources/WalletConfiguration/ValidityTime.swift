internal import WalletModel
internal import WalletPlatform

/// The time that `valid_until` is compared with, in seconds since 1970.
///
/// It is the latest time known from signed policies, earlier runs and the device's calendar. A
/// calendar that is set back, or a policy that is replayed, does not turn it back. Only an answer
/// that has the nonce of a request of this process sets it, so that a calendar that was ahead does
/// no harm. From then on it runs with the clock that includes sleep, whatever the calendar says.
struct ValidityTime: Sendable {
  private var seconds: Int64 = 0
  private var since = Milliseconds.min
  /// The highest reading of the clock, so that a clock that goes back has no effect.
  private var highest = Milliseconds.min
  /// Whether an answer to a request of this process has set it.
  private(set) var isProven = false

  /// The time at `clock`.
  mutating func now(at clock: Milliseconds, calendar: Int64) -> Int64 {
    if !isProven { raise(to: calendar, at: clock) }
    return running(at: clock)
  }

  /// Moves the time forward to `time`, unless an answer of the provider has set it.
  mutating func raise(to time: Int64, at clock: Milliseconds) {
    guard !isProven, time > running(at: clock) else { return }
    start(time, at: clock)
  }

  /// Sets the time: the provider has answered that it was `time` when the clock showed `clock`.
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
