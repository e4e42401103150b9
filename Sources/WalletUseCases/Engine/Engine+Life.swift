internal import WalletModel

// Opening the app, locks, background, and take-over by another client.

extension Engine {
  mutating func open(_ startup: Startup, hasLink: Bool) {
    // If a new client was started by a link, that link need not wait: the client's user has not
    // begun anything that it could interrupt.
    let isNewClient = isTakenOver
    isTakenOver = false
    if hasLink, !isNewClient, keepLink() { return }
    // A user who opens the app wants to unlock, so the biometric scan opens by itself even after a
    // lock.
    isEntryByLock = false
    guard isOpen else {
      // The engine has no open flow, so this is a launch even if the host believes otherwise.
      self.startup = .launch
      return enter(UseCaseTables.firstRow(of: .openApp))
    }
    // The app is opened once more after the pending work. A link that came with it is handled then.
    if pending != nil, isUnlocked || pending?.job == .perform(.setUpAccount) { opensLater = true }
    enterSection3()
  }

  /// UC1.2 section 3: the app is in the foreground again.
  mutating func enterSection3() {
    guard let position, mayEnterSection3(position) else { return showAgain() }
    // In a locked wallet there is nothing to suspend: the lock did so already.
    if isUnlocked || isBeforeRegistration, !isVersionBlock(position) {
      suspended = SuspendedFlow(position: position, screen: screen, history: history)
    }
    startup = .resume
    note(.appOpening, .outcome(.resume))
    if enterBlock() { return }
    enter(.appReturn)
  }

  /// Whether section 3 of UC1.2 may be entered. It is not entered during the launch, and not while
  /// work is pending, because the outcome of the work is still to come.
  func mayEnterSection3(_ position: FlowPosition) -> Bool {
    guard pending == nil, isOpen else { return false }
    // A version block is checked again, because the policy may have changed. Help that is shown
    // over a block stays for as long as the block does.
    if isVersionBlock(position) {
      return facts.versionState.isAllowed || position.row.useCase != .help
    }
    return !isStarting(position)
  }

  // MARK: Position

  /// Whether `position` is the screen that blocks this version, or help over that screen.
  func isVersionBlock(_ position: FlowPosition) -> Bool {
    let row = position.row.useCase == .help ? screen?.row : position.row
    return row == .versionBlock || row == .versionBlockWithoutUpdate
  }

  /// Whether the app is still in UC1.2 or blocked by the update policy.
  private func isStarting(_ position: FlowPosition) -> Bool {
    if position.isConfirming, !isVersionBlock(position) { return false }
    let useCase = (position.failed ?? position.row).useCase
    return useCase == .openApp || useCase == .updatePolicy || isVersionBlock(position)
  }

  /// Whether `position` is one of the steps (opening, link, unlock) that lead back to a suspended
  /// step. The suspended step is kept during them.
  func isOnTheWay(_ position: FlowPosition) -> Bool {
    if position.isConfirming { return false }
    let useCase = (position.failed ?? position.row).useCase
    return isStarting(position) || useCase == .universalLink || useCase == .unlock
  }

  /// Whether the current step, or one beneath it, belongs to a device without a wallet.
  var isBeforeRegistration: Bool {
    position.map {
      isBeforeRegistration(SuspendedFlow(position: $0, screen: screen, history: history))
    } ?? true
  }

  func isBeforeRegistration(_ suspended: SuspendedFlow) -> Bool {
    ([suspended.position] + suspended.history + [suspended.screen].compactMap { $0 }).contains {
      position in
      let row = position.failed ?? position.row
      return row.useCase == .introduceApp
        || (row.useCase == .setUpPin && UseCaseTables.isAllowedWhileLocked(row))
    }
  }

  // MARK: Locks (UC9.7)

  /// UC9.7 2: the user or the host asks for a lock. In a locked wallet this cancels a scan or PIN
  /// check that could unlock it.
  mutating func lockOnRequest(_ version: UInt64) {
    endedVersion = max(endedVersion, version)
    if isUnlocked { return lock(.request) }
    guard isOpen else { return }
    forgetChosenPin()
    switch pending?.job {
    case .perform(.scanBiometrics), .perform(.validatePin): enterUnlockAfterLock()
    // The runtime may have begun it after the lock, which then would not count for it.
    case .perform(.setUpAccount): lockWallet()
    default: break
    }
  }

  /// Shows the unlock after a lock that came before the unlock which was under way.
  mutating func enterUnlockAfterLock() {
    note(.lockRequest, .outcome(.locked))
    enterUnlock(byLock: true)
  }

