import TestSupport
import WalletModel

@testable import WalletUseCases

/// Random numbers from a seed.
struct Dice {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A number below `sides`.
  mutating func roll(_ sides: Int) -> Int { Int(generator.next() % UInt64(sides)) }
}

/// An event for the engine. Its details depend on the engine's position, so that any part of a
/// sequence is a sequence.
struct Move: CustomStringConvertible {
  enum Kind: CaseIterable {
    // The user and the runtime as they behave.
    case choose, proceed, answer, passTime, open, slow, lock, inactivityLock, backgroundLock
    case warn, endWarning, touch, background, backgroundTimeout, foreground
    case takeOver, unlock, register, wipe, change, notify, later, hear
    // Inputs that must be ignored.
    case staleChoice, unknownChoice, slotChoice, wrongID, impossibleOutcome, foreignScan, earlyTime
    case oldLock
  }

  let kind: Kind
  let number: Int

  var description: String { "\(kind)(\(number))" }

  /// From a registered wallet to the submission of UC3.1.
  static let pathToThePID: [Move] = [
    .register, .open, .passTime, .answer, .answer, .answer, .proceed, .answer, .answer, .answer,
    .proceed, .proceed, .answer, .proceed, .proceed, .answer, .answer,
  ].map { Move(kind: $0, number: 2) }

  private static let common: [Kind] =
    Array(repeating: .choose, count: 20) + Array(repeating: .proceed, count: 8)
    + Array(repeating: .answer, count: 30)
    + Array(repeating: .passTime, count: 3) + [.open, .foreground, .change]

  static func random(_ dice: inout Dice) -> Move {
    let kinds = dice.roll(6) == 0 ? Kind.allCases : common
    return Move(kind: kinds[dice.roll(kinds.count)], number: dice.roll(1 << 16))
  }
}

/// The engine in an environment that behaves like the runtime, with the properties that must hold.
struct Model {
  private(set) var engine = Engine()
  private var facts = Facts(now: 0)
  private var proofing = ProofingModel()
  /// Changes of the lock that the engine has not heard of.
  private var news: [(state: Versioned<LockState>, cause: LockCause)] = []
  /// Counts locks, also those of a wallet that is locked already.
  private var locks = 0
  /// The work that was started last, and the count of locks then: an unlock that began before a
  /// lock does not end after it.
  private var work: (id: UInt64, locks: Int)?
  private var lastSlot: UInt64 = 0
  /// The screens that Back may lead to: those shown since the history was cut.
  private var shown: Set<String> = []
  /// The last screen of the wallet's current state: unlocked, locked or not registered.
  private var lastScreen: String?
  /// The screen of the suspended step that Resume shows again.
  private var leftScreen: String?

  /// Makes a move; returns the property that it breaks, nil if none.
  mutating func make(_ move: Move) -> String? {
    for event in events(for: move) {
      if let fault = send(event, isGarbage: move.kind.isGarbage) { return fault }
    }
    // The engine hears of a change of the lock soon or late, and in any order.
    guard move.kind == .hear || move.number >> 3 & 3 != 0 else { return nil }
    var number = move.number
    while !news.isEmpty {
      let next = news.remove(at: number % news.count)
      number /= 3
      if let fault = send(.lockChanged(next.state, next.cause), isGarbage: false) { return fault }
    }
    return nil
  }

  // MARK: Inputs

