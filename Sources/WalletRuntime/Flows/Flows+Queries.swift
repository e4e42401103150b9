internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletUseCases

// The queries of rows. Answers that need neither platform nor storage are given immediately.

extension Flows {
  func answer(_ query: FlowQuery, _ pending: Pending) {
    let id = pending.id
    switch query {
    case .startup, .isLocked, .wasAppShutDown, .severalCardsFit, .mustReturn:
      // The engine answers these itself.
      reply(id, .failed)
    case .isBiometricUnlockUsable:
      reply(id, context.storage.isBiometricUnlockEnabled ? .yes : .no)
    case .isPinSetUp: answerIsPinSetUp(id)
    case .isWalletThere: replyIsPinSetUp(id, isRegistered)
    case .hasPID: replyHasPID(id, state.withLock { $0.hasPID } ?? false)
    case .hasPIDOrLeftStep: answerHasPID(id)
    case .areBiometricsSupported: answerAreBiometricsSupported(id)
    case .pinFitsPolicy: answerPinFitsPolicy(pending)
    case .pinsAreEqual: answerPinsAreEqual(pending)
    case .isLinkThere: answerIsLinkThere(id)
    case .isLinkValid: answerIsLinkValid(id)
    case .linkPurpose: answerLinkPurpose(id)
    case .isCodeValid: answerIsCodeValid(id)
    case .codePurpose: answerCodePurpose(id)
    case .applyChoice: applyChoice(id)
    case .walletStatus: reply(id, isRegistered ? .active : .failed)
    }
  }

  func reply(_ id: UInt64, _ outcome: Outcome, _ details: Details = Details()) {
    post(.outcome(id: id, outcome, details))
  }

  // MARK: The wallet

  private func answerIsPinSetUp(_ id: UInt64) {
    if case .known(let isRegistered) = context.storage.registration {
      return replyIsPinSetUp(id, isRegistered)
    }
    var operation = Operation.query
    operation.order = .alone
    work(id, nil, operation) { flows, session, job throws(WalletError) in
      _ = try session.directory(job)
      if case .failed = flows.context.storage.registration {
        try session.inspectStorageAgain(job)
      }
      switch flows.context.storage.registration {
      case .known(let isRegistered): flows.replyIsPinSetUp(id, isRegistered)
      case .failed(let error): throw error
      case .unknown: throw WalletError(.platformNotReady, "The storage path is not known.")
      }
    }
  }

  private func replyIsPinSetUp(_ id: UInt64, _ isSetUp: Bool) {
    guard !isSetUp else { return reply(id, .yes) }
    let (isKept, notices) = settleLink(.linkNeedsWallet)
    reply(id, .no, Details(notices: isKept ? notices + [.linkKept] : notices))
  }

  private func answerHasPID(_ id: UInt64) {
    if let hasPID = state.withLock({ $0.hasPID }) { return replyHasPID(id, hasPID) }
    work(id, nil, .localQuery) { flows, session, job throws(WalletError) in
      let account = try session.account(job, creating: false)
      // A damaged PID counts as one, too: the user sees that it is unreadable, and gets a new one as
      // in the place of any other.
      let (pid, proofing) = (try account.cards.storedPID(), try account.proofing())
      flows.state.withLock { state in
        state.hasPID = pid != nil
        state.pidExpiry = pid?.record?.expires
        state.proofing.note(proofing)
      }
      flows.replyHasPID(id, pid != nil)
    }
  }

  private func replyHasPID(_ id: UInt64, _ hasPID: Bool) {
    guard !hasPID else { return reply(id, .yes) }
    let (opensProofing, notices) = settleLink(.linkNeedsPID)
    reply(id, opensProofing ? .noButLinkKept : .no, Details(notices: notices))
  }

  private func answerAreBiometricsSupported(_ id: UInt64) {
    work(id, nil, .localQuery) { flows, session, job in
      let biometrics = session.availableBiometrics(job)
      flows.state.withLock { $0.biometrics = biometrics }
      flows.reply(id, biometrics == nil ? .no : .yes)
    }
  }

  /// Asks the platform in the background which biometrics it offers, for steps that offer them.
  func refreshBiometrics() {
    jobs.addUntilDone(needs: .device) { [self] session, job in
      let biometrics = session.availableBiometrics(job)
      guard !job.cancellation.isCancelled else { return }
      let hasChanged = state.withLock { state in
        defer { state.biometrics = biometrics }
        return state.biometrics != biometrics
      }
      if hasChanged { post(.factsChanged) }
    }
  }

  // MARK: PINs

  private func pins(_ pending: Pending) -> [Pin] {
    state.withLock { state in pending.slots.compactMap { state.pins[$0] } }
  }

  private func answerPinFitsPolicy(_ pending: Pending) {
    guard let pin = pins(pending).first else { return reply(pending.id, .tooSimple) }
    let verdict = pin.secret.withBytes { PinPolicy.verdict(on: $0) }
    reply(
      pending.id, verdict == .accepted ? .fits : .tooSimple,
      Details(arguments: verdict == .accepted ? [:] : [.reason: .text(verdict.rawValue)]))
  }

  private func answerPinsAreEqual(_ pending: Pending) {
    let pins = pins(pending)
    let areEqual = pins.count == 2 && pins[0].secret.isEqual(to: pins[1].secret)
    reply(pending.id, areEqual ? .equal : .differFirstTime)
  }
}
