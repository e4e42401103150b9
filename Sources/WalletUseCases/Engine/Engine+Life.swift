internal import WalletModel

// What happens to the flows from outside: opening, locks, background, take-over.

extension Engine {
  mutating func open(_ startup: Startup) {
    // Whoever opens the app wants in; a lock before that does not count.
    isEntryByLock = false
    guard isOpen else {
      // Nothing is under way, whatever the host believes.
      self.startup = .launch
      return enter(UseCaseTables.firstRow(of: .openApp))
    }
    // What opened it, a link, is looked at when the work that is under way has ended.
    opensAfterWork =
      pending != nil && (isUnlocked || pending?.job == .perform(.setUpAccount))
    enterSection3()
  }

  /// Asks for an opening that found work under way once more. Not of a locked wallet, whose unlock
  /// looks for a link.
  mutating func openAfterWork() {
    guard opensAfterWork, pending == nil else { return }
    opensAfterWork = false
    if isUnlocked { reaction.commands.append(.openAgain) }
  }

  /// UC1.2 section 3: the app is in the foreground again.
  private mutating func enterSection3() {
    guard let place, mayEnterSection3(place) else { return showAgain() }
    // Of a locked wallet the lock has set the step aside.
    if isUnlocked || isBeforeRegistration, !isVersionBlock(place) {
      left = SuspendedFlow(place: place, screen: screen, history: history)
    }
    startup = .resume
    note(RowID(.openApp, "1.1"), .outcome(.resume))
    if enterBlock() { return }
    enter(RowID(.openApp, "3.1"))
  }

  /// Not while the launch goes on, nor over work that is under way: its outcome comes.
  private func mayEnterSection3(_ place: FlowPosition) -> Bool {
    guard pending == nil, isOpen else { return false }
    // A block is looked at again: the policy may have changed. Help over it stays.
    if isVersionBlock(place) { return facts.versionState.isAllowed || place.row.useCase != .help }
    return !isStarting(place)
  }

  // MARK: Where the walk stands

  /// Whether the update policy blocks this version here.
  private func isVersionBlock(_ place: FlowPosition) -> Bool {
    let row = place.row.useCase == .help ? screen?.row : place.row
    return row == RowID(.updatePolicy, "2.1") || row == RowID(.updatePolicy, "3.1")
  }

  /// Whether the app is not past UC1.2 and the update policy.
  private func isStarting(_ place: FlowPosition) -> Bool {
    let useCase = (place.failed ?? place.row).useCase
    return useCase == .openApp || useCase == .updatePolicy || isVersionBlock(place)
  }

  /// Whether this is on the way back to a step that was set aside, which is kept meanwhile.
  func isOnTheWay(_ place: FlowPosition) -> Bool {
    let useCase = (place.failed ?? place.row).useCase
    return isStarting(place) || useCase == .universalLink || useCase == .unlock
  }

  /// Whether this is, or lies over, a step of a device without a wallet.
  var isBeforeRegistration: Bool {
    place.map { isBeforeRegistration(SuspendedFlow(place: $0, screen: screen, history: history)) } ?? true
  }

  func isBeforeRegistration(_ left: SuspendedFlow) -> Bool {
    ([left.place] + left.history + [left.screen].compactMap { $0 }).contains { place in
      let row = place.failed ?? place.row
      return row.useCase == .introduceApp
        || (row.useCase == .setUpPin && UseCaseTables.isAllowedWhileLocked(row))
    }
  }

  // MARK: Locks (UC9.7)

  /// UC9.7 2: somebody asked for it. Of a locked wallet it ends what could unlock it.
  mutating func lockOnRequest() {
    if isUnlocked { return lock(.request) }
    guard isOpen else { return }
    forgetChosenPin()
    switch pending?.job {
    case .perform(.scanBiometrics), .perform(.validatePin): break
    default: return
    }
    note(RowID(.lock, "2"), .outcome(.locked))
    enterUnlock(byLock: true)
  }

  /// The wallet locked, or is to lock: what is shown is set aside for Resume.
  mutating func lock(_ cause: LockCause) {
    guard isUnlocked, place != nil else { return }
    switch cause {
    case .request: note(RowID(.lock, "2"), .outcome(.locked))
    case .background: note(RowID(.lock, "1.1"), .event(.longBackground))
    case .inactivity where warningLocksAt != nil: note(RowID(.lock, "1.2"), .event(.inactive))
    case .inactivity: note(RowID(.lock, "1.1"), .event(.inactive))
    }
    endUnlocked(cause)
  }

  private mutating func endUnlocked(_ cause: LockCause) {
    guard isUnlocked, let place else { return }
    if cause == .request { reaction.commands.append(.lock) }
    isUnlocked = false
    chosenPin = nil
    enteredPin = nil
    if pending?.job == .perform(.wipe) || isVersionBlock(place) {
      // A deletion goes on, and a block stays.
      history = []
      left?.history = []
      return endWarning()
    }
    warningLocksAt = nil
    setAside(place)
    enterUnlock(byLock: cause != .background)
  }

  private mutating func enterUnlock(byLock: Bool) {
    cutHistory()
    pending = nil
    isEntryByLock = byLock
    enter(UseCaseTables.firstRow(of: .unlock))
  }

  /// Sets the current step aside for Resume after the unlock. History is cut.
  private mutating func setAside(_ place: FlowPosition) {
    if isOnTheWay(place) {
      left = left.map {
        SuspendedFlow(place: Self.withoutConfirmation($0.place), screen: $0.screen, history: [])
      }
      return
    }
    if let kept = keptOverLock(place) {
      left = kept
      return
    }
    // What ran was given up with the lock, and the lock's own row is no step.
    let isBusy = pending != nil || place.row.useCase == .lock
    let kept = (isBusy ? screen : place).map(Self.withoutConfirmation)
    left = kept.map { SuspendedFlow(place: $0, screen: $0.isScreen ? $0 : screen, history: []) }
  }