  private mutating func events(for move: Move) -> [FlowInput] {
    let id = engine.pending?.id ?? 0
    switch move.kind {
    case .choose: return choice(move.number).map { [$0] } ?? []
    // The primary action, so that long paths are walked to their end.
    case .proceed:
      // A wait is often passed, because nothing else leads on.
      if engine.position?.row == .replacementWait, move.number % 2 == 0, let timer = engine.timer {
        return [.timeIsUp(serial: timer.serial)]
      }
      return choice(0).map { [$0] } ?? []
    case .answer: return answer(move.number).map { [$0] } ?? []
    case .passTime: return engine.timer.map { [.timeIsUp(serial: $0.serial)] } ?? []
    case .open:
      return [.open(move.number % 2 == 0 ? .launch : .resume, hasLink: move.number % 3 == 0)]
    case .slow: return [.slow(id: id)]
    case .lock:
      return [.lockFollows(facts.lock.version)]
    case .inactivityLock:
      lock(.inactivity)
      return []
    case .backgroundLock:
      lock(.background)
      return []
    case .warn:
      if facts.isUnlocked { setLock(.unlocked(locksIn: Int64(move.number)), .request) }
      return []
    case .endWarning:
      if facts.isUnlocked { setLock(.unlocked(), .request) }
      return []
    case .touch: return [.userActivity]
    case .background: return [.background]
    case .backgroundTimeout: return [.backgroundTimeout]
    case .foreground: return [.foreground]
    case .takeOver:
      lock(.request)
      return [.takenOver]
    case .unlock:
      // Only a wallet whose storage can be read is unlocked; one that is open stays open.
      if facts.isRegistered, !facts.isUnlocked { setLock(.unlocked(), .request) }
      return []
    case .register:
      facts.isRegistered = true
      return [.registered]
    case .wipe:
      lock(.request)
      facts = Facts(after: facts)
      return [.wiped]
    case .hear: return []
    case .change:
      change(move.number)
      return [.factsChanged, .blockChanged]
    case .notify:
      change(move.number)
      return []
    case .later:
      facts.now += Int64(move.number % 10) * 60_000
      return []
    case .staleChoice:
      let serial = engine.serial &- UInt64(1 + move.number % 3)
      return [.chose(serial: serial, Action.allCases[move.number % Action.allCases.count], nil)]
    case .unknownChoice:
      let offered = engine.offeredActions
      let others = Action.allCases.filter { !offered.contains($0) }
      return [.chose(serial: engine.serial, others[move.number % others.count], nil)]
    case .slotChoice:
      // A slot where none is required, or none where one is.
      let offered = engine.offeredActions
      guard !offered.isEmpty else { return [] }
      let action = offered[move.number % offered.count]
      return [.chose(serial: engine.serial, action, action == .enter ? nil : PinSlot(.max))]
    case .wrongID:
      return [
        .outcome(id: id &+ 1, .valid, Details()), .scanned(id: id &+ 1, .opened, Details()),
        .outcome(id: id &- 1, .done, Details()), .slow(id: id &+ 7),
      ]
    case .impossibleOutcome:
      let outcome = Outcome.allCases[move.number % Outcome.allCases.count]
      return engine.pending == nil ? [] : [.outcome(id: id, outcome, Details())]
    case .foreignScan:
      guard engine.pending?.job != .perform(.scanBiometrics) else { return [] }
      return [.scanned(id: id, .opened, Details())]
    case .oldLock: return [.lockChanged(Versioned(.locked, version: 0), .request)]
    case .earlyTime: return engine.timer == nil ? [.timeIsUp(serial: engine.serial)] : []
    }
  }

  private mutating func choice(_ number: Int) -> FlowInput? {
    let offered = engine.offeredActions
    guard !offered.isEmpty else { return nil }
    let action = offered[number % offered.count]
    guard action == .enter else { return .chose(serial: engine.serial, action, nil) }
    lastSlot += 1
    return .chose(serial: engine.serial, action, PinSlot(lastSlot))
  }

  /// Returns the usual answer seven times out of eight.
  private func answer(_ number: Int) -> FlowInput? {
    guard let pending = engine.pending else { return nil }
    let isUsual = number % 8 != 0
    let details = Details(
      arguments: [.attemptsLeft: .number(Int64(number % 5))],
      deadline: facts.now + 1000, notices: number % 16 == 1 ? [.linkInvalid] : [],
      repeatingHelps: number % 3 != 0, wipeHelps: number % 5 == 0,
      failure: ProofingModel.failure(of: pending.job, number))
    switch pending.job {
    case .ask(let query):
      let outcome = isUsual ? usual(query, number) : pick(query.outcomes, number)
      return .outcome(id: pending.id, outcome, details)
    case .perform(.scanBiometrics):
      let replies: [ScanReply] = [
        .notRecognised(times: 1 + number % 3), .cancelled, .lockedOut, .unavailable,
      ]
      let reply = number % 2 == 0 ? replies[number / 2 % replies.count] : .opened
      return .scanned(id: pending.id, reply, details)
    case .perform(let effect):
      let outcome = isUsual ? usual(effect, number) : pick(effect.outcomes, number)
      var told = details
      if effect == .validatePin, outcome == .valid, number % 4 != 0 {
        told.notices.append(.failedAttempts)
        told.noticeArguments = [.failedAttempts: .number(2), .lastFailedAt: .number(7)]
      }
      return .outcome(id: pending.id, outcome, told)
    }
  }

