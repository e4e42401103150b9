internal import WalletModel

// What happens to the flows from outside: opening, locks, background, take-over.

extension Engine {
  mutating func open(_ startup: Startup) {
    guard isOpen else {
      // Nothing is under way, whatever the host believes.
      self.startup = .launch
      isEntryByLock = false
      screen = nil
      history = []
      pending = nil
      return enter(RuleBook.firstRow(of: .openApp))
    }
    enterSection3()
  }

  /// UC1.2 section 3: the app is in the foreground again.
  private mutating func enterSection3() {
    guard let place, mayEnterSection3(place) else { return showAgain() }
    if isUnlocked || !facts.isRegistered {
      left = Left(place: place, screen: screen, history: history)
    }
    startup = .resume
    note(RowID(.openApp, "1.1"), .outcome(.resume))
    if enterBlock() { return }
    enter(RowID(.openApp, "3.1"))
  }

  /// Not while the launch goes on, nor over work that is under way: its outcome comes.
  private func mayEnterSection3(_ place: Place) -> Bool {
    guard pending == nil, !place.isEnd else { return false }
    switch place.row.useCase {
    case .openApp, .updatePolicy: return false
    case .errors:
      return place.failed?.useCase != .openApp && place.failed?.useCase != .updatePolicy
    default: return true
    }
  }

  // MARK: Locks (UC9.7)

  /// UC9.7 2: somebody asked for it. Of a locked wallet it ends what could unlock it.
  mutating func lockOnRequest() {
    if isUnlocked { return lock(.request) }
    guard facts.isRegistered, let place, isOpen else { return }
    switch pending?.job {
    case .perform(.scanBiometrics), .perform(.validatePin): break
    default: return
    }
    note(RowID(.lock, "2"), .outcome(.locked))
    self.place = place
    enterUnlock(byLock: true)
  }

  /// The wallet locked, or is to lock: what is shown is set aside for Resume.
  mutating func lock(_ cause: LockCause) {
    guard isUnlocked, let place else { return }
    switch cause {
    case .request: note(RowID(.lock, "2"), .outcome(.locked))
    case .background: note(RowID(.lock, "1.1"), .event(.longBackground))
    case .inactivity where warningLocksAt != nil: note(RowID(.lock, "1.2"), .event(.inactive))
    case .inactivity: note(RowID(.lock, "1.1"), .event(.inactive))
    }
    if cause == .request { reaction.commands.append(.lock) }
    isUnlocked = false
    warningLocksAt = nil
    chosenPin = nil
    enteredPin = nil
    if pending?.job == .perform(.wipe) {
      history = []
      return
    }
    setAside(place)
    enterUnlock(byLock: cause != .background)
  }

  private mutating func enterUnlock(byLock: Bool) {
    screen = nil
    history = []
    pending = nil
    isEntryByLock = byLock
    enter(RuleBook.firstRow(of: .unlock))
  }

  /// Sets the current step aside for Resume after the unlock. History is cut.
  private mutating func setAside(_ place: Place) {
    if place.row.useCase == .openApp || place.row.useCase == .universalLink {
      // On the way back to a step that was set aside already.
      left?.history = []
      return
    }
    // What ran was given up with the lock, and the lock's own row is no step.
    let isBusy = pending != nil || place.row.useCase == .lock
    var kept = isBusy ? screen : place
    if kept?.row == RowID(.cards, "3.2") { kept = Place(row: RowID(.cards, "1.1")) }
    left = kept.map { Left(place: $0, screen: screen, history: []) }
  }

  /// A PIN that enables biometrics and is blocked locks the wallet: PF2.8 goes on beneath UC2.3.
  mutating func lockIfBlocked(_ outcome: Outcome) {
    guard place?.frames.last == RowID(.cards, "3.3") else { return }
    switch outcome {
    case .blocked, .blockedForGood, .wrongFourth, .finalWrongFourth: break
    default: return
    }
    isUnlocked = false
    warningLocksAt = nil
    reaction.commands.append(.lock)
    left = Left(place: Place(row: RowID(.cards, "1.1")), screen: nil, history: [])
    screen = nil
    history = []
    place?.frames = [RowID(.unlock, "1.4")]
  }

  /// Unlocked by a host that also uses its own screens: as if by UC2.3.
  mutating func unlockedElsewhere() {
    guard isOpen, !isUnlocked, let place, place.row.useCase != .openApp,
      place.row.useCase != .updatePolicy
    else { return }
    pending = nil
    enter(RowID(.unlock, "1.5"))
  }

  /// Registered by another way than this walk: the wallet is there, and locked.
  mutating func registeredElsewhere() {
    guard isOpen, !isUnlocked, let place else { return }
    switch place.row.useCase {
    case .introduceApp, .setUpPin, .errors, .about, .help: enterUnlock(byLock: true)
    default: break
    }
  }

  mutating func wiped() {
    guard isOpen, pending?.job != .perform(.wipe), let place else {
      isUnlocked = false
      return
    }
    forgetWallet()
    switch place.row.useCase {
    case .openApp, .updatePolicy, .introduceApp: break
    default: enter(RuleBook.firstRow(of: .introduceApp))
    }
  }

  // MARK: The inactivity warning

  mutating func warn(_ locksAt: Int64) {
    guard isUnlocked, isOpen else { return }
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
    let row = RowID(.lock, "1.2")
    reaction.taken.append("\(row)\(chosen.letter)")
    guard chosen.trigger == .action(.lock) else { return endWarning() }
    lockWithoutNote()
  }

  private mutating func lockWithoutNote() {
    let before = reaction.taken
    lock(.request)
    // The case of the warning was taken, not UC9.7 2.
    reaction.taken = before + reaction.taken.dropFirst(before.count + 1)
  }

  // MARK: Background and take-over

  mutating func enterBackground() {
    isInBackground = true
    guard case .perform(let task) = pending?.job, task.promptsUser, let row = place?.row else {
      return
    }
    // The prompt goes with the app: not counted, resets nothing.
    pending = nil
    take(task == .scanBiometrics ? .cancelled : .rejected, Details(), of: row)
  }

  mutating func backgroundTimeout() {
    guard chosenPin != nil, let place, pending?.job != .perform(.setUpAccount) else { return }
    chosenPin = nil
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
    guard let place else { return }
    if isUnlocked { lock(.request) }
    chosenPin = nil
    enteredPin = nil
    guard isOpen else { return showAgain() }
    if place.row.useCase == .setUpPin || place.failed == RowID(.setUpPin, "1.5") {
      pending = nil
      if !facts.isRegistered { return enter(RowID(.setUpPin, "1.1")) }
    }
    let isStarting = place.row.useCase == .openApp || place.row.useCase == .updatePolicy
    if facts.isRegistered, !isStarting, pending?.job != .perform(.wipe) {
      return enterUnlock(byLock: true)
    }
    showAgain()
  }
}
