internal import WalletModel
internal import WalletPlatform

/// Ends a registration if the wallet was locked while it ran and the provider does not answer.
///
/// A lock does not undo a registration, so the provider's answer is awaited for a limited time. If
/// no answer comes, it is not known whether the provider has registered the wallet. Ending the
/// registration is safe all the same: the ids of the account are stored before anything is sent, so
/// the next registration, with any PIN, leads to the same account.
final class RegistrationLimit: Sendable {
  /// How long a registration may still take after the first lock since it was requested, in
  /// milliseconds.
  static let timeAfterLock: Milliseconds = 5_000

  /// The running registration.
  private struct Running {
    let cancellation: Cancellation
    let abort: Cancellation
    /// The count of locks when the registration was requested.
    let epoch: UInt64
    var isLimited: Bool
  }

  private struct State {
    var running: Running?
    /// The count of the newest lock.
    var lastLock: UInt64 = 0
  }

  private let state = Monitor(State())
  private let alarms: AlarmClock
  private let clock: any BootClock

  init(alarms: AlarmClock, clock: any BootClock) {
    self.alarms = alarms
    self.clock = clock
  }

  /// Limits the registration `job` until `end()`.
  func begin(_ job: JobQueue.Job) {
    let epoch = job.gate.epoch
    let isLocked = state.withLock { state in
      state.running = Running(
        cancellation: job.cancellation, abort: job.abort, epoch: epoch,
        isLimited: state.lastLock > epoch)
      return state.lastLock > epoch
    }
    if isLocked { setAlarm(job.cancellation, job.abort) }
  }

  func end() {
    state.withLock { $0.running = nil }
    alarms.cancel(.registration)
  }

  /// Takes in the lock with the count `epoch`. The first lock starts the time; further locks do not
  /// prolong it.
  func note(lock epoch: UInt64) {
    let limited = state.withLock { state -> Running? in
      state.lastLock = max(state.lastLock, epoch)
      guard let running = state.running, !running.isLimited, running.epoch < epoch else {
        return nil
      }
      state.running?.isLimited = true
      return running
    }
    if let limited { setAlarm(limited.cancellation, limited.abort) }
  }

  /// The alarm holds no reference to the job, so that it does not keep the job's PIN.
  private func setAlarm(_ cancellation: Cancellation, _ abort: Cancellation) {
    alarms.set(.registration, at: clock.now() &+ Self.timeAfterLock) {
      cancellation.cancel()
      abort.cancel()
    }
  }
}