  private func pick(_ outcomes: Set<Outcome>, _ number: Int) -> Outcome {
    let sorted = outcomes.sorted { $0.rawValue < $1.rawValue }
    return sorted[number / 8 % sorted.count]
  }

  private func usual(_ query: FlowQuery, _ number: Int) -> Outcome {
    switch query {
    case .isPinSetUp, .isWalletThere: facts.isRegistered ? .yes : .no
    case .hasPID, .hasPIDOrLeftStep:
      facts.hasPID ? .yes : number % 5 == 0 ? .noButLinkKept : .no
    case .isBiometricUnlockUsable: facts.isBiometricUnlockEnabled ? .yes : .no
    case .areBiometricsSupported: facts.areBiometricsSupported ? .yes : .no
    case .pinFitsPolicy: .fits
    case .pinsAreEqual: .equal
    default: pick(query.outcomes, number)
    }
  }

  private func usual(_ effect: FlowEffect, _ number: Int) -> Outcome {
    switch effect {
    case .applyUpdatePolicy: .allowed
    case .setUpAccount, .disableBiometrics: .done
    case .enableBiometrics, .sealBiometrics: .confirmed
    case .validatePin: number % 3 == 0 ? pick(effect.outcomes, number) : .valid
    case .wipe: .deleted
    case .scanBiometrics, .lock: .failed
    case .checkProofing, .claimCode, .readLicence, .announceLicence, .submitProofing:
      ProofingModel.usual(effect, facts, number)
    case .retrieveRequest, .retrieveLogin:
      number % 2 == 0 ? .sameDevice : pick(effect.outcomes, number)
    case .shareData: number % 3 == 0 ? pick(effect.outcomes, number) : .done
    case .refuseRequest, .dropRequest, .tellVerifier: .done
    }
  }

  private mutating func change(_ number: Int) {
    facts.hasPID = number & 1 != 0
    facts.isBiometricUnlockEnabled = number & 2 != 0
    facts.areBiometricsSupported = number & 4 != 0
    facts.platform = number & 8 != 0 ? .ios : .android
    let blocks = number >> 4 & 15
    facts.versionState = blocks < 2 ? .block(updateAvailable: blocks == 0) : .ok
    facts.hasEnrolmentLink = number >> 12 & 1 != 0
    facts.isRequestWaiting = number >> 13 & 1 != 0
    facts.reference = "R"
    facts.sharing =
      number >> 15 & 7 == 0
      ? nil
      : SharingFact(
        request: .sample(isFromOtherDevice: number & 16 != 0, hasChoice: number & 32 != 0),
        redirectURI: number & 64 != 0 ? "https://shop.example/done" : nil)
    let waits = number >> 10 & 7 == 0
    facts.replacement =
      waits ? Replacement(session: "\(number >> 14)", takesEffectAt: facts.now) : nil
    let pinBlocks: [KnownBlock?] = [
      nil, KnownBlock(toldAt: facts.now, duration: 60_000), KnownBlock(toldAt: 0, duration: nil),
    ]
    facts.pinBlock = pinBlocks[(number >> 5) % pinBlocks.count]
    facts.pinAttempts =
      number >> 6 & 1 == 0 ? nil : KnownAttempts(left: 2, isFinalRound: number & 1 != 0)
    facts.untoldFailures =
      number >> 9 & 15 == 0 ? PinFailures(count: 2, lastAt: 7, total: 3, wallet: "w") : nil
    facts.isPIDExpired = facts.hasPID ? number >> 7 & 1 != 0 : nil
    // A claim lapses.
    if number >> 13 & 7 == 0 { facts.proofing = .none }
    // Storage becomes unreadable, or readable again.
    if number >> 8 & 15 == 0 { facts.isRegistered.toggle() }
  }

