internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

/// Holds the lock state and, while unlocked, the vault key. Locks by itself when a time limit is
/// reached (UC9.7). Locking never waits.
final class WalletLock: Sendable {
  private struct State: Sendable {
    var vaultKey: Secret?
    var timer: LockTimer
    /// When the wallet will lock; nil unless the warning was given.
    var locksAt: Milliseconds?
    var version: UInt64 = 1
    /// Why the wallet is locked.
    var cause = LockCause.request
    /// Counts how often the wallet was locked, including when it was locked already. An unlock
    /// takes effect only if this count is the same at its end as at its beginning.
    var epoch: UInt64 = 0
    /// Whether the current stay in the background was reported as too long.
    var hasTimedOut = false
    var isStopping = false
  }

  private let state: Monitor<State>
  private let clock: any BootClock
  private let limits: @Sendable () -> LockTimer.Limits
  private let onChange: @Sendable (Versioned<LockState>, LockCause) -> Void
  private let onLock: @Sendable (UInt64) -> Void
  private let onBackgroundTimeout: @Sendable () -> Void
  private let thread = Monitor<NamedThread?>(nil)

  /// - Parameters:
  ///   - limits: The times of the configuration in force. Called while the lock's own state is held.
  ///   - onLock: Called after each lock with the new count (`epoch`), even if the wallet was locked
  ///     already. The callback ends what began before the lock, such as prompts. It must spare what
  ///     began after the lock, even if that was before this call.
  ///   - onBackgroundTimeout: Called once for each stay in the background that reaches its limit,
  ///     whether the wallet is locked or not, and even without a wallet.
  init(
    clock: any BootClock, limits: @escaping @Sendable () -> LockTimer.Limits,
    onChange: @escaping @Sendable (Versioned<LockState>, LockCause) -> Void,
    onLock: @escaping @Sendable (_ epoch: UInt64) -> Void = { _ in },
    onBackgroundTimeout: @escaping @Sendable () -> Void = {}
  ) {
    state = Monitor(State(timer: LockTimer(now: clock.now())))
    self.clock = clock
    self.limits = limits
    self.onChange = onChange
    self.onLock = onLock
    self.onBackgroundTimeout = onBackgroundTimeout
  }

  var current: Versioned<LockState> {
    state.withLock { Versioned(Self.lockState($0, now: clock.now()), version: $0.version) }
  }

  /// The count of locks. An unlock reads it at its start and is refused at its end if it has
  /// changed.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Locks the wallet. The vault key's memory is wiped when the last reference to it is released,
  /// so no other code keeps a reference while it waits.
  func lock() { change { state, _ in Self.lock(&state, .request) } }

  /// Calls `body` with the vault key; returns nil while locked, and if the wallet was locked while
  /// `body` ran. `body` must neither keep the key nor wait: a lock does not wait for `body`, and
  /// the key's memory is then wiped only when `body` returns.
  func withVaultKey<Result, Failure: Error>(
    _ body: (Secret) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    settle()
    let (vaultKey, epoch) = state.withLock { ($0.vaultKey, $0.epoch) }
    guard let vaultKey else { return nil }
    let result = try body(vaultKey)
    return self.epoch == epoch ? result : nil
  }

  /// Unlocks with `vaultKey`, unless the wallet was locked since `epoch`. Returns whether it was
  /// unlocked.
  func unlock(with vaultKey: Secret, since epoch: UInt64) -> Bool {
    // A process that was suspended past a deadline may resume exactly here.
    settle()
    return change { state, now in
      guard state.epoch == epoch else { return false }
      state.timer.noteActivity(now: now)
      state.vaultKey = vaultKey
      state.locksAt = nil
      return true
    }
  }

  /// Takes in an event of the app's life cycle. What was due before is done first.
  func note(_ event: LifecycleEvent) {
    let (_, hasTimedOut) = change { state, now in
      let settled = settle(&state, now: now)
      switch event {
      case .foreground:
        state.timer.enterForeground(now: now)
        state.hasTimedOut = false
      case .background: state.timer.enterBackground(now: now)
      case .userActivity: state.timer.noteActivity(now: now)
      }
      return settled
    }
    if hasTimedOut { onBackgroundTimeout() }
    settle()
  }

  /// Called when the configuration has other times.
  func limitsChanged() {
    settle()
    // The timer waits by the former ones.
    state.update { _ in }
  }