  /// A confirmation by biometrics does not outlive a lock: whoever unlocks need not be who confirmed.
  private static func withoutConfirmation(_ place: FlowPosition) -> FlowPosition {
    place.awaitsPinForBiometrics ? FlowPosition(row: RowID(.cards, "1.1")) : place
  }

  /// A PIN that enables biometrics and is blocked locks the wallet: PF2.8 goes on beneath UC2.3.
  mutating func lockIfBlocked(_ outcome: Outcome) {
    guard let place, place.frames.last == RowID(.cards, "3.3") else { return }
    switch outcome {
    case .blocked, .blockedForGood, .wrongFourth, .finalWrongFourth: break
    default: return
    }
    isUnlocked = false
    warningLocksAt = nil
    reaction.commands.append(.lock)
    left = SuspendedFlow(place: FlowPosition(row: RowID(.cards, "1.1")), screen: nil, history: [])
    cutHistory()
    self.place = FlowPosition(
      row: place.row, frames: [RowID(.unlock, "1.4")], details: place.details,
      failed: place.failed)
  }

  /// Unlocked by a host that also uses its own screens: as if by UC2.3.
  mutating func unlockedElsewhere() {
    guard isOpen, !isUnlocked, let place, !isStarting(place) else { return }
    // Both end in a state of their own.
    switch pending?.job {
    case .perform(.setUpAccount), .perform(.wipe): return
    default: break
    }
    pending = nil
    enter(RowID(.unlock, "1.5"))
  }

  /// Registered by another way than this walk: the wallet is there, and locked.
  mutating func registeredElsewhere() {
    guard isOpen, !isUnlocked, let place, !isStarting(place), isBeforeRegistration else { return }
    enterUnlock(byLock: true)
  }

  mutating func wiped() {
    guard isOpen, let place else { return forgetWallet() }
    if pending?.job == .perform(.wipe) {
      // Our own deletion goes on; nothing of the wallet is to come back should it fail.
      isUnlocked = false
      history = []
      left = nil
      return endWarning()
    }
    let (pending, screen, history) = (pending, screen, history)
    forgetWallet()
    guard needsNoWallet(place, screen) else { return enter(UseCaseTables.firstRow(of: .introduceApp)) }
    (self.pending, self.screen, self.history) = (pending, screen, history)
  }

  /// Whether a step stands where there was no wallet, or before it was looked for.
  private func needsNoWallet(_ place: FlowPosition, _ screen: FlowPosition?) -> Bool {
    switch (place.failed ?? place.row).useCase {
    case .introduceApp, .updatePolicy: true
    case .openApp: ["2.1", "2.2"].contains(place.row.number)
    case .help: screen?.row.useCase == .introduceApp || screen?.row.useCase == .updatePolicy
    default: false
    }
  }

  // MARK: The inactivity warning

  mutating func warn(_ locksAt: Int64) {
    guard isUnlocked, isOpen, !isInBackground else { return }
    if warningLocksAt == nil { note(RowID(.lock, "1.1"), .event(.nearlyInactive)) }
    warningLocksAt = locksAt
    reaction.showsStep = true
  }

  mutating func endWarning() {
    guard warningLocksAt != nil else { return }
    warningLocksAt = nil
    showAgain()
  }

  mutating func answerWarning(_ chosen: Case) {
    note(chosen, of: RowID(.lock, "1.2"))
    if chosen.action == .lock { endUnlocked(.request) } else { endWarning() }
  }

  // MARK: Background and take-over

  mutating func enterBackground() {
    isInBackground = true
    // Only background_timeout counts there.
    endWarning()
    guard case .perform(let task) = pending?.job, task.promptsUser, let row = place?.row else {
      return
    }
    cancelPrompt(of: task, row)
  }

  /// A prompt goes with the app, and none opens behind it: not counted, resets nothing.
  mutating func cancelPrompt(of task: FlowEffect, _ row: RowID) {
    pending = nil
    take(task == .scanBiometrics ? .cancelled : .rejected, Details(), of: row)
  }

  mutating func backgroundTimeout() { forgetChosenPin() }

  /// A PIN that awaits its repetition is wiped, and chosen anew.
  private mutating func forgetChosenPin() {
    guard chosenPin != nil, let place else { return }
    chosenPin = nil
    // A set-up that is under way still has its PIN, and loses it with its end.
    if pending?.job == .perform(.setUpAccount) { return }
    if place.row.useCase == .setUpPin || place.failed?.useCase == .setUpPin {
      enter(RowID(.setUpPin, "1.1"))
    }
  }

  mutating func enterForeground() {
    guard isInBackground else { return }
    isInBackground = false
    isEntryByLock = false
    guard isOpen else { return }
    if isUnlocked { note(RowID(.lock, "1.1"), .event(.shortBackground)) }
    enterSection3()
  }

  /// The runtime has locked before. A step that holds a PIN begins anew.
  mutating func takeOver() {
    if isUnlocked { lock(.request) }
    chosenPin = nil
    enteredPin = nil
    guard isOpen, let place, pending?.job != .perform(.wipe), !isStarting(place) else {
      return showAgain()
    }
    if facts.isRegistered || !isBeforeRegistration { return enterUnlock(byLock: true) }
    let useCase = (place.failed ?? place.row).useCase
    if useCase == .setUpPin { return enter(RowID(.setUpPin, "1.1")) }
    showAgain()
  }
}
