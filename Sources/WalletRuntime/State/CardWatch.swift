internal import WalletModel
internal import WalletPlatform

/// Tells hosts that cards have changed, and wakes the wallet when time alone changes one.
final class CardWatch: Sendable {
  private let alarms: AlarmClock
  private let clock: any BootClock
  /// Tells hosts. Called with no lock held.
  let tell: @Sendable () -> Void
  private let lookAgain = Monitor<(@Sendable () -> Void)?>(nil)

  init(alarms: AlarmClock, clock: any BootClock, tell: @escaping @Sendable () -> Void) {
    self.alarms = alarms
    self.clock = clock
    self.tell = tell
  }

  /// Sets what is called when the time has come, on the alarm thread; it must not wait.
  func whenDue(_ look: @escaping @Sendable () -> Void) { lookAgain.withLock { $0 = look } }

  /// Has the wallet look at its cards at a time, in place of an earlier one.
  ///
  /// - Parameters:
  ///   - time: seconds since 1970; nil if no time changes a card.
  ///   - now: seconds since 1970.
  func look(at time: Int64?, now: Int64) {
    guard let time, let look = lookAgain.withLock({ $0 }) else { return alarms.cancel(.cards) }
    let (seconds, isTooLong) = time.subtractingReportingOverflow(now)
    let (wait, isTooLongInMilliseconds) = seconds.multipliedReportingOverflow(by: 1000)
    let (deadline, isBeyond) = clock.now().addingReportingOverflow(wait)
    // The clock's end is never reached.
    guard !isTooLong, !isTooLongInMilliseconds, !isBeyond else { return alarms.cancel(.cards) }
    alarms.set(.cards, at: deadline, look)
  }
}