  /// Handles the news that the lock state has changed. The news may be older than the facts. News
  /// of a lock ends what was unlocked before that lock. News of an unlock or of a warning counts
  /// only if the wallet is still unlocked.
  mutating func lockChanged(_ news: Versioned<LockState>, _ cause: LockCause) {
    guard !news.value.isLocked else {
      endedVersion = max(endedVersion, news.version)
      if news.version > unlockedVersion { lock(cause, isDone: true) }
      return
    }
    guard isWalletUnlocked, case .unlocked(let locksIn) = facts.lock.value else { return }
    unlockedElsewhere()
    if let locksIn { warn(facts.now &+ locksIn) } else { endWarning() }
  }

  /// Locks the flows and suspends the current step for Resume.
  ///
  /// - Parameter isDone: Whether the wallet was locked already. It may even be unlocked again by
  ///   now.
  mutating func lock(_ cause: LockCause, isDone: Bool = false) {
    guard isUnlocked, position != nil else { return }
    switch cause {
    case .request: note(.lockRequest, .outcome(.locked))
    case .background: note(.lockTimers, .event(.longBackground))
    case .inactivity where warningLocksAt != nil: note(.lockWarning, .event(.inactive))
    case .inactivity: note(.lockTimers, .event(.inactive))
    }
    endUnlocked(cause, isDone: isDone)
  }

  private mutating func endUnlocked(_ cause: LockCause, isDone: Bool = false) {
    guard isUnlocked, let position else { return }
    if cause == .request, !isDone { lockWallet() }
    isUnlocked = false
    chosenPin = nil
    enteredPin = nil
    if pending?.job == .perform(.wipe) || isVersionBlock(position) {
      // A running deletion continues, and the screen that blocks this version stays.
      history = []
      suspended?.history = []
      return endWarning()
    }
    warningLocksAt = nil
    suspend(position)
    enterUnlock(byLock: cause != .background)
  }

  mutating func enterUnlock(byLock: Bool) {
    cutHistory()
    pending = nil
    isEntryByLock = byLock
    enter(UseCaseTables.firstRow(of: .unlock))
  }

  /// Suspends the current step for Resume after the unlock, and cuts the history.
  private mutating func suspend(_ position: FlowPosition) {
    if isOnTheWay(position) {
      suspended = suspended.map {
        SuspendedFlow(
          position: Self.withoutConfirmation($0.position), screen: $0.screen, history: [])
      }
      return
    }
    if let kept = keptOverLock(position) ?? keptSharing(position) {
      suspended = kept
      return
    }
    // A lock cancels pending work, and the lock's own row is not a step. In both cases the screen
    // beneath is resumed.
    let isBusy = pending != nil || position.row.useCase == .lock
    let kept = (isBusy ? screen : position).map(Self.withoutConfirmation)
    suspended = kept.map {
      SuspendedFlow(position: $0, screen: $0.isScreen ? $0 : screen, history: [])
    }
  }

  /// Replaces a step that waits for the PIN after a confirmation by biometrics with the dashboard:
  /// the person who unlocks need not be the one who confirmed.
  private static func withoutConfirmation(_ position: FlowPosition) -> FlowPosition {
    position.awaitsPinForBiometrics ? FlowPosition(row: .home) : position
  }

  /// Locks the wallet if the provider blocks a PIN that was asked for in the unlocked wallet. The
  /// check of the PIN (PF2.8) then continues as a part of the unlock (UC2.3).
  mutating func lockIfBlocked(_ outcome: Outcome) {
    guard outcome.isPinBlock, let position else { return }
    guard let caller = position.frames.first?.useCase, caller == .cards || position.isConfirming
    else {
      // A request has unlocked the wallet meanwhile, and the news of it is still to come.
      if isWalletUnlocked { lockWallet() }
      return
    }
    isUnlocked = false
    warningLocksAt = nil
    lockWallet()
    forgetSharing()
    suspended = SuspendedFlow(
      position: FlowPosition(row: .home), screen: nil, history: [])
    cutHistory()
    self.position = FlowPosition(
      row: position.row, frames: [.unlockByPin], details: position.details,
      failed: position.failed)
  }

  /// Continues as after an unlock (UC2.3), because a host with its own screens has unlocked the
  /// wallet.
  mutating func unlockedElsewhere() {
    guard isOpen, !isUnlocked, let position, !isStarting(position) else { return }
    // A set-up and a deletion decide themselves whether the wallet is locked afterwards.
    switch pending?.job {
    case .perform(.setUpAccount), .perform(.wipe): return
    default: break
    }
    pending = nil
    enter(.afterUnlock)
  }

