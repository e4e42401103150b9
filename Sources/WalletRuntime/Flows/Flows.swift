internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletUseCases

/// Runs the flows: gives the engine its inputs, performs its work and shows its steps.
///
/// Any thread adds inputs to the inbox. One thread at a time takes them out and acts on them with
/// no lock held. So inputs have one order, steps are shown in that order, and no caller waits.
final class Flows: Sendable {
  /// Work that takes longer than this shows a progress step, in milliseconds.
  static let slowness: Milliseconds = 200
  /// How long the splash screen is shown.
  static let splash: Milliseconds = 1000
  /// How long a scanner of the identity proofing waits for a symbol.
  static let scannerTimeout: Milliseconds = 60_000
  /// The limit for `settle()`. It is not reached in practice, because the thread that takes inputs
  /// in never waits.
  private static let settlingLimit: Milliseconds = 1000

  let context: WalletContext
  let state = Monitor(FlowState())
  let alarms: AlarmClock
  let operations: Operations
  private let settings: WalletSettings
  private let show: @Sendable (Versioned<Step>) -> Void

  /// - Parameters:
  ///   - alarms: Started and ended with the flows.
  ///   - show: Publishes a step. Called in the order of serials with no lock held.
  init(
    operations: Operations, alarms: AlarmClock, settings: WalletSettings,
    show: @escaping @Sendable (Versioned<Step>) -> Void
  ) {
    context = operations.context
    self.operations = operations
    self.alarms = alarms
    self.settings = settings
    self.show = show
  }

  var jobs: JobQueue { operations.jobs }

  /// The step that hosts see; nil before the app is opened and while the wallet is about to be
  /// locked.
  var current: Versioned<Step>? {
    guard let step = state.withLock({ $0.step }) else { return nil }
    return step.value.isProtected && context.lock.current.value.isLocked ? nil : step
  }

  /// Adds an input for the engine.
  func post(_ event: FlowInput) { post(.event(event)) }

  func post(_ item: FlowState.Item) {
    let isOurs = state.withLock { state in
      state.inbox.append(item)
      guard !state.isDraining else { return false }
      state.isDraining = true
      return true
    }
    if isOurs { drain() }
  }

  /// Takes in a change of the lock state. Two changes may arrive in the wrong order.
  func note(_ lockState: Versioned<LockState>, _ cause: LockCause) {
    post(.lockChanged(lockState, cause))
    guard !lockState.value.isLocked else {
      state.withLock { $0.sharing }?.forgetUse()
      context.sharings.forgetUses()
      return
    }
    lookAtCards()
    jobs.addUntilDone { session, job in session.refreshCardStatuses(job) }
  }

  /// Called when a request with a PIN has failed. The provider may have told of a block before the
  /// failure, so the flows look at the block again.
  func noteAnswerToPin() { post(.blockChanged) }

  /// Takes in a request that a host made outside the flows.
  func note(_ request: WalletRequest) {
    switch request {
    case .wipe:
      state.withLock { $0.forgetWallet() }
      post(.wiped)
    case .register: post(.registered)
    case .enableBiometricUnlock:
      post(.factsChanged)
      post(.blockChanged)
    case .disableBiometricUnlock: post(.factsChanged)
    case .unlock, .checkPin, .pinState, .changePin, .decideReplacement, .present, .confirmSharing:
      post(.blockChanged)
      post(.factsChanged)
    case .unlockWithBiometrics: askForNotices()
    case .deleteCard(CardStore.pid):
      state.withLock { ($0.hasPID, $0.pidExpiry) = (false, nil) }
      post(.factsChanged)
    case .cards, .prepareCardKeys, .takeCard, .deleteCard, .beginSharing, .chooseSharingOption,
      .refuseSharing, .activities:
      break
    }
  }

  /// Opens the app, with the link that opened it.
  func open(_ startup: Startup, link: Secret?) {
    if let link { keep(link) }
    post(.open(startup, hasLink: link != nil))
  }

  /// Accepts a choice or throws the reason for refusing it. Exactly one choice is accepted for a
  /// serial.
  func choose(_ serial: UInt64, _ name: String, _ input: ChoiceInput) throws(WalletError) {
    enum Answer {
      case refused(ChoiceRefusal)
      case taken(drains: Bool)
    }
    let answer = state.withLock { state -> Answer in
      if serial == state.answeredSerial { return .refused(.stale) }
      let action: Action
      switch state.engine.choice(name, of: serial, with: input.kind) {
      case .success(let chosen): action = chosen
      case .failure(let refusal): return .refused(refusal)
      }
      state.answeredSerial = serial
      var slot: PinSlot?
      switch input {
      case .none: break
      case .pin(let pin): slot = state.keep(pin)
      case .scan(let symbology, let bytes): state.scanned = (symbology, bytes)
      case .option(let index): state.chosenOption = index
      }
      state.inbox.append(.event(.chose(serial: serial, action, slot)))
      defer { state.isDraining = true }
      return .taken(drains: !state.isDraining)
    }
    switch answer {
    case .refused(let refusal): throw refusal.walletError
    case .taken(let drains):
      if drains { drain() }
    }
  }

