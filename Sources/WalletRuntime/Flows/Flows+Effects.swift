internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// The effects of rows. They run on the job queue.

extension Flows {
  /// Starts the work that the engine waits for.
  func start(_ pending: Pending) {
    switch pending.job {
    case .ask(let query): answer(query, pending)
    case .perform(let effect): perform(effect, pending)
    }
    // Work that was answered immediately is no longer awaited.
    let id = pending.id
    guard state.withLock({ $0.engine.pending?.id == id && !$0.hasReply(to: id) }) else { return }
    alarms.set(.slowness, at: context.environment.clock.now() &+ Self.slowness) { [self] in
      post(.slow(id: id))
    }
  }

  private func perform(_ effect: FlowEffect, _ pending: Pending) {
    let id = pending.id
    switch effect {
    case .applyUpdatePolicy: applyUpdatePolicy(id)
    case .setUpAccount: setUpAccount(pending)
    case .validatePin: validatePin(pending)
    case .scanBiometrics: scanBiometrics(id)
    case .sealBiometrics:
      work(id, .sealBiometrics, needs: .device, order: .changesBiometrics) {
        flows, session, job throws(WalletError) in
        let sealed = try flows.seal(session, job, id)
        guard let sealed else { return }
        flows.state.withLock { $0.sealed = sealed }
        flows.reply(id, .confirmed)
      }
    case .enableBiometrics:
      work(id, .enableBiometrics, needs: .device, order: .changesBiometrics) {
        flows, session, job throws(WalletError) in
        guard let sealed = try flows.seal(session, job, id) else { return }
        do {
          try flows.enable(sealed, session, job)
          flows.reply(id, .confirmed)
        } catch {
          flows.rejectBiometrics(id, "unavailable")
        }
      }
    case .disableBiometrics:
      work(id, effect, needs: .device, order: .changesBiometrics) {
        flows, session, job throws(WalletError) in
        try session.disableBiometrics(job)
        flows.reply(id, .done)
      }
    case .wipe: wipe(id)
    case .checkProofing: checkProofing(id)
    case .claimCode: claimCode(id)
    case .readLicence: readLicence(id)
    case .announceLicence: reply(id, .done)
    case .submitProofing: submitProofing(id)
    // The engine does this itself and never awaits it.
    case .lock: reply(id, .locked)
    }
  }

  /// Runs `body` on the job queue. An error that it throws becomes the outcome.
  ///
  /// - Parameters:
  ///   - effect: The effect whose outcomes an error can become; nil for a query.
  ///   - need: What the work needs, which decides the thread that does it.
  func work(
    _ id: UInt64, _ effect: FlowEffect? = nil, needs need: JobQueue.Need = .provider,
    order: JobQueue.Order = .free,
    _ body: @escaping @Sendable (Flows, WalletSession, JobQueue.Job) throws(WalletError) -> Void
  ) {
    let cancellation = Cancellation()
    state.withLock { state in
      if state.engine.pending?.id == id {
        state.running = .init(id: id, cancellation: cancellation)
      }
    }
    let isAdded = jobs.add(
      needs: need, order: order, cancellation: cancellation, isWipe: effect == .wipe
    ) { [self] session, job in
      do throws(WalletError) {
        try body(self, session, job)
      } catch {
        replyFailure(id, error, effect)
      }
      maintenance.settleChange(after: session, job)
    }
    if !isAdded {
      replyFailure(id, WalletError(.outOfResources, "The wallet is shutting down."), effect)
    }
  }

  private func replyFailure(_ id: UInt64, _ error: WalletError, _ effect: FlowEffect?) {
    context.log(
      .debug, "flows", "\(effect?.rawValue ?? "a query") ended with \(error.kind.statusName).")
    // The wallet is gone on both sides (its registration lapsed), so there is nothing to unlock.
    if error.kind == .notRegistered, effect == .validatePin { return post(.wiped) }
    if effect?.promptsUser == true {
      return effect == .scanBiometrics
        ? post(.scanned(id: id, .unavailable, Details()))
        : rejectBiometrics(id, "unavailable")
    }
    let outcome = error.outcome
    reply(id, effect?.outcomes.contains(outcome) == true ? outcome : .failed, error.details)
  }

  // MARK: The update policy (PF1.4)

  /// The time limit for fetching the update policy.
  private static let policyTimeout: Milliseconds = 1500

  private func applyUpdatePolicy(_ id: UInt64) {
    // The storage directory holds the last verified policy.
    work(id, .applyUpdatePolicy, needs: .device) { flows, session, job throws(WalletError) in
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
      replyFailure(id, failure, .applyUpdatePolicy)
    }
  }

  // MARK: The PIN

