import WalletModel
import XCTest

@testable import WalletUseCases

/// A walk through the flows in a scripted environment: plays the user and the runtime.
struct Walk {
  private(set) var engine = Engine()
  var facts = Facts()
  /// Answers and outcomes that differ from the usual ones, used up in this order.
  var answers: [FlowQuery: [Outcome]] = [:]
  var outcomes: [FlowEffect: [Outcome]] = [:]
  var scans: [ScanReply] = []
  /// Whether several cards fit the next request, and the address that the relying party gives.
  var hasCardChoice = false
  var redirectURI: String?
  /// The details of the next outcome of a row, or of an effect.
  var details = Details()
  var effectDetails: [FlowEffect: Details] = [:]
  /// Whether work stays pending.
  var isHolding = false
  /// Whether a lock comes before each unlock ends.
  var refusesKeys = false
  /// The rows and cases taken since `forgetTrail`.
  private(set) var taken: [String] = []
  private(set) var commands: [Command] = []
  private var lastSlot: UInt64 = 0

  // MARK: The user

  mutating func open(_ startup: Startup = .launch) { send(.open(startup)) }

  /// Opens a link, as another app or a browser does.
  mutating func openLink() { send(.open(.resume, hasLink: true)) }

  mutating func choose(
    _ action: Action, file: StaticString = #filePath, line: UInt = #line
  ) {
    let input = engine.requiredInput(action)
    let refusal = engine.refusal(of: engine.serial, action.rawValue, input)
    XCTAssertNil(refusal, "\(action.rawValue) on \(at)", file: file, line: line)
    send(.chose(serial: engine.serial, action, nil))
  }

  /// Enters a PIN and returns its slot.
  @discardableResult
  mutating func enterPin(file: StaticString = #filePath, line: UInt = #line) -> PinSlot {
    let refusal = engine.refusal(of: engine.serial, Action.enter.rawValue, .pin)
    XCTAssertNil(refusal, "a PIN on \(at)", file: file, line: line)
    lastSlot += 1
    let slot = PinSlot(lastSlot)
    send(.chose(serial: engine.serial, .enter, slot))
    return slot
  }

  /// Lets the time of the visible step pass.
  mutating func passTime(file: StaticString = #filePath, line: UInt = #line) {
    guard let timer = engine.timer else {
      return XCTFail("\(at) has no timer", file: file, line: line)
    }
    send(.timeIsUp(serial: timer.serial))
  }

  // MARK: The runtime

  mutating func send(_ event: FlowInput) {
    handle(event)
    while !isHolding, let pending = engine.pending { handle(reply(to: pending)) }
  }

  /// Lets the pending work end.
  mutating func finish() {
    isHolding = false
    guard let pending = engine.pending else { return XCTFail("nothing is pending at \(at)") }
    send(reply(to: pending))
  }

  /// Answers only what is pending now.
  mutating func answerOnce() {
    guard let pending = engine.pending else { return XCTFail("nothing is pending at \(at)") }
    handle(reply(to: pending))
  }

  private mutating func handle(_ event: FlowInput) {
    let event = changingLock(event)
    var facts = facts
    // The rest of a warning is counted from now.
    if case .unlocked(locksIn: _?) = facts.lock.value { facts.now = max(0, facts.now) }
    let reaction = engine.handle(event, facts: facts)
    if reaction.commands.contains(.lock) { setLock(.locked) }
    taken += reaction.taken
    commands += reaction.commands
    if reaction.commands.contains(where: { [.releaseClaim, .endSubmission].contains($0) }) {
      facts.proofing = .none
    }
    Coverage.note(reaction.taken)
    if let step = engine.visibleStep(now: facts.now) {
      XCTAssertEqual(StepArguments.undeclared(in: step), [], "\(step.name)")
    }
  }

  /// Changes the lock as the runtime does before the engine handles `event`.
  private mutating func changingLock(_ event: FlowInput) -> FlowInput {
    let opens = refusesKeys ? LockState.locked : .unlocked()
    let id = engine.pending?.id ?? 0
    switch event {
    case .lockChanged(let state, let cause) where state.version == 0:
      setLock(state.value)
      return .lockChanged(facts.lock, cause)
    case .lockFollows: return .lockFollows(facts.lock.version)
    case .takenOver, .wiped: setLock(.locked)
    case .outcome(id, .deleted, _): setLock(.locked)
    case .outcome(id, .done, _) where pendingEffect == .setUpAccount:
      setLock(opens)
    case .outcome(id, .valid, _) where pendingEffect == .validatePin:
      // In an open wallet the PIN confirms, and opens nothing.
      if engine.pending?.caller != .confirmByPin, facts.versionState.isAllowed {
        setLock(opens)
      }
    case .scanned(id, .opened, _) where facts.versionState.isAllowed:
      setLock(opens)
    default: break
    }
    return event
  }