  /// Shows the unlock, because the wallet was registered by a request and not by this flow.
  mutating func registeredElsewhere() {
    guard isOpen, !isUnlocked, let position, !isStarting(position), isBeforeRegistration else {
      return
    }
    enterUnlock(byLock: true)
  }

  mutating func wiped() {
    guard isOpen, let position else { return forgetWallet() }
    if pending?.job == .perform(.wipe) {
      // The flow's own deletion continues. If it fails, no step of the deleted wallet may come
      // back.
      isUnlocked = false
      history = []
      suspended = nil
      return endWarning()
    }
    let (pending, screen, history) = (pending, screen, history)
    let stays = needsNoWallet(position)
    forgetWallet()
    guard stays else { return enter(UseCaseTables.firstRow(of: .introduceApp)) }
    (self.pending, self.screen) = (pending, screen)
    // Nothing leads back from the screen that blocks this version.
    if !isVersionBlock(position) { self.history = history }
  }

  /// Whether a step is for a device without a wallet, or comes before the search for one. The screen
  /// that blocks this version stays too.
  private func needsNoWallet(_ position: FlowPosition) -> Bool {
    if isVersionBlock(position) { return true }
    // The update policy that is applied before an act is a part of the act.
    if position.isConfirming { return false }
    switch (position.failed ?? position.row).useCase {
    case .introduceApp, .updatePolicy: return true
    case .openApp: return [.splash, .policyAtLaunch].contains(position.row)
    case .help:
      guard let screen, !screen.isConfirming else { return false }
      return screen.row.useCase == .introduceApp || screen.row.useCase == .updatePolicy
    default: return false
    }
  }

  // MARK: The inactivity warning

  mutating func warn(_ locksAt: Int64) {
    guard isUnlocked, isOpen, !isInBackground else { return }
    if warningLocksAt == nil { note(.lockTimers, .event(.nearlyInactive)) }
    warningLocksAt = locksAt
    reaction.showsStep = true
  }

  mutating func endWarning() {
    guard warningLocksAt != nil else { return }
    warningLocksAt = nil
    showAgain()
  }

  mutating func answerWarning(_ chosen: Case) {
    note(chosen, of: .lockWarning)
    if chosen.action == .lock { endUnlocked(.request) } else { endWarning() }
  }

  // MARK: Background and take-over

  mutating func enterBackground() {
    isInBackground = true
    // In the background only background_timeout locks the wallet, so there is nothing to warn of.
    endWarning()
    guard case .perform(let effect) = pending?.job, effect.promptsUser, let row = position?.row
    else {
      return
    }
    cancelPrompt(of: effect, row)
  }

  /// Ends a system prompt because the app is in the background, where none can open. This is no
  /// failed attempt, and it does not reset the count of failed attempts.
  mutating func cancelPrompt(of effect: FlowEffect, _ row: RowID) {
    pending = nil
    take(effect == .scanBiometrics ? .cancelled : .rejected, Details(), of: row)
  }

  mutating func backgroundTimeout() { forgetChosenPin() }

  /// Wipes a chosen PIN that was not repeated yet. The user then chooses a new one.
  private mutating func forgetChosenPin() {
    guard chosenPin != nil, let position else { return }
    chosenPin = nil
    // A running set-up still holds its PIN and releases it when it ends.
    if pending?.job == .perform(.setUpAccount) { return }
    if position.row.useCase == .setUpPin || position.failed?.useCase == .setUpPin {
      enter(.choosePin)
    }
  }

  mutating func enterForeground() {
    guard isInBackground else { return }
    isInBackground = false
    isEntryByLock = false
    guard isOpen else { return }
    if isUnlocked { note(.lockTimers, .event(.shortBackground)) }
    enterSection3()
  }

  /// Continues with another client, for which the runtime has already locked the wallet. A step
  /// that holds a PIN starts over. A set-up that is under way continues with its PIN, because the
  /// provider may already have registered the wallet with it.
  mutating func takeOver() {
    if isUnlocked { lock(.request) }
    forgetSharing()
    chosenPin = nil
    enteredPin = nil
    isTakenOver = true
    switch pending?.job {
    case .perform(.wipe), .perform(.setUpAccount): return showAgain()
    default: break
    }
    guard isOpen, let position, !isStarting(position) else { return showAgain() }
    if facts.isRegistered || !isBeforeRegistration { return enterUnlock(byLock: true) }
    let useCase = (position.failed ?? position.row).useCase
    if useCase == .setUpPin { return enter(.choosePin) }
    showAgain()
  }
}
