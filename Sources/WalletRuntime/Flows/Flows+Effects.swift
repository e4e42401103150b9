internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// What rows execute, on the wallet's worker.

extension Flows {
  /// Starts what the engine waits for.
  func start(_ pending: Pending) {
    switch pending.job {
    case .ask(let question): answer(question, pending)
    case .perform(let task): perform(task, pending)
    }
    // What was answered at once is no longer awaited.
    let id = pending.id
    guard state.withLock({ $0.engine.pending?.id == id && !$0.hasReply(to: id) }) else { return }
    alarms.set(.slowness, at: context.world.clock.now() &+ Self.slowness) { [self] in
      post(.slow(id: id))
    }
  }

  private func perform(_ task: FlowEffect, _ pending: Pending) {
    let id = pending.id
    switch task {
    case .applyUpdatePolicy: applyUpdatePolicy(id)
    case .setUpAccount: setUpAccount(pending)
    case .validatePin: validatePin(pending)
    case .scanBiometrics: scanBiometrics(id)
    case .sealBiometrics:
      work(id, .sealBiometrics) { flows, session, job throws(WalletError) in
        let sealed = try flows.seal(session, job, id)
        guard let sealed else { return }
        flows.state.withLock { $0.sealed = sealed }
        flows.reply(id, .confirmed)
      }
    case .enableBiometrics:
      work(id, .enableBiometrics) { flows, session, job throws(WalletError) in
        guard let sealed = try flows.seal(session, job, id) else { return }
        do {
          try flows.enable(sealed, session, job)
          flows.reply(id, .confirmed)
        } catch {
          flows.rejectBiometrics(id, "unavailable")
        }
      }
    case .disableBiometrics:
      work(id, task) { flows, session, job throws(WalletError) in
        try session.disableBiometrics(job)
        flows.reply(id, .done)
      }
    case .wipe: wipe(id)
    case .checkProofing: checkProofing(id)
    case .claimCode: claimCode(id)
    case .readLicence: readLicence(id)
    case .announceLicence: reply(id, .done)
    case .submitProofing: submitProofing(id)
    // The engine's own; it is never awaited.
    case .lock: reply(id, .locked)
    }
  }

  /// Does `body` on the worker; what it throws is the outcome.
  ///
  /// - Parameter task: Whose outcomes an error may be; nil for a question.
  func work(
    _ id: UInt64, _ task: FlowEffect? = nil,
    _ body: @escaping @Sendable (Flows, WalletSession, JobQueue.Job) throws(WalletError) -> Void
  ) {
    let cancellation = Cancellation()
    state.withLock { state in
      if state.engine.pending?.id == id {
        state.running = .init(id: id, cancellation: cancellation)
      }
    }
    let isAdded = jobs.add(cancellation: cancellation) { [self] session, job in
      do throws(WalletError) {
        try body(self, session, job)
      } catch {
        replyFailure(id, error, task)
      }
      maintenance.settleChange(after: session)
    }
    if !isAdded { replyFailure(id, WalletError(.outOfResources, "The wallet is ending."), task) }
  }

  private func replyFailure(_ id: UInt64, _ error: WalletError, _ task: FlowEffect?) {
    // Gone on both sides (a registration that lapsed): there is nothing to unlock.
    if error.kind == .notRegistered, task == .validatePin { return post(.wiped) }
    if task?.promptsUser == true {
      return task == .scanBiometrics
        ? post(.scanned(id: id, .unavailable, Details()))
        : rejectBiometrics(id, "unavailable")
    }
    let outcome = error.outcome
    reply(id, task?.outcomes.contains(outcome) == true ? outcome : .failed, error.details)
  }

  // MARK: The update policy (PF1.4)

  /// Not waited for any longer.
  private static let policyPatience: Milliseconds = 1500

  private func applyUpdatePolicy(_ id: UInt64) {
    // The last verified policy is in the storage directory.
    work(id, .applyUpdatePolicy) { flows, session, job throws(WalletError) in
      _ = try session.directory(job)
      flows.alarms.set(
        .updatePolicy, at: flows.context.world.clock.now() &+ Self.policyPatience
      ) {
        flows.settleUpdatePolicy(
          id, WalletError(.serverUnreachable, "The provider did not answer in time."))
      }
      flows.context.refresher.fetchUpdatePolicySoon { failure in
        flows.settleUpdatePolicy(id, failure)
      }
    }
  }

  /// What was fetched, else what was known; an error only where neither settles it.
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