  // MARK: Properties

  private mutating func send(_ event: FlowInput, isGarbage: Bool) -> String? {
    note(event)
    let opens = opensVault(event)
    // If the wallet was locked meanwhile, the key that this outcome brought is discarded.
    if opens, work?.locks == locks, !facts.isUnlocked { setLock(.unlocked(), .request) }
    // An unlock that was under way does not end after a long stay in the background.
    if event == .backgroundTimeout { locks += 1 }
    let before = engine
    let reaction = engine.handle(event, facts: facts)
    if reaction.commands.contains(.lock) { lock(.request) }
    if reaction.commands.contains(.noteFailuresTold) { facts.untoldFailures = nil }
    if case .lockFollows = event { lock(.request) }
    if let pending = engine.pending, pending.id != work?.id {
      work = (pending.id, locks)
      // A deletion locks the wallet first.
      if pending.job == .perform(.wipe) { lock(.request) }
    }
    if case .outcome(before.pending?.id, let outcome, _) = event, outcome.isPinBlock,
      before.pending?.job == .perform(.validatePin), facts.isUnlocked
    {
      return "a block of the PIN leaves the wallet open"
    }
    if news.isEmpty, let fault = disagreement { return fault }
    if let fault = ModelProperties.fault(before, event, reaction, engine, isGarbage: isGarbage) {
      return fault
    }
    if let fault = proofing.follow(reaction, engine, facts) { return fault }
    if reaction.commands.contains(.releaseClaim) { facts.proofing = .none }
    return follow(event, reaction, before)
  }

  private mutating func lock(_ cause: LockCause) {
    locks += 1
    setLock(.locked, cause)
  }

  /// Changes the lock before the engine hears of it.
  private mutating func setLock(_ state: LockState, _ cause: LockCause) {
    guard facts.lock.value != state else { return }
    facts.lock = Versioned(state, version: facts.lock.version + 1)
    news.append((facts.lock, cause))
  }

  /// Whether an event brings the vault key, with which the runtime opens the lock. It does not while
  /// the update policy blocks this version.
  private func opensVault(_ event: FlowInput) -> Bool {
    guard let pending = engine.pending else { return false }
    switch (event, pending.job) {
    case (.outcome(pending.id, .done, _), .perform(.setUpAccount)): return true
    case (.outcome(pending.id, .valid, _), .perform(.validatePin)):
      // In an open wallet the PIN confirms, and opens nothing.
      return pending.caller?.useCase != .cards && facts.versionState.isAllowed
    case (.outcome(pending.id, .valid, _), .perform(.scanBiometrics)),
      (.scanned(pending.id, .opened, _), .perform(.scanBiometrics)):
      return facts.versionState.isAllowed
    default: return false
    }
  }

  /// Whether the flows ask for the PIN of an unlocked wallet, or take a locked one for unlocked.
  private var disagreement: String? {
    guard engine.isOpen, let position = engine.position else { return nil }
    if engine.isUnlocked, !facts.isUnlocked { return "the flows take a locked wallet for unlocked" }
    let row = position.row
    let asksForPin =
      switch row.useCase {
      case .unlock: !["1.4", "1.5", "1.6", "1.7"].contains(row.number)
      case .validatePin:
        !position.frames.contains {
          $0.useCase == .cards || $0 == .receiveByPin || $0.useCase == .confirm
        }
      default: false
      }
    if asksForPin, facts.isUnlocked { return "\(row) is shown for an unlocked wallet" }
    return nil
  }

  /// Updates the environment after an outcome.
  private mutating func note(_ event: FlowInput) {
    guard case .outcome(let id, let outcome, _) = event, let pending = engine.pending,
      pending.id == id, case .perform(let effect) = pending.job
    else { return }
    switch (effect, outcome) {
    case (.setUpAccount, .done): facts.isRegistered = true
    case (.enableBiometrics, .confirmed): facts.isBiometricUnlockEnabled = true
    case (.disableBiometrics, .done): facts.isBiometricUnlockEnabled = false
    case (.wipe, .deleted): facts = Facts(after: facts)
    default: ProofingModel.note(outcome, of: effect, &facts)
    }
  }