  /// Locks the wallet or gives the warning if that is due by now. Every call of the core does this
  /// first, because a suspended process runs no timers.
  ///
  /// - Returns: When to check again; nil while nothing is due by time.
  @discardableResult
  func settle() -> Milliseconds? {
    let (next, hasTimedOut) = change { settle(&$0, now: $1) }
    if hasTimedOut { onBackgroundTimeout() }
    return next
  }

  /// - Returns: When to check again, and whether a stay in the background has become too long. The
  ///   limits are read here for the reason for which the clock is read in `change`.
  private func settle(_ state: inout State, now: Milliseconds) -> (Milliseconds?, Bool) {
    let limits = limits()
    let isOverdue = state.timer.isOverdueInBackground(now: now, limits: limits)
    let isNews = isOverdue && !state.hasTimedOut
    state.hasTimedOut = state.hasTimedOut || isOverdue
    return (Self.settle(&state, now: now, limits, isOverdue: isOverdue), isNews)
  }

  private static func settle(
    _ state: inout State, now: Milliseconds, _ limits: LockTimer.Limits, isOverdue: Bool
  ) -> Milliseconds? {
    guard state.vaultKey != nil else {
      // Counted as a lock, so that an unlock that was under way when the app went to the background
      // does not complete after the limit.
      if isOverdue { state.epoch &+= 1 }
      return state.hasTimedOut ? nil : state.timer.backgroundEnd(limits: limits)
    }
    switch state.timer.verdict(now: now, limits: limits) {
    case .nothing(let time):
      state.locksAt = nil
      return time
    case .warning(let time):
      state.locksAt = time
      return time
    case .lock:
      lock(&state, state.timer.isInBackground ? .background : .inactivity)
      return nil
    }
  }

  /// Starts the timer's thread.
  func start() throws(WalletError) {
    guard let started = NamedThread("wallet_core.tmr", signals: .blocked, body: { self.run() })
    else { throw WalletError(.outOfResources, "The system could not start the timer thread.") }
    thread.withLock { $0 = started }
  }

  /// Ends the timer's thread and waits for it.
  func shutDown() {
    state.update { $0.isStopping = true }
    let thread = thread.withLock { current in
      defer { current = nil }
      return current
    }
    thread?.join()
  }

  private func run() {
    while !state.withLock({ $0.isStopping }) {
      // The state is read first, so that a change between the two lines is not missed.
      let (seen, seenLimits) = state.withLock { (($0.version, $0.timer), limits()) }
      let next = settle()
      _ = state.wait(until: next, clock: clock) { state -> Bool? in
        state.isStopping || (state.version, state.timer) != seen || limits() != seenLimits
          ? true : nil
      }
    }
  }

  private static func lock(_ state: inout State, _ cause: LockCause) {
    state.cause = cause
    state.epoch &+= 1
    state.vaultKey = nil
    state.locksAt = nil
  }

  /// Changes the state by `body`, and announces the lock state if `body` has changed it.
  private func change<Result>(_ body: (inout State, Milliseconds) -> Result) -> Result {
    var wakesTimer = false
    let (result, changed, cause, lockEpoch) = state.withLock {
      state -> (Result, Versioned<LockState>?, LockCause, UInt64?) in
      // Read here, so that no thread uses a time that is older than what another one has decided by.
      let now = clock.now()
      let before = (state.vaultKey == nil, state.locksAt)
      let epoch = state.epoch
      let wasInBackground = state.timer.isInBackground
      let result = body(&state, now)
      let lockEpoch = state.epoch != epoch ? state.epoch : nil
      // Activity only postpones the deadline, so the timer need not be woken.
      wakesTimer =
        (state.vaultKey == nil, state.locksAt) != before
        || state.timer.isInBackground != wasInBackground
      guard (state.vaultKey == nil, state.locksAt) != before else {
        return (result, nil, state.cause, lockEpoch)
      }
      state.version += 1
      let changed = Versioned(Self.lockState(state, now: now), version: state.version)
      return (result, changed, state.cause, lockEpoch)
    }
    // Every call gets here, so the timer is woken only when needed.
    if wakesTimer { state.update { _ in } }
    if let changed { onChange(changed, cause) }
    if let lockEpoch { onLock(lockEpoch) }
    return result
  }

  private static func lockState(_ state: State, now: Milliseconds) -> LockState {
    guard state.vaultKey != nil else { return .locked }
    return .unlocked(locksIn: state.locksAt.map { max(0, $0 &- now) })
  }
}