  private func drain() {
    while true {
      let item = state.withLock { $0.inbox.isEmpty ? nil : $0.inbox.removeFirst() }
      if let item {
        process(item)
      } else if state.update({ $0.endDraining() }) {
        return
      }
    }
  }

  /// Waits until all inputs so far have been taken in, which takes some microseconds.
  func settle() {
    let clock = SystemBootClock()
    _ = state.wait(until: clock.now() &+ Self.settlingLimit, clock: clock) {
      $0.isDraining ? nil : true
    }
  }

  private func process(_ item: FlowState.Item) {
    if case .opened = item { context.updatePolicy.followCalendar() }
    // The facts are determined once, so that the engine and the lock see the same update policy.
    var facts = facts()
    guard let event = prepare(item, facts) else { return }
    // `prepare` may have unlocked the wallet.
    facts.lock = context.lock.current
    let now = facts.now
    let (reaction, step, work, ended, unused) = state.withLock { state in
      let reaction = state.engine.handle(event, facts: facts)
      state.note(reaction)
      state.forgetPins()
      state.forgetScans()
      state.forgetSharing()
      let unused = state.takeUnusedSeal()
      state.reopenUnlessTaken(event)
      let step = reaction.showsStep ? state.engine.visibleStep(now: now) : nil
      let ended = state.running.flatMap { $0.id == state.engine.pending?.id ? nil : $0 }
      if ended != nil { state.running = nil }
      return (reaction, step, state.takeWork(), ended, unused)
    }
    for row in reaction.taken { context.environment.passCrashPoint("flow.\(row)") }
    ended?.cancellation.cancel()
    for command in reaction.commands { carryOut(command) }
    // The alarm is set before the step is shown, so that the step's time already runs when a host
    // sees the step.
    setStepAlarm()
    setBlockAlarm()
    if let step { publish(step) }
    if let unused { discard(unused) }
    if let work { start(work) }
  }

  /// Unlocks if the item has a vault key that is still awaited. Returns the input for the engine.
  private func prepare(_ item: FlowState.Item, _ facts: Facts) -> FlowInput? {
    guard case .opened(let id, let key, let epoch, let event) = item else {
      guard case .event(let event) = item else { return nil }
      lockIfUnawaitedBlock(event)
      return event
    }
    let pending = state.withLock { $0.engine.pending }
    guard pending?.id == id else {
      // The engine no longer waits for this result. If it was that of a registration, there is a
      // wallet all the same.
      return facts.isRegistered ? .registered : nil
    }
    let isSetUp = pending?.job == .perform(.setUpAccount)
    // If the update policy has blocked this version meanwhile, the engine enters that block instead
    // of UC2.3 1.5. If the wallet was locked since the work began, `unlock` refuses the key, and
    // the engine finds the wallet locked.
    _ = context.unlock(with: key, since: epoch, under: isSetUp ? nil : facts.versionState)
    return event
  }

  /// Locks if a PIN has reached a block and the engine no longer awaits the outcome, for example
  /// because a request has unlocked the wallet. The engine itself locks after an awaited one.
  private func lockIfUnawaitedBlock(_ event: FlowInput) {
    guard case .outcome(let id, let outcome, _) = event, outcome.isPinBlock,
      state.withLock({ $0.engine.pending?.id != id })
    else { return }
    context.lockAfterBlock()
  }

  private func carryOut(_ command: Command) {
    switch command {
    case .lock: context.lock.lock()
    case .noteActivity: context.lock.note(.userActivity)
    case .forgetLink: state.withLock { $0.forgetWallet() }
    case .useLink:
      // The user chose the link, so a scan or code is dropped.
      state.withLock { state in
        state.scanned = nil
        state.proofing.code = nil
        state.proofing.usesLink = true
      }
    case .noteFailuresTold: noteFailuresTold()
    case .releaseClaim: releaseClaim()
    case .endSubmission: forgetRecord()
    case .forgetSharing: state.withLock { $0.sharing = nil }
    case .forgetProofing:
      state.withLock { state in
        state.scanned = nil
        state.proofing.code = nil
        state.proofing.submission = nil
      }
    }
  }