  /// The PIN of work whose turn has come: until then it lies in its slot, which a lock empties.
  private func pin(_ pending: Pending) throws(WalletError) -> Pin {
    let pin = state.withLock { state in pending.slots.first.flatMap { state.pins[$0] } }
    guard let pin else { throw WalletError(.cancelled, "The PIN is no longer there.") }
    return pin
  }

  private func setUpAccount(_ pending: Pending) {
    let id = pending.id
    let epoch = context.lock.epoch
    work(id, .setUpAccount) { flows, session, job throws(WalletError) in
      do throws(WalletError) {
        try session.register({ () throws(WalletError) in try flows.pin(pending) }, job) { key in
          flows.state.withLock { $0.hasPID = false }
          flows.post(.opened(id: id, key, since: epoch, .outcome(id: id, .done, Details())))
        }
      } catch {
        // An earlier try made it before its outcome was awaited no more.
        if error.kind == .alreadyRegistered { return flows.post(.registered) }
        throw error
      }
    }
  }

  private func validatePin(_ pending: Pending) {
    let id = pending.id
    let epoch = context.lock.epoch
    let enablesBiometrics = pending.caller == RowID(.cards, "3.3")
    work(id, .validatePin) { flows, session, job throws(WalletError) in
      let opening = try flows.judge(pending, since: epoch, enablesBiometrics, session, job)
      guard let opening else { return }
      if opening.isBiometricKeyLost { flows.disableLostBiometrics(session, job) }
      flows.refreshBiometrics()
      if let weakPin = opening.weakPin { flows.maintenance.strengthen(weakPin, since: epoch) }
    }
  }

  /// What is left to do after an unlock by a PIN.
  private struct Opening {
    var isBiometricKeyLost: Bool
    var weakPin: WeakPin?
  }

  /// Has the PIN judged and the outcome told; nil where it did not unlock. The vault key is let go of here:
  /// what follows may wait, and a lock meanwhile must leave nothing of it.
  private func judge(
    _ pending: Pending, since epoch: UInt64, _ enablesBiometrics: Bool, _ session: WalletSession,
    _ job: JobQueue.Job
  ) throws(WalletError) -> Opening? {
    let id = pending.id
    let judged = try session.judge(pin(pending), opensVault: !enablesBiometrics, job)
    if enablesBiometrics, judged.check == .valid {
      try enableSealed(session, job)
      reply(id, .valid)
      return nil
    }
    guard let key = judged.vaultKey else {
      let outcome = Outcome(judged.check, wasAttempt: judged.wasCounted)
      reply(id, outcome, details(of: judged))
      return nil
    }
    let isLost = state.withLock { $0.isBiometricKeyGone }
    // The platform's part comes after the unlock, which it may keep waiting.
    if isLost { try session.takeBiometricUnlockAway(job) }
    post(
      .opened(
        id: id, key, since: epoch,
        .outcome(id: id, .valid, Details(notices: isLost ? [.biometricsSwitchedOff] : []))))
    return Opening(isBiometricKeyLost: isLost, weakPin: judged.weakPin)
  }

  private func details(of judged: JudgedPin) -> Details {
    switch judged.check {
    case .valid, .blockedPermanently: return Details()
    case .wrong(let left, let isFinal):
      return Details(arguments: [
        "attempts_left": .number(Int64(left)), "is_final_round": .truth(isFinal),
      ])
    case .blocked(let milliseconds):
      let now = context.world.clock.now()
      let end = now.addingReportingOverflow(Int64(clamping: milliseconds))
      return Details(deadline: end.overflow ? .max : end.partialValue)
    }
  }

  // MARK: Wipe (UC9.4)

  private func wipe(_ id: UInt64) {
    jobs.cancelAll()
    context.lock.lock()
    work(id, .wipe) { flows, session, job throws(WalletError) in
      try session.wipe(job)
      flows.reply(id, .deleted)
    }
  }
}

extension FlowState {
  /// Whether what is awaited has come already and waits in the inbox.
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
  /// The outcome that it is for a row.
  fileprivate var outcome: Outcome {
    switch kind {
    case .noInternet: .noInternet
    case .serverUnreachable: .serverUnreachable
    case .deviceInsecure: .deviceInsecure
    default: .failed
    }
  }

  /// What an error step tells of it.
  var details: Details {
    let needsWipe = [Kind.storageCorrupt, .storageKeyLost, .accountDiverged].contains(kind)
    let isHopeless = needsWipe || kind == .internalDefect || kind == .unsupported
    return Details(
      arguments: ["status_name": .text(kind.statusName)], repeatingHelps: !isHopeless,
      wipeHelps: needsWipe)
  }
}