  /// The PIN for this work. It is read only when the job runs, because a lock empties the slot
  /// until then.
  private func pin(_ pending: Pending) throws(WalletError) -> Pin {
    let pin = state.withLock { state in pending.slots.first.flatMap { state.pins[$0] } }
    guard let pin else {
      throw WalletError(.cancelled, "The PIN was wiped before the request ran.")
    }
    return pin
  }

  private func setUpAccount(_ pending: Pending) {
    let id = pending.id
    let epoch = context.lock.epoch
    work(id, .setUpAccount) { flows, session, job throws(WalletError) in
      let registrations = flows.context.registrations
      registrations.begin(job, since: epoch)
      defer { registrations.end() }
      do throws(WalletError) {
        try session.register({ () throws(WalletError) in try flows.pin(pending) }, job) { key in
          flows.state.withLock { $0.hasPID = false }
          flows.post(.opened(id: id, key, since: epoch, .outcome(id: id, .done, Details())))
        }
      } catch {
        // An earlier attempt registered the wallet after its outcome was no longer awaited.
        if error.kind == .alreadyRegistered { return flows.post(.registered) }
        guard error.kind == .cancelled else { throw error }
        // A set-up that is still awaited is only cancelled by its limit after a lock.
        throw WalletError(
          .serverUnreachable,
          "The wallet was locked, and the provider did not answer its registration in time.")
      }
    }
  }

  private func validatePin(_ pending: Pending) {
    let id = pending.id
    let epoch = context.lock.epoch
    let enablesBiometrics = pending.caller == .confirmByPin
    // A prompt of a request outside the flows: a user who enters the PIN is not at the sensor.
    context.prompts.cancelAll()
    let order: JobQueue.Order =
      enablesBiometrics || state.withLock { $0.isBiometricKeyGone } ? .changesBiometrics : .free
    work(id, .validatePin, order: order) { flows, session, job throws(WalletError) in
      let opening = try flows.checkPin(pending, since: epoch, enablesBiometrics, session, job)
      guard let opening else { return }
      if opening.isBiometricKeyLost { flows.disableLostBiometrics(session, job) }
      flows.refreshBiometrics()
      if let weakPin = opening.weakPin {
        flows.maintenance.strengthen(weakPin, since: epoch, by: session.turn)
      }
    }
  }

  /// What remains to be done after an unlock with a PIN.
  private struct Opening {
    var isBiometricKeyLost: Bool
    var weakPin: WeakPin?
  }

  /// Checks the PIN and replies with the outcome. Returns nil if the wallet was not unlocked. The
  /// vault key is released here, because the steps that follow may wait and a lock must leave no
  /// copy of it.
  private func checkPin(
    _ pending: Pending, since epoch: UInt64, _ enablesBiometrics: Bool, _ session: WalletSession,
    _ job: JobQueue.Job
  ) throws(WalletError) -> Opening? {
    let id = pending.id
    let checked = try session.checkPin(pin(pending), opensVault: !enablesBiometrics, job)
    if enablesBiometrics, checked.check == .valid {
      try enableSealed(session, job)
      reply(id, .valid)
      return nil
    }
    guard let key = checked.vaultKey else {
      let outcome = Outcome(checked.check, wasAttempt: checked.wasCounted)
      reply(id, outcome, details(of: checked))
      return nil
    }
    let isLost = state.withLock { $0.isBiometricKeyGone }
    // The platform key is deleted after the unlock, because the platform could delay it.
    if isLost { try session.disableStoredBiometricUnlock(job) }
    post(
      .opened(
        id: id, key, since: epoch,
        .outcome(id: id, .valid, Details(notices: isLost ? [.biometricsSwitchedOff] : []))))
    return Opening(isBiometricKeyLost: isLost, weakPin: checked.weakPin)
  }

  private func details(of checked: PinCheckResult) -> Details {
    switch checked.check {
    case .valid, .blockedPermanently: return Details()
    case .wrong(let left, let isFinal):
      return Details(arguments: [
        "attempts_left": .number(Int64(left)), "is_final_round": .truth(isFinal),
      ])
    case .blocked(let milliseconds):
      let now = context.environment.clock.now()
      let end = now.addingReportingOverflow(Int64(clamping: milliseconds))
      return Details(deadline: end.overflow ? .max : end.partialValue)
    }
  }

  // MARK: Wipe (UC9.4)

  private func wipe(_ id: UInt64) {
    jobs.cancelForWipe()
    context.lock.lock()
    work(id, .wipe, order: .alone) { flows, session, job throws(WalletError) in
      // The user has confirmed it, so it is not withdrawn.
      try session.wipe(job) {}
      flows.reply(id, .deleted)
    }
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
      arguments: ["status_name": .text(kind.statusName)], repeatingHelps: !isHopeless,
      wipeHelps: needsWipe)
  }
}
