internal import WalletModel

// Opening the app, locks, background, and take-over by another client.

extension Engine {
  mutating func open(_ startup: Startup, hasLink: Bool) {
    // A new client opens the app by the link that started it; its user has not begun anything.
    let isNewClient = isTakenOver
    isTakenOver = false
    if hasLink, !isNewClient, keepLink() { return }
    // A user who opens the app wants to unlock, so a lock before that does not suppress the scan.
    isEntryByLock = false
    guard isOpen else {
      // The engine has no open flow, so this is a launch even if the host believes otherwise.
      self.startup = .launch
      return enter(UseCaseTables.firstRow(of: .openApp))
    }
    // The link that opened the app is handled after the pending work.
    if pending != nil, isUnlocked || pending?.job == .perform(.setUpAccount) { opensLater = true }
    enterSection3()
  }

  /// UC1.2 section 3: the app is in the foreground again.
  mutating func enterSection3() {
    guard let position, mayEnterSection3(position) else { return showAgain() }
    // In a locked wallet, the lock has already suspended the step.
    if isUnlocked || isBeforeRegistration, !isVersionBlock(position) {
      suspended = SuspendedFlow(position: position, screen: screen, history: history)
    }
    startup = .resume
    note(.appOpening, .outcome(.resume))
    if enterBlock() { return }
    enter(.appReturn)
  }

  /// Section 3 is not entered during the launch, nor over pending work, whose outcome is still to
  /// come.
  func mayEnterSection3(_ position: FlowPosition) -> Bool {
    guard pending == nil, isOpen else { return false }
    // A block is checked again because the policy may have changed. Help shown over it stays.
    if isVersionBlock(position) {
      return facts.versionState.isAllowed || position.row.useCase != .help
    }
    return !isStarting(position)
  }

  // MARK: Position

  /// Whether the update policy blocks this version here.
  func isVersionBlock(_ position: FlowPosition) -> Bool {
    let row = position.row.useCase == .help ? screen?.row : position.row
    return row == .versionBlock || row == .versionBlockWithoutUpdate
  }

  /// Whether the app is still in UC1.2 or blocked by the update policy.
  private func isStarting(_ position: FlowPosition) -> Bool {
    let useCase = (position.failed ?? position.row).useCase
    return useCase == .openApp || useCase == .updatePolicy || isVersionBlock(position)
  }

  /// Whether `position` belongs to the steps that lead back to a suspended one (opening and
  /// unlock), during which it is kept.
  func isOnTheWay(_ position: FlowPosition) -> Bool {
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
    case .perform(.scanBiometrics), .perform(.validatePin): break
    default: return
    }
    enterUnlockAfterLock()
  }

  /// Shows the unlock after a lock that came before the unlock which was under way.
  mutating func enterUnlockAfterLock() {
    note(.lockRequest, .outcome(.locked))
    enterUnlock(byLock: true)
  }

  /// Takes in news of the lock, which may be older than the facts. A lock ends what was unlocked
  /// before it, and an unlock or a warning counts only if it still holds.
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
  /// - Parameter isDone: Whether the wallet is locked already, and may be unlocked again by now.
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
      // A deletion continues, and a block stays.
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
    if let kept = keptOverLock(position) {
      suspended = kept
      return
    }
    // The lock cancelled any pending work, and the lock's own row is not a step.
    let isBusy = pending != nil || position.row.useCase == .lock
    let kept = (isBusy ? screen : position).map(Self.withoutConfirmation)
    suspended = kept.map {
      SuspendedFlow(position: $0, screen: $0.isScreen ? $0 : screen, history: [])
    }
  }

  /// Drops a confirmation by biometrics, because the person who unlocks need not be the one who
  /// confirmed.
  private static func withoutConfirmation(_ position: FlowPosition) -> FlowPosition {
    position.awaitsPinForBiometrics ? FlowPosition(row: .home) : position
  }

  /// Locks the wallet if the PIN has reached a block. If it was asked for in the unlocked wallet,
  /// PF2.8 then continues beneath UC2.3.
  mutating func lockIfBlocked(_ outcome: Outcome) {
    guard outcome.isPinBlock, let position else { return }
    guard position.frames.last?.useCase == .cards else {
      // A request has unlocked the wallet meanwhile, and the news of it is still to come.
      if isWalletUnlocked { lockWallet() }
      return
    }
    isUnlocked = false
    warningLocksAt = nil
    lockWallet()
    suspended = SuspendedFlow(
      position: FlowPosition(row: .home), screen: nil, history: [])
    cutHistory()
    self.position = FlowPosition(
      row: position.row, frames: [.unlockByPin], details: position.details,
      failed: position.failed)
  }

  /// Continues as after UC2.3, since a host with its own screens has unlocked the wallet.
  mutating func unlockedElsewhere() {
    guard isOpen, !isUnlocked, let position, !isStarting(position) else { return }
    // Both decide themselves whether the wallet is locked afterwards.
    switch pending?.job {
    case .perform(.setUpAccount), .perform(.wipe): return
    default: break
    }
    pending = nil
    enter(.afterUnlock)
  }

  /// Shows the unlock, since the wallet was registered by a request and not by this flow.
  mutating func registeredElsewhere() {
    guard isOpen, !isUnlocked, let position, !isStarting(position), isBeforeRegistration else {
      return
    }
    enterUnlock(byLock: true)
  }

  mutating func wiped() {
    guard isOpen, let position else { return forgetWallet() }
    if pending?.job == .perform(.wipe) {
      // The flow's own deletion continues; nothing of the wallet comes back if it fails.
      isUnlocked = false
      history = []
      suspended = nil
      return endWarning()
    }
    let (pending, screen, history) = (pending, screen, history)
    forgetWallet()
    guard needsNoWallet(position, screen) else {
      return enter(UseCaseTables.firstRow(of: .introduceApp))
    }
    (self.pending, self.screen, self.history) = (pending, screen, history)
  }

  /// Whether a step belongs to a device without a wallet, or comes before the wallet is looked for.
  private func needsNoWallet(_ position: FlowPosition, _ screen: FlowPosition?) -> Bool {
    switch (position.failed ?? position.row).useCase {
    case .introduceApp, .updatePolicy: true
    case .openApp: [.splash, .policyAtLaunch].contains(position.row)
    case .help: screen?.row.useCase == .introduceApp || screen?.row.useCase == .updatePolicy
    default: false
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
    // In the background only background_timeout counts.
    endWarning()
    guard case .perform(let effect) = pending?.job, effect.promptsUser, let row = position?.row
    else {
      return
    }
    cancelPrompt(of: effect, row)
  }

  /// Ends a prompt because the app is in the background, where none can open. It counts as no
  /// failed attempt and resets none.
  mutating func cancelPrompt(of effect: FlowEffect, _ row: RowID) {
    pending = nil
    take(effect == .scanBiometrics ? .cancelled : .rejected, Details(), of: row)
  }

  mutating func backgroundTimeout() { forgetChosenPin() }

  /// Wipes a PIN that awaits its repetition; the user chooses a new one.
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

  /// Continues with another client; the runtime has locked the wallet before. A step that holds a
  /// PIN starts over. A set-up that is under way continues with its PIN, because the provider may
  /// already have registered the wallet with it.
  mutating func takeOver() {
    if isUnlocked { lock(.request) }
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