  private var pendingEffect: FlowEffect? {
    if case .perform(let effect) = engine.pending?.job { effect } else { nil }
  }

  /// Changes the lock without telling the engine.
  mutating func setLock(_ state: LockState) {
    guard facts.lock.value != state else { return }
    facts.lock = Versioned(state, version: facts.lock.version + 1)
  }

  mutating func forgetTrail() {
    taken = []
    commands = []
  }

  private mutating func reply(to pending: Pending) -> FlowInput {
    let told = details
    details = Details()
    switch pending.job {
    case .ask(let query):
      return .outcome(id: pending.id, next(of: &answers, query) ?? answer(query), told)
    case .perform(.scanBiometrics):
      return .scanned(id: pending.id, scans.isEmpty ? .opened : scans.removeFirst(), told)
    case .perform(let effect):
      let outcome = next(of: &outcomes, effect) ?? success(effect)
      note(outcome, of: effect, pending.caller)
      let told = effectDetails.removeValue(forKey: effect) ?? told
      let isClaim = outcome == .claimed || outcome == .claimAlive
      return .outcome(
        id: pending.id, outcome, isClaim && told == Details() ? Self.claim : told)
    }
  }

  private func next<Key>(of script: inout [Key: [Outcome]], _ key: Key) -> Outcome? {
    guard let outcome = script[key]?.first else { return nil }
    script[key]?.removeFirst()
    return outcome
  }

  private func answer(_ query: FlowQuery) -> Outcome {
    switch query {
    case .startup, .isLocked, .wasAppShutDown: .failed
    case .isPinSetUp, .isWalletThere: facts.isRegistered ? .yes : .no
    case .hasPID, .hasPIDOrLeftStep: facts.hasPID ? .yes : .no
    case .isBiometricUnlockUsable: facts.isBiometricUnlockEnabled ? .yes : .no
    case .areBiometricsSupported: facts.areBiometricsSupported ? .yes : .no
    case .pinFitsPolicy: .fits
    case .pinsAreEqual: .equal
    case .isLinkThere: .no
    case .isLinkValid, .isCodeValid: .valid
    case .linkPurpose, .codePurpose: .issuance
    case .severalCardsFit, .mustReturn: .failed
    case .applyChoice: .done
    case .walletStatus: .active
    }
  }

  private func success(_ effect: FlowEffect) -> Outcome {
    switch effect {
    case .applyUpdatePolicy:
      switch facts.versionState {
      case .ok, .recommend, .warn: .allowed
      case .block(let updateAvailable): updateAvailable ? .blockedWithUpdate : .blockedWithoutUpdate
      }
    case .setUpAccount, .disableBiometrics: .done
    case .enableBiometrics, .sealBiometrics: .confirmed
    case .scanBiometrics, .validatePin: .valid
    case .wipe: .deleted
    case .lock: .locked
    case .checkProofing: .ready
    case .claimCode: .claimed
    case .readLicence: .passed
    case .announceLicence: .done
    case .submitProofing: .issued
    case .retrieveRequest, .retrieveLogin: .sameDevice
    case .shareData, .refuseRequest, .dropRequest, .tellVerifier: .done
    }
  }

  /// Updates the environment after an outcome.
  private mutating func note(_ outcome: Outcome, of effect: FlowEffect, _ caller: RowID?) {
    switch (effect, outcome) {
    case (.setUpAccount, .done): facts.isRegistered = true
    case (.enableBiometrics, .confirmed): facts.isBiometricUnlockEnabled = true
    case (.disableBiometrics, .done): facts.isBiometricUnlockEnabled = false
    case (.validatePin, .valid) where caller == RowID(.cards, "3.3"):
      facts.isBiometricUnlockEnabled = true
    case (.retrieveRequest, _), (.retrieveLogin, _):
      facts.sharing = SharingFact(
        request: .sample(
          isFromOtherDevice: outcome == .otherDevice || outcome == .moreOnOtherDevice,
          hasChoice: hasCardChoice))
    case (.shareData, .done): facts.sharing?.redirectURI = redirectURI
    case (.wipe, .deleted):
      facts.isRegistered = false
      facts.hasPID = false
      facts.isBiometricUnlockEnabled = false
    case (.claimCode, .claimed), (.checkProofing, .claimAlive): facts.proofing = .claimed
    case (.submitProofing, .pendingReview): facts.proofing = .submitted
    case (.submitProofing, .issued):
      facts.proofing = .none
      facts.hasPID = true
    default: break
    }
  }