  /// Tracks the history in a simpler way; returns an error if Back led to a wrong screen.
  private mutating func follow(
    _ event: FlowInput, _ reaction: Reaction, _ before: Engine
  ) -> String? {
    // A wipe that shows no step found no wallet in use.
    let isUnlockedAnew = engine.isUnlocked && before.unlockedVersion != engine.unlockedVersion
    let isCut =
      before.isUnlocked != engine.isUnlocked || isUnlockedAnew
      || (reaction.commands.contains(.forgetLink) && reaction.showsStep)
      || reaction.taken.contains { ProofingModel.cutsHistory($0) || $0 == "UC2.1 1.5a" }
    // During the return from a lock, the step that an earlier lock suspended stays suspended.
    let isOnTheWay = lastScreen?.hasPrefix("PF1.4") ?? true
    let isLeft = isCut || reaction.taken.contains("UC1.2 1.1b")
    if before.isUnlocked, isLeft, !isOnTheWay { leftScreen = lastScreen }
    // A deletion continues after the lock, and its screen stays, even if only keys are left to
    // delete.
    let stays =
      engine.pending?.job == .perform(.wipe) || reaction.taken.contains("UC9.4 1.2b")
    if isCut { shown = stays ? ["UC9.4 1.1"] : [] }
    if isUnlockedAnew { lastScreen = nil }
    if isHeldBack(event, reaction), let screen = engine.screen {
      lastScreen = "\(screen.row)"
      // A block of this version suspends nothing, so what it has suspended itself stays suspended.
      if screen.row.useCase != .updatePolicy { leftScreen = lastScreen }
    }
    let resumes = ["UC1.2 3.1b", "UC1.2 3.3b", "UC1.2 3.4a", "UC2.3 1.5c", "UC2.3 1.7a"]
    if reaction.taken.contains(where: { resumes.contains($0) }), let leftScreen {
      shown.insert(leftScreen)
    }
    // A step that a link held back is the one that Back leads to.
    if isHeldBack(event, reaction), let leftScreen { shown.insert(leftScreen) }
    guard reaction.showsStep, let step = engine.visibleStep(now: 0), step.kind == .screen else {
      return nil
    }
    let row = "\(step.useCase) \(step.row)"
    defer {
      shown.insert(row)
      lastScreen = row
    }
    guard case .chose = event, let taken = reaction.taken.first,
      case .back(let target) = ModelProperties.cases[taken]?.next
    else { return nil }
    // Without a screen before it, Back leads to the dashboard, the unlock, or the choice of the
    // PIN. A block of this version stays whatever happens to the wallet.
    let always = [
      "UC7.1 1.1", "UC2.3 1.3", "UC2.1 1.1", "PF1.4 2.1", "PF1.4 3.1", target?.description ?? "",
    ]
    // Back leads to a scanner without an attempt left.
    let isSpent = reaction.taken.contains("UC3.1 3f")
    // The dashboard tells of another wallet first.
    let isTold = reaction.taken.contains("UC7.1 1.1o")
    guard shown.contains(row) || always.contains(row) || isSpent || isTold else {
      return "\(taken): Back shows \(row), from before the history was cut"
    }
    return nil
  }
}

/// Whether a link had waited for the step that has come, which is not shown before the link.
private func isHeldBack(_ event: FlowInput, _ reaction: Reaction) -> Bool {
  switch event {
  case .open, .foreground: false
  default: reaction.taken.contains("UC1.2 1.1b")
  }
}

extension Move.Kind {
  /// Whether the move must change nothing.
  var isGarbage: Bool {
    switch self {
    case .staleChoice, .unknownChoice, .slotChoice, .wrongID, .foreignScan, .earlyTime, .oldLock:
      true
    default: false
    }
  }
}

extension Facts {
  fileprivate init(now: Int64) {
    self.init()
    self.now = now
  }

  /// The facts once the wallet was deleted.
  fileprivate init(after facts: Facts) {
    self.init(now: facts.now)
    lock = facts.lock
  }

  var isUnlocked: Bool { !lock.value.isLocked }
}
