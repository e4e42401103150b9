internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletUseCases

// The effects of rows. They run on the job queue.

extension Flows {
  /// Starts the work that the engine waits for.
  func start(_ pending: Pending) {
    // Counted from here, not from when another thread may be at the work already.
    let slowAt = context.environment.clock.now() &+ Self.slowness
    switch pending.job {
    case .ask(let query): answer(query, pending)
    case .perform(let effect): perform(effect, pending)
    }
    // Work that was answered immediately is no longer awaited.
    let id = pending.id
    guard state.withLock({ $0.engine.pending?.id == id && !$0.hasReply(to: id) }) else { return }
    alarms.set(.slowness, at: slowAt) { [self] in post(.slow(id: id)) }
  }

  private func perform(_ effect: FlowEffect, _ pending: Pending) {
    let id = pending.id
    switch effect {
    case .applyUpdatePolicy: applyUpdatePolicy(id)
    case .setUpAccount: setUpAccount(pending)
    case .validatePin: validatePin(pending)
    case .scanBiometrics: scanBiometrics(id)
    case .sealBiometrics: sealBiometrics(id)
    case .enableBiometrics: enableBiometrics(id)
    case .disableBiometrics:
      work(id, effect, .disableBiometrics, if: .wanted) {
        flows, session, job throws(WalletError) in
        try session.disableBiometrics(job)
        flows.reply(id, .done)
      }
    case .wipe:
      // The user has confirmed it, so it is not withdrawn.
      work(id, effect, .wipe) { flows, session, job throws(WalletError) in
        try session.wipe(job)
        flows.reply(id, .deleted)
      }
    case .checkProofing: checkProofing(id)
    case .claimCode: claimCode(id)
    case .readLicence: readLicence(id)
    case .announceLicence: reply(id, .done)
    case .submitProofing: submitProofing(id)
    case .retrieveRequest, .retrieveLogin: retrieveRequest(id, effect)
    case .shareData: shareData(id)
    case .refuseRequest: refuseRequest(id, tellsParty: true)
    case .dropRequest: refuseRequest(id, tellsParty: false)
    case .tellVerifier: tellVerifier(id)
    // The engine does this itself and never awaits it.
    case .lock: reply(id, .locked)
    }
  }

  /// Does an operation whose errors become the outcome.
  ///
  /// - Parameters:
  ///   - effect: The effect whose outcomes an error can become; nil for a query.
  ///   - conditions: What must hold for it besides what the rows have decided.
  func work(
    _ id: UInt64, _ effect: FlowEffect? = nil, _ operation: Operation = .query,
    if conditions: Gate.Conditions = [],
    _ body: @escaping @Sendable (Flows, WalletSession, JobQueue.Job) throws(WalletError) -> Void
  ) {
    let cancellation = Cancellation()
    state.withLock { state in
      if state.engine.pending?.id == id {
        state.running = .init(id: id, cancellation: cancellation)
      }
    }
    do {
      try operations.add(
        operation.inFlows(effect?.rawValue ?? operation.name, conditions),
        cancellation: cancellation,
        { [self] session, job throws(WalletError) in try body(self, session, job) },
        failed: { [self] in replyFailure(id, $0, effect) })
    } catch {
      replyFailure(id, error, effect)
    }
  }

  private func replyFailure(_ id: UInt64, _ error: WalletError, _ effect: FlowEffect?) {
    // The wallet is gone on both sides (its registration lapsed), so there is nothing to unlock.
    if error.kind == .notRegistered, effect == .validatePin { return post(.wiped) }
    if effect == .scanBiometrics { return post(.scanned(id: id, .unavailable, Details())) }
    if effect?.promptsUser == true {
      return rejectBiometrics(id, error.kind == .cancelled ? "cancelled" : "unavailable")
    }
    // Only a lock or a wipe ends a check of the PIN that is still awaited.
    if error.kind == .cancelled, effect == .validatePin {
      return reply(id, .locked, error.details)
    }
    let outcome = error.outcome
    reply(id, effect?.outcomes.contains(outcome) == true ? outcome : .failed, error.details)
  }

  // MARK: The update policy (PF1.4)

  /// The time limit for fetching the update policy.
  private static let policyTimeout: Milliseconds = 1500

