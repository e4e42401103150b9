internal import WalletModel

/// Walks the tables: one input leads to one reaction.
///
/// Pure: no I/O, no clock, no randomness, and no PINs, only the numbers of their slots. The engine
/// waits for at most one thing at a time (`pending`) and ignores the outcome of anything else.
/// Handling an input always terminates, because rows that the engine determines itself lead to rows
/// that wait.
public struct Engine: Equatable, Sendable {
  /// The number of the visible step; grows with every step shown, even if the same one is shown
  /// again.
  public private(set) var serial: UInt64 = 0
  /// What the runtime has to do; nil if the user has to choose.
  public internal(set) var pending: Pending?
  /// Whether the flows show the steps of an unlocked wallet. The facts say whether it is unlocked.
  public internal(set) var isUnlocked = false
  /// The version of the lock with which `isUnlocked` became true. Locks before it are over.
  var unlockedVersion: UInt64 = 0
  /// The newest version of the lock that a lock has ended, or is about to end because the flows or a
  /// host asked for it.
  var endedVersion: UInt64 = 0

  var facts = Facts()
  /// The facts that the visible step was made of.
  var shownFacts = Facts()
  var position: FlowPosition?
  /// The screen that fills the display, over which prompts stand.
  var screen: FlowPosition?
  /// The screens before it, the oldest first.
  var history: [FlowPosition] = []
  var suspended: SuspendedFlow?
  /// When the wallet locks by inactivity, while the warning of UC9.7 1.2 is shown over the step.
  var warningLocksAt: Int64?
  var attempts = BiometricAttempts()
  var codeAttempts = CodeAttempts()
  /// The details of the claimed account that UC3.1 5c shows.
  var account: Details?
  /// The PIN of UC2.1 1.1 that awaits its repetition, and the one that was entered last.
  var chosenPin: PinSlot?
  var enteredPin: PinSlot?
  var mismatches = 0
  var isInBackground = false
  /// Whether the app was opened during work, or by a link at a step, that must end first.
  var opensLater = false
  /// Whether another client has taken over and neither opened the app nor passed a choice yet.
  var isTakenOver = false
  /// Whether a lock led to UC2.3; a scan that opens by itself would undo that lock.
  var isEntryByLock = false
  var startup = Startup.launch
  /// Whether the pending work took longer than 0.2 s.
  var isSlow = false
  /// The replacement that the user was told of since the last unlock, on which a decision is made.
  public internal(set) var seenReplacement: String?
  /// Notices for the next step, and those of the visible one.
  var notices: [Notice] = []
  var visibleNotices: [Notice] = []
  /// The arguments of both, which the steps with the notices have.
  var noticeArguments: [String: Step.Value] = [:]
  var visibleNoticeArguments: [String: Step.Value] = [:]
  private var lastPending: UInt64 = 0
  var reaction = Reaction()

  public init() {}

  /// Handles an input with the facts of this moment.
  public mutating func handle(_ input: FlowInput, facts: Facts) -> Reaction {
    // The user chooses from what was shown, whatever has changed since.
    let chosen = chosenCase(input)
    self.facts = facts
    reaction = Reaction()
    apply(input, chosen)
    openAtLast()
    forgetPins()
    if reaction.showsStep {
      serial += 1
      shownFacts = facts
      publishNotices()
    }
    return reaction
  }

  /// Whether the wallet is unlocked, and not about to be locked.
  var isWalletUnlocked: Bool {
    !facts.lock.value.isLocked && facts.lock.version > endedVersion
  }

  /// Whether the app was opened and has not ended.
  public var isOpen: Bool { position.map { !$0.isEnd } ?? false }

  /// Whether a confirmation by biometrics, given or pending, still awaits its PIN (UC7.1 section
  /// 3).
  public var awaitsPinForBiometrics: Bool {
    guard isUnlocked else { return false }
    if pending?.job == .perform(.sealBiometrics) { return true }
    return ([position, screen, suspended?.position].compactMap { $0 } + history)
      .contains { $0.awaitsPinForBiometrics }
  }

  /// The slots of PINs that are still needed; the runtime wipes all others.
  public var heldSlots: Set<PinSlot> {
    Set([chosenPin, enteredPin].compactMap { $0 } + (pending?.slots ?? []))
  }

  /// The timer that ends the visible step: the splash's second, a scanner's minute, or the end of a
  /// block.
  public var timer: StepTimer? {
    guard pending == nil, warningLocksAt == nil, let position else { return nil }
    for row in position.definition?.cases ?? [] {
      switch row.trigger {
      case .event(.splashOver): return StepTimer(serial: serial, end: .splash)
      case .event(.scanTimeout):
        // A camera sees nothing in the background; its minute starts anew with its screen.
        return isInBackground ? nil : StepTimer(serial: serial, end: .scan)
      case .event(.blockOver):
        return position.details.deadline.map { StepTimer(serial: serial, end: .at($0)) }
      default: break
      }
    }
    return nil
  }