  // MARK: Visible state

  var step: Step? { engine.visibleStep(now: 0) }

  /// The row of the visible step, with the name of an error or the mark of an end.
  var at: String {
    guard let step else { return "nowhere" }
    let row = "\(step.useCase) \(step.row)"
    return switch step.kind {
    case .error: "\(row) \(step.name)"
    case .end: "\(row) end"
    default: row
    }
  }

  var offered: [String] { step?.choices.map(\.action) ?? [] }

  // MARK: Starting points

  /// On the introduction's first screen, without a wallet.
  static func introduction() -> Walk {
    var walk = Walk()
    walk.open()
    walk.passTime()
    return walk
  }

  /// On the screen where the first PIN is chosen.
  static func choosingPin() -> Walk {
    var walk = introduction()
    for action in [Action.skip, .next] { walk.choose(action) }
    return walk
  }

  /// On the PIN screen of a wallet, without biometrics.
  static func locked(hasPID: Bool = true) -> Walk {
    var walk = Walk()
    walk.facts.isRegistered = true
    walk.facts.hasPID = hasPID
    walk.open()
    walk.passTime()
    return walk
  }

  /// Past the splash screen of a wallet with biometrics, whose scans return `scans`.
  static func scanning(_ platform: PlatformRules, _ scans: [ScanReply]) -> Walk {
    var walk = Walk()
    walk.facts.isRegistered = true
    walk.facts.hasPID = true
    walk.facts.areBiometricsSupported = true
    walk.facts.isBiometricUnlockEnabled = true
    walk.facts.platform = platform
    walk.scans = scans
    walk.open()
    walk.passTime()
    return walk
  }

  /// The details of a claim.
  static let claim = Details(arguments: [.accountLabel: .text("m•••@example.org")])

  /// At the start of the proofing, after an unlock without a PID.
  static func proofing() -> Walk {
    var walk = locked(hasPID: false)
    walk.facts.reference = "R-test"
    walk.enterPin()
    return walk
  }

  /// On the confirmation of the account, after a scanned code.
  static func confirmingAccount() -> Walk {
    var walk = proofing()
    walk.choose(.scan)
    walk.choose(.scanned)
    return walk
  }

  /// On the scanner for the licence.
  static func scanningLicence() -> Walk {
    var walk = confirmingAccount()
    walk.choose(.scanLicence)
    return walk
  }

  /// On the dashboard.
  static func dashboard() -> Walk {
    var walk = locked()
    walk.enterPin()
    return walk
  }

  /// On the offer of biometrics after the set-up.
  static func offeredBiometrics() -> Walk {
    var walk = choosingPin()
    walk.facts.areBiometricsSupported = true
    walk.enterPin()
    walk.enterPin()
    return walk
  }
}

/// Changes of the lock that take place now; the walk gives them their version.
extension FlowInput {
  static let lockRequested = FlowInput.lockFollows(0)
  static let unlocked = FlowInput.lockChanged(Versioned(.unlocked(), version: 0), .request)
  static let warningOver = unlocked

  static func locked(_ cause: LockCause) -> FlowInput {
    .lockChanged(Versioned(.locked, version: 0), cause)
  }

  static func inactivityWarning(locksAt: Int64) -> FlowInput {
    .lockChanged(Versioned(.unlocked(locksIn: locksAt), version: 0), .request)
  }
}

/// The rows and cases that the flow tests took.
enum Coverage {
  nonisolated(unsafe) private(set) static var taken: Set<String> = []
  nonisolated(unsafe) static var classes: Set<String> = []

  static func note(_ rows: [String]) { taken.formUnion(rows) }
}

/// A test of a flow, whose cases count as covered.
class FlowTestCase: XCTestCase {
  override func setUp() { Coverage.classes.insert(String(describing: Self.self)) }
}

extension Engine {
  /// The actions that the visible step offers.
  var offeredActions: [Action] { offeredCases.compactMap(\.action) }

  /// Returns why a choice is refused; nil if it is accepted.
  func refusal(of serial: UInt64, _ action: String, _ input: Step.Input) -> ChoiceRefusal? {
    if case .failure(let refusal) = choice(action, of: serial, with: input) { refusal } else { nil }
  }
}