  private func applyUpdatePolicy(_ id: UInt64) {
    // The storage directory holds the last verified policy.
    work(id, .applyUpdatePolicy, .localQuery) { flows, session, job throws(WalletError) in
      _ = try session.directory(job)
      flows.alarms.set(
        .updatePolicy, at: flows.context.environment.clock.now() &+ Self.policyTimeout
      ) {
        flows.settleUpdatePolicy(
          id, WalletError(.serverUnreachable, "The provider did not answer in time."))
      }
      flows.context.refresher.fetchUpdatePolicySoon { failure in
        flows.settleUpdatePolicy(id, failure)
      }
    }
  }

  /// Replies with the fetched policy or the last known one. It is an error only if there is
  /// neither.
  private func settleUpdatePolicy(_ id: UInt64, _ failure: WalletError?) {
    switch context.updatePolicy.current.value {
    case .block(let updateAvailable):
      reply(id, updateAvailable ? .blockedWithUpdate : .blockedWithoutUpdate)
    case .ok, .recommend, .warn:
      guard let failure, !context.updatePolicy.isKnown else { return reply(id, .allowed) }
      context.log.failure(of: .query.inFlows(FlowEffect.applyUpdatePolicy.rawValue), failure)
      replyFailure(id, failure, .applyUpdatePolicy)
    }
  }

  // MARK: The PIN

  /// The PIN for this work. It is read only when the job runs, because a lock empties the slot
  /// until then.
  func pin(_ pending: Pending) throws(WalletError) -> Pin {
    let pin = state.withLock { state in pending.slots.first.flatMap { state.pins[$0] } }
    guard let pin else {
      throw WalletError(.cancelled, "The PIN was wiped before the request ran.")
    }
    return pin
  }

  private func setUpAccount(_ pending: Pending) {
    let id = pending.id
    work(id, .setUpAccount, .register) { flows, session, job throws(WalletError) in
      do throws(WalletError) {
        try session.register({ () throws(WalletError) in try flows.pin(pending) }, job) { key in
          flows.state.withLock { $0.hasPID = false }
          flows.postOpened(id, key, .outcome(id: id, .done, Details()), job)
        }
      } catch {
        // An earlier attempt registered the wallet after its outcome was no longer awaited.
        if error.kind == .alreadyRegistered { return flows.post(.registered) }
        guard error.kind == .cancelled else { throw error }
        // While a set-up is still awaited, only its time limit after a lock cancels it.
        throw WalletError(
          .serverUnreachable,
          "The wallet was locked, and the provider did not answer its registration in time.")
      }
    }
  }

  private func validatePin(_ pending: Pending) {
    let id = pending.id
    let enablesBiometrics = pending.caller == .confirmByPin
    if pending.caller == .receiveByPin {
      return work(id, .validatePin, .checkPin, if: [.unlocked, .wanted]) {
        flows, session, job throws(WalletError) in
        let checked = try session.checkPin(flows.pin(pending), opensVault: false, job)
        if checked.check == .valid { flows.forgetUntoldFailures() }
        flows.tell(checked.failures, job)
        flows.reply(id, checked)
      }
    }
    if [.sharing, .login].contains(pending.caller?.useCase) { return authorizeSharing(pending) }
    if let decision = ReplacementDecision(caller: pending.caller) {
      return work(id, .validatePin, .decideReplacement, if: [.unlocked, .wanted]) {
        flows, session, job throws(WalletError) in
        try flows.decideReplacement(decision, pending, session, job)
      }
    }
    var operation = Operation.unlock
    if enablesBiometrics || context.storage.isBiometricKeyLost {
      operation.order = .changesBiometrics
    }
    work(
      id, .validatePin, operation,
      if: enablesBiometrics ? [.unlocked, .wanted, .awaited] : .notLockedSince
    ) { flows, session, job throws(WalletError) in
      guard !enablesBiometrics else { return try flows.confirmByPin(pending, session, job) }
      let isKeyLost = flows.context.storage.isBiometricKeyLost
      guard try flows.unlock(pending, isKeyLost: isKeyLost, session, job) else { return }
      if isKeyLost { session.disableLostBiometrics(job) }
      flows.refreshBiometrics()
    }
  }

