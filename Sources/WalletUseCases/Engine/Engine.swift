internal import WalletModel

/// Walks the tables: one event in, one reaction out.
///
/// Pure: no I/O, no clock, no randomness, and of PINs only the numbers of their slots. The engine
/// waits for at most one thing at a time (`pending`); an outcome that it does not wait for any more is
/// ignored. Every event ends: rows that the engine itself determines lead to rows that wait.
public struct Engine: Equatable, Sendable {
  /// Grows with every shown step, also one that is shown again.
  public private(set) var serial: UInt64 = 0
  /// What the runtime is to do; nil where the user is to choose.
  public internal(set) var pending: Pending?
  /// Whether the flows count the wallet as unlocked.
  public internal(set) var isUnlocked = false

  var facts = Facts()
  /// What the visible step was made of.
  private var shownFacts = Facts()
  var place: FlowPosition?
  /// The screen that fills the display, over which prompts stand.
  var screen: FlowPosition?
  /// The screens before it, the oldest first.
  var history: [FlowPosition] = []
  var left: SuspendedFlow?
  /// UC9.7 1.2, over whatever is shown; when the wallet will lock.
  var warningLocksAt: Int64?
  var attempts = BiometricAttempts()
  var codeAttempts = CodeAttempts()
  /// What UC3.1 5c tells of the account that is claimed.
  var account: Details?
  /// The PIN of UC2.1 1.1 that awaits its repetition, and the one that was entered last.
  var chosenPin: PinSlot?
  var enteredPin: PinSlot?
  var mismatches = 0
  var isInBackground = false
  /// Whether the app was opened while work was under way that is to end first.
  var opensAfterWork = false
  /// Whether UC2.3 was entered by a lock, which a scan that opens by itself would undo.
  var isEntryByLock = false
  var startup = Startup.launch
  /// Whether the pending work took longer than 0.2 s.
  var isSlow = false
  /// News for the next step, and those of the visible one.
  var notices: [Notice] = []
  var visibleNotices: [Notice] = []
  private var lastPending: UInt64 = 0
  var reaction = Reaction()

  public init() {}

  /// Takes an event in.
  public mutating func handle(_ event: FlowInput, facts: Facts) -> Reaction {
    // What a step offers is what it was shown with, whatever has changed since.
    let chosen = chosenCase(event)
    self.facts = facts
    reaction = Reaction()
    apply(event, chosen)
    openAfterWork()
    forgetPins()
    if reaction.showsStep {
      serial += 1
      shownFacts = facts
      handOverNotices()
    }
    return reaction
  }

  /// Whether the app was opened and has not ended.
  public var isOpen: Bool { place.map { !$0.isEnd } ?? false }

  /// Whether a confirmation by biometrics, given or under way, still awaits its PIN (UC7.1 section 3).
  public var awaitsPinForBiometrics: Bool {
    guard isUnlocked else { return false }
    if pending?.job == .perform(.sealBiometrics) { return true }
    return ([place, screen, left?.place].compactMap { $0 } + history)
      .contains { $0.awaitsPinForBiometrics }
  }

  /// The PINs that are still needed; all others are to be wiped.
  public var heldSlots: Set<PinSlot> {
    Set([chosenPin, enteredPin].compactMap { $0 } + (pending?.slots ?? []))
  }

  /// The time that ends the visible step: the splash's second, a scanner's minute, or a block's end.
  public var timer: StepTimer? {
    guard pending == nil, warningLocksAt == nil, let place else { return nil }
    for row in place.definition?.cases ?? [] {
      switch row.trigger {
      case .event(.splashOver): return StepTimer(serial: serial, end: .splash)
      case .event(.scanTimeout):
        // Behind another app a camera sees nothing; its minute begins anew with its screen.
        return isInBackground ? nil : StepTimer(serial: serial, end: .scan)
      case .event(.blockOver):
        return place.details.deadline.map { StepTimer(serial: serial, end: .at($0)) }
      default: break
      }
    }
    return nil
  }

