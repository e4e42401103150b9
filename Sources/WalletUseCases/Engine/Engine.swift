internal import WalletModel

/// Walks the tables: one input leads to one reaction.
///
/// Pure: no I/O, no clock, no randomness, and no PINs, only the numbers of their slots. The engine
/// waits for at most one thing at a time (`pending`) and ignores the outcome of anything else.
/// Handling an input always terminates: the rows that the engine determines itself lead to a row
/// that waits for the user or the runtime.
public struct Engine: Equatable, Sendable {
  /// The number of the visible step; grows with every step shown, even if the same one is shown
  /// again.
  public private(set) var serial: UInt64 = 0
  /// What the runtime has to do; nil if the user has to choose.
  public internal(set) var pending: Pending?
  /// Whether the flows show the steps of an unlocked wallet. Whether the wallet is really unlocked
  /// is in the facts.
  public internal(set) var isUnlocked = false
  /// The version of the lock state when `isUnlocked` became true. News of a lock that happened
  /// before it no longer locks the flows.
  var unlockedVersion: UInt64 = 0
  /// The newest version of the lock state that was locked, or at which the flows or a host asked
  /// for a lock. An unlock counts only if its version is newer.
  var endedVersion: UInt64 = 0

  var facts = Facts()
  /// The facts that the visible step was made of.
  var shownFacts = Facts()
  var position: FlowPosition?
  /// The screen that fills the display. Prompts are shown over it.
  var screen: FlowPosition?
  /// The screens shown before `screen`, the oldest first.
  var history: [FlowPosition] = []
  var suspended: SuspendedFlow?
  /// The error step from which help was opened, and to which it leads back; nil if help was opened
  /// from a screen.
  var errorBeneathHelp: FlowPosition?
  /// When the wallet locks by inactivity, on the core's clock; nil unless the warning of UC9.7 1.2
  /// is shown over the step.
  var warningLocksAt: Int64?
  var attempts = BiometricAttempts()
  var codeAttempts = CodeAttempts()
  /// The details of the claimed account that UC3.1 5c shows.
  var account: Details?
  /// The PIN that was chosen in UC2.1 1.1 and is still to be repeated, and the PIN that was entered
  /// last.
  var chosenPin: PinSlot?
  var enteredPin: PinSlot?
  var mismatches = 0
  var isInBackground = false
  /// Whether the app must be opened once more, because the opening had to wait: it came during
  /// work, or by a link at a step, that must end first.
  var opensLater = false
  /// Whether another client has taken over and has not yet opened the app or passed a choice.
  var isTakenOver = false
  /// Whether a lock led to the unlock (UC2.3). Then the biometric scan does not open by itself,
  /// because it would undo that lock.
  var isEntryByLock = false
  var startup = Startup.launch
  /// Whether the pending work took longer than 0.2 s.
  var isSlow = false
  /// The session of the replacement that the user was told of since the last unlock. A decision
  /// applies to this one.
  public internal(set) var seenReplacement: String?
  /// Notices for the next step, and those of the visible one.
  var notices: [Notice] = []
  var visibleNotices: [Notice] = []
  /// The arguments that belong to the notices of the next step, and to those of the visible one.
  var noticeArguments: [StepArgument: Step.Value] = [:]
  var visibleNoticeArguments: [StepArgument: Step.Value] = [:]
  private var lastPending: UInt64 = 0
  var reaction = Reaction()

  public init() {}

  /// Handles an input with the facts of this moment.
  public mutating func handle(_ input: FlowInput, facts: Facts) -> Reaction {
    // Read with the old facts, because the user chose from what was shown, whatever has changed
    // since.
    let chosen = chosenCase(input)
    self.facts = facts
    reaction = Reaction()
    apply(input, chosen)
    openAtLast()
    withholdFailures()
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

  /// Whether the user has confirmed with biometrics, or is about to, and still has to confirm with
  /// the PIN (UC7.1 section 3).
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
        // The minute of a scanner does not run in the background, where the camera sees nothing. It
        // starts anew when the scanner is shown again.
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
      // While the inactivity warning is shown, a new serial would invalidate the user's tap on it.
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

  /// Gives the notices to the visible step. They wait while work is pending or the inactivity
  /// warning is shown, because the user reads them on an ordinary step.
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
      id: lastPending, job: job, slots: slots.compactMap { $0 }, caller: position?.frames.first)
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
      // A lock came before the PIN was sent.
      if outcome == .locked, !isUnlocked { return enterUnlockAfterLock() }
      lockIfBlocked(outcome)
    }
    if job == .perform(.wipe), outcome == .failed, !facts.isRegistered {
      // Only keys remain of the wallet, so its state is forgotten. The only screen that stays is
      // the one that asked for the deletion.
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
    case (.linkSearch, .yes) where resumesSharing:
      opensLater = true
      return .no
    case (.afterUnlock, .no), (.afterUnlock, .noButStepLeft):
      return suspendedStepNeedsNoPID ? .noButStepLeft : .no
    default: return outcome
    }
  }

  /// Whether the step that was suspended, for example by a lock, belongs to the set-up or to the
  /// proofing. These are resumed although the wallet has no PID yet.
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

  /// Records that a case was taken, without following it.
  mutating func note(_ row: RowID, _ trigger: Case.Trigger) {
    if let taken = UseCaseTables.firstCase(trigger, of: row) { note(taken, of: row) }
  }

  mutating func note(_ taken: Case, of row: RowID) {
    reaction.taken.append(row.description + taken.letter)
  }
}