  /// The log entry lets support find a failure by its reference; it contains no personal data.
  private func logReference(of step: Step) {
    guard case .text(let reference) = step.arguments[.reference] else { return }
    var failure = step.name
    if case .text(let code) = step.arguments[.failure] { failure = code }
    context.log(.info, "proofing", "\(failure), reference \(reference).")
  }

  private func publish(_ step: Step) {
    logReference(of: step)
    // The wallet was locked but the engine has not processed that yet: a protected step is no
    // longer shown.
    if step.isProtected, context.lock.current.value.isLocked { return }
    let versioned = state.withLock { state -> Versioned<Step> in
      var step = step
      step.trail = state.trail
      state.trail = []
      let versioned = Versioned(step, version: step.serial)
      state.step = versioned
      return versioned
    }
    show(versioned)
  }

  /// Sets the alarm of a step that ends by itself, once, when the step is shown.
  private func setStepAlarm() {
    let (timer, isNew) = state.withLock { state in
      let timer = state.engine.timer
      defer { state.alarmedSerial = timer?.serial ?? 0 }
      return (timer, timer?.serial ?? 0 != state.alarmedSerial)
    }
    guard isNew else { return }
    guard let timer else { return alarms.cancel(.step) }
    let deadline =
      switch timer.end {
      case .splash: context.environment.clock.now() &+ Self.splash
      case .scan: context.environment.clock.now() &+ Self.scannerTimeout
      case .at(let time): time
      }
    alarms.set(.step, at: deadline) { [self] in post(.timeIsUp(serial: timer.serial)) }
  }

  /// Sets the alarm for the end of the block that the visible step tells of.
  private func setBlockAlarm() {
    guard let end = state.withLock({ $0.engine.blockEnd }) else { return alarms.cancel(.block) }
    alarms.set(.block, at: end) { [self] in post(.blockChanged) }
  }

  var isRegistered: Bool {
    if case .known(true) = context.storage.registration { true } else { false }
  }

  private func facts() -> Facts {
    var facts = Facts()
    facts.now = context.environment.clock.now()
    facts.isRegistered = isRegistered
    facts.lock = context.lock.current
    facts.isBiometricUnlockEnabled = context.storage.isBiometricUnlockEnabled
    facts.pinBlock = context.pinBlock(now: facts.now)
    facts.replacement = context.replacement.current
    facts.pinAttempts = context.storage.pinAttempts
    facts.platform = context.platform.rules
    facts.versionState = context.updatePolicy.current.value
    facts.appVersion = settings.appVersion
    facts.configurationVersion = context.configuration.read { $0.configurationVersion }
    let sharing = state.withLock { $0.sharing }
    facts.sharing = sharing.map {
      SharingFact(request: $0.request, redirectURI: $0.redirectURI)
    }
    state.withLock { state in
      facts.reference = state.reference
      facts.untoldFailures = state.untoldFailures
      facts.hasPID = state.hasPID ?? false
      facts.isPIDExpired = state.pidExpiry.map { $0 <= context.updatePolicy.providerTime }
      facts.proofing = state.proofing.fact(now: context.updatePolicy.providerTime)
      facts.licenceAttemptsLeft = state.proofing.record?.attemptsLeft
      facts.hasEnrolmentLink =
        state.links.enrolment?.universalLink(hosts: linkHosts)
        == .valid(.enrolment, madeForScanning: false)
      // Without a PID it is refused. Before the first unlock it is not known whether there is one.
      facts.isRequestWaiting = state.links.isNewestRequest && state.hasPID != false
      facts.biometrics = state.biometrics?.rawValue
      facts.areBiometricsSupported = state.biometrics != nil
    }
    return facts
  }

  func start() throws(WalletError) { try alarms.start() }

  func shutDown() { alarms.shutDown() }
}

extension ChoiceInput {
  var kind: Step.Input {
    switch self {
    case .none: .none
    case .pin: .pin
    case .scan: .scan
    case .option: .option
    }
  }
}

extension ChoiceRefusal {
  var walletError: WalletError {
    switch self {
    case .stale:
      WalletError(.staleStep, "The serial is not that of the current step; nothing was done.")
    case .notOffered(let actions):
      WalletError(
        .invalidArgument,
        "This step has no such action; it has: \(actions.joined(separator: ", ")).")
    case .inputWanted(.pin):
      WalletError(
        .pinRefused, "This action needs a PIN as its input.",
        data: ["reason": .text(PinVerdict.wrongLength.rawValue)])
    case .inputWanted(.option):
      WalletError(
        .invalidArgument, "This action needs the index of an option as its input, in decimal.")
    case .inputWanted:
      WalletError(.invalidArgument, "Answer this step with wallet_core_choose_scanned().")
    case .inputNotWanted:
      WalletError(.invalidArgument, "This action takes no input; pass NULL and 0.")
    }
  }
}