  private mutating func apply(_ event: FlowInput, _ chosen: Case?) {
    switch event {
    case .open(let startup): open(startup)
    case .chose(_, _, let slot): if let chosen { choose(chosen, slot) }
    case .outcome(let id, let outcome, let details): take(id, outcome, details)
    case .scanned(let id, let reply, let details):
      guard pending?.id == id, pending?.job == .perform(.scanBiometrics) else { return }
      take(id, attempts.note(reply, facts.platform), details)
    case .slow(let id):
      guard pending?.id == id, !isSlow, !promptsUser else { return }
      isSlow = true
      // The warning stands over it, and a tap on that must count.
      reaction.showsStep = warningLocksAt == nil
    case .timeIsUp(let serial): timeIsUp(serial)
    case .lockRequested: lockOnRequest()
    case .locked(let cause): lock(cause)
    case .unlocked: unlockedElsewhere()
    case .registered: registeredElsewhere()
    case .wiped: wiped()
    case .inactivityWarning(let locksAt): warn(locksAt)
    case .warningOver: endWarning()
    case .userActivity: if isUnlocked { note(RowID(.lock, "1.1"), .event(.active)) }
    case .background: enterBackground()
    case .backgroundTimeout: backgroundTimeout()
    case .foreground: enterForeground()
    case .takenOver: takeOver()
    case .factsChanged:
      guard pending == nil, warningLocksAt == nil, place?.row == RowID(.cards, "1.1") else {
        return
      }
      // A new serial takes the user's tap away, so only where there is something to see.
      var shown = self
      shown.facts = shownFacts
      if shown.visibleStep(now: 0) != visibleStep(now: 0) { showAgain() }
    }
  }

  /// News are for steps that the user reads: they wait while work goes on or the warning is shown.
  private mutating func handOverNotices() {
    guard warningLocksAt == nil else { return }
    visibleNotices = pending == nil ? notices : []
    if pending == nil { notices = [] }
  }

  // MARK: What the runtime is asked

  mutating func wait(for job: Pending.Job) {
    lastPending += 1
    isSlow = false
    let slots: [PinSlot?] =
      switch job {
      case .ask(.pinFitsPolicy), .perform(.setUpAccount): [chosenPin]
      case .ask(.pinsAreEqual): [chosenPin, enteredPin]
      case .perform(.validatePin): [enteredPin]
      default: []
      }
    pending = Pending(
      id: lastPending, job: job, slots: slots.compactMap { $0 }, caller: place?.frames.last)
  }

  // MARK: Outcomes

  private mutating func take(_ id: UInt64, _ outcome: Outcome, _ details: Details) {
    guard pending?.id == id, let place else { return }
    let job = pending?.job
    pending = nil
    if job == .perform(.disableBiometrics) { return finishTask(outcome, details) }
    if job == .perform(.validatePin) {
      enteredPin = nil
      lockIfBlocked(outcome)
    }
    if job == .perform(.wipe), outcome == .failed, !facts.isRegistered {
      // Only keys are left of it, and the question that asked for the deletion.
      forgetWallet()
      screen = FlowPosition(row: UseCaseTables.firstRow(of: .wipe))
    }
    let row = self.place?.row ?? place.row
    var details = details
    let known = refinedByProofing(refined(outcome), of: row, &details)
    take(known, details, of: row)
  }

  /// The case that the engine knows better than the runtime.
  private mutating func refined(_ outcome: Outcome) -> Outcome {
    switch (place?.row, outcome) {
    case (RowID(.setUpPin, "1.4"), .differFirstTime), (RowID(.setUpPin, "1.4"), .differSecondTime):
      mismatches += 1
      return mismatches == 1 ? .differFirstTime : .differSecondTime
    case (RowID(.unlock, "1.1"), .yes):
      defer { isEntryByLock = false }
      return isEntryByLock || attempts.isSetAside || isInBackground ? .no : .yes
    case (RowID(.unlock, "1.5"), .no), (RowID(.unlock, "1.5"), .noButStepLeft):
      return leftStepGoesOn ? .noButStepLeft : .no
    default: return outcome
    }
  }

  /// Whether a set-up or proofing was left that goes on without a PID.
  private var leftStepGoesOn: Bool {
    guard let row = left?.place.row else { return false }
    return row.useCase == .obtainPID
      || (row.useCase == .setUpPin && !UseCaseTables.isAllowedWhileLocked(row))
  }

  /// Takes the case of `row` that `outcome` is; one that the table does not know is a failure.
  mutating func take(_ outcome: Outcome, _ details: Details, of row: RowID) {
    guard let taken = UseCaseTables.firstCase(.outcome(outcome), of: row) else {
      fail(.generic, row, details)
      return
    }
    follow(taken, of: row, details)
  }

  private mutating func timeIsUp(_ serial: UInt64) {
    guard timer?.serial == serial, let place,
      let taken = place.definition?.cases.first(where: { definition in
        switch definition.trigger {
        case .event(.splashOver), .event(.blockOver), .event(.scanTimeout): true
        default: false
        }
      })
    else { return }
    follow(taken, of: place.row)
  }

  /// Notes that a case was taken that leads nowhere else.
  mutating func note(_ row: RowID, _ trigger: Case.Trigger) {
    if let taken = UseCaseTables.firstCase(trigger, of: row) { note(taken, of: row) }
  }

  mutating func note(_ taken: Case, of row: RowID) {
    reaction.taken.append(row.description + taken.letter)
  }
}