  private mutating func apply(_ input: FlowInput, _ chosen: Case?) {
    switch input {
    case .open(let startup, let hasLink): open(startup, hasLink: hasLink)
    case .chose(_, _, let slot): if let chosen { choose(chosen, slot) }
    case .outcome(let id, let outcome, let details): take(id, outcome, details)
    case .scanned(let id, let reply, let details):
      guard pending?.id == id, pending?.job == .perform(.scanBiometrics) else { return }
      take(id, attempts.note(reply, facts.platform), details)
    case .slow(let id):
      guard pending?.id == id, !isSlow, !promptsUser else { return }
      isSlow = true
      // While the warning is shown a new serial would invalidate the user's tap on it.
      reaction.showsStep = warningLocksAt == nil
    case .timeIsUp(let serial): timeIsUp(serial)
    case .lockFollows(let version): lockOnRequest(version)
    case .lockChanged(let state, let cause): lockChanged(state, cause)
    case .registered: registeredElsewhere()
    case .wiped: wiped()
    case .userActivity: if isUnlocked { note(.lockTimers, .event(.active)) }
    case .background: enterBackground()
    case .backgroundTimeout: backgroundTimeout()
    case .foreground: enterForeground()
    case .takenOver: takeOver()
    case .blockChanged: blockChanged()
    case .factsChanged:
      guard pending == nil, warningLocksAt == nil, let position, position.row == .home else {
        return
      }
      if tellsOfReplacement(position) { return }
      if tellOfFailures(at: position) { return showAgain() }
      // A new serial invalidates the user's tap, so the step is shown again only if it changed.
      var shown = self
      shown.facts = shownFacts
      if shown.visibleStep(now: 0) != visibleStep(now: 0) { showAgain() }
    }
  }

  /// Notices are for steps that the user reads: they wait while work is pending or the warning is
  /// shown.
  private mutating func publishNotices() {
    guard warningLocksAt == nil else { return }
    visibleNotices = pending == nil ? notices : []
    visibleNoticeArguments = pending == nil ? noticeArguments : [:]
    guard pending == nil else { return }
    notices = []
    noticeArguments = [:]
  }

  // MARK: Requests to the runtime

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
      id: lastPending, job: job, slots: slots.compactMap { $0 }, caller: position?.frames.last)
  }

  // MARK: Outcomes

  private mutating func take(_ id: UInt64, _ outcome: Outcome, _ details: Details) {
    guard pending?.id == id, let position else { return }
    let job = pending?.job
    pending = nil
    if job == .perform(.claimCode), details.isOfOtherKind { codeAttempts.takeLastBack() }
    if job == .perform(.disableBiometrics) { return finishEffect(outcome, details) }
    if job == .perform(.validatePin) {
      enteredPin = nil
      lockIfBlocked(outcome)
    }
    if job == .perform(.wipe), outcome == .failed, !facts.isRegistered {
      // Only keys remain of the wallet, and the step that asked for its deletion.
      forgetWallet()
      screen = FlowPosition(row: UseCaseTables.firstRow(of: .wipe))
    }
    let row = self.position?.row ?? position.row
    var details = details
    let withLink = refinedByLink(outcome, &details)
    let known = refinedByProofing(refined(withLink), of: row, &details)
    take(known, details, of: row)
  }

  /// Returns the outcome corrected by what only the engine knows.
  private mutating func refined(_ outcome: Outcome) -> Outcome {
    switch (position?.row, outcome) {
    case (.comparePins, .differFirstTime), (.comparePins, .differSecondTime):
      mismatches += 1
      return mismatches == 1 ? .differFirstTime : .differSecondTime
    case (.unlockWay, .unlocked) where !isWalletUnlocked: return .no
    case (.unlockWay, .yes):
      defer { isEntryByLock = false }
      return isEntryByLock || attempts.isSetAside || isInBackground ? .no : .yes
    case (.afterUnlock, .no), (.afterUnlock, .noButStepLeft):
      return suspendedStepNeedsNoPID ? .noButStepLeft : .no
    default: return outcome
    }
  }

  /// Whether a set-up or proofing is suspended, which continues without a PID.
  private var suspendedStepNeedsNoPID: Bool {
    guard let row = suspended?.position.row else { return false }
    return row.useCase == .obtainPID
      || (row.useCase == .setUpPin && !UseCaseTables.isAllowedWhileLocked(row))
  }

  /// Follows the case of `row` for `outcome`; an outcome that the table does not have is a failure.
  mutating func take(_ outcome: Outcome, _ details: Details, of row: RowID) {
    guard let taken = UseCaseTables.firstCase(.outcome(outcome), of: row) else {
      fail(.generic, row, details)
      return
    }
    follow(taken, of: row, details)
  }

  private mutating func timeIsUp(_ serial: UInt64) {
    guard timer?.serial == serial, let position,
      let taken = position.definition?.cases.first(where: { definition in
        switch definition.trigger {
        case .event(.splashOver), .event(.blockOver), .event(.scanTimeout): true
        default: false
        }
      })
    else { return }
    follow(taken, of: position.row)
  }

  /// Records that a case was taken, where it leads nowhere else.
  mutating func note(_ row: RowID, _ trigger: Case.Trigger) {
    if let taken = UseCaseTables.firstCase(trigger, of: row) { note(taken, of: row) }
  }

  mutating func note(_ taken: Case, of row: RowID) {
    reaction.taken.append(row.description + taken.letter)
  }
}