  /// Checks the PIN and replies with the outcome. Returns whether it was valid. The vault key is
  /// released here, because the steps that follow may wait and a lock must leave no copy of it.
  private func unlock(
    _ pending: Pending, isKeyLost: Bool, _ session: WalletSession, _ job: JobQueue.Job
  ) throws(WalletError) -> Bool {
    let id = pending.id
    let checked = try session.checkPin(pin(pending), opensVault: true, job)
    guard let key = checked.vaultKey else {
      reply(id, checked)
      return false
    }
    forgetUntoldFailures()
    // The platform key is deleted after the unlock, because the platform could delay it.
    if isKeyLost { try session.disableStoredBiometricUnlock(job) }
    var details = Details(telling: checked.failures)
    if isKeyLost { details.notices.append(.biometricsSwitchedOff) }
    tell(checked.failures, job)
    postOpened(id, key, .outcome(id: id, .valid, details), job)
    return true
  }

  /// Checks the PIN and, if it is valid, enables biometric unlock with the sealed secret that waited
  /// for it.
  private func confirmByPin(
    _ pending: Pending, _ session: WalletSession, _ job: JobQueue.Job
  ) throws(WalletError) {
    let checked = try session.checkPin(pin(pending), opensVault: false, job)
    if checked.check == .valid {
      guard let sealed = state.withLock({ $0.takeSealed() }) else {
        throw WalletError(.biometricsFailed, "The biometric confirmation is missing.")
      }
      try session.enableBiometrics(with: sealed, job)
    }
    if checked.check == .valid { forgetUntoldFailures() }
    tell(checked.failures, job)
    reply(pending.id, checked)
  }

  func reply(_ id: UInt64, _ checked: PinCheckResult) {
    reply(
      id, Outcome(checked.check, wasAttempt: checked.wasCounted),
      details(of: checked.check, telling: checked.failures))
  }

  /// Adds an outcome with the vault key, with which the wallet is unlocked if `id` is still awaited.
  func postOpened(_ id: UInt64, _ key: Secret, _ event: FlowInput, _ job: JobQueue.Job) {
    post(.opened(id: id, key, since: job.gate.epoch, event))
  }

  /// Called before the notice of `failures` is posted. They count as told when a host takes the step
  /// with it; after a lock it is not shown, and the next right PIN tells them.
  func tell(_ failures: PinFailures?, _ job: JobQueue.Job) {
    guard let failures, context.lock.epoch == job.gate.epoch else { return }
    state.withLock { $0.shownFailures = failures }
  }

  func details(of check: PinCheck, telling failures: PinFailures?) -> Details {
    switch check {
    case .valid: return Details(telling: failures)
    case .blockedPermanently: return Details()
    case .wrong(let left, let isFinal):
      return Details(arguments: [
        .attemptsLeft: .number(Int64(left)), .isFinalRound: .truth(isFinal),
      ])
    case .blocked(let milliseconds):
      let now = context.environment.clock.now()
      let end = now.addingReportingOverflow(Int64(clamping: milliseconds))
      return Details(deadline: end.overflow ? .max : end.partialValue)
    }
  }
}

extension Operation {
  /// A query or an effect of the flows that no request has.
  static let query = Operation(name: "a query")
  /// One that needs neither the provider nor a closed storage.
  static let localQuery = Operation(name: "a query", need: .device)
  static let confirmBiometrics = Operation(
    name: "confirm-biometrics", need: .device, order: .changesBiometrics)
}

extension Details {
  /// The notice of wrong PINs that the owner has not been told of.
  fileprivate init(telling failures: PinFailures?) {
    self.init()
    guard let failures else { return }
    notices = [.failedAttempts]
    noticeArguments = failures.arguments
  }
}

extension FlowState {
  /// Whether the reply to work `id` is in the inbox already.
  func hasReply(to id: UInt64) -> Bool {
    inbox.contains { item in
      switch item {
      case .opened(id, _, _, _), .event(.outcome(id, _, _)), .event(.scanned(id, _, _)): true
      default: false
      }
    }
  }
}

extension WalletError {
  /// The outcome of a row that this error stands for.
  fileprivate var outcome: Outcome {
    switch kind {
    case .noInternet: .noInternet
    case .serverUnreachable: .serverUnreachable
    case .deviceInsecure: .deviceInsecure
    default: .failed
    }
  }

  /// The details that an error step shows.
  var details: Details {
    let needsWipe = [Kind.storageCorrupt, .storageKeyLost, .accountDiverged].contains(kind)
    let isHopeless = needsWipe || kind == .internalDefect || kind == .unsupported
    return Details(
      arguments: [.statusName: .text(kind.statusName)], repeatingHelps: !isHopeless,
      wipeHelps: needsWipe)
  }
}
