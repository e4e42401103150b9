internal import WalletAccount
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
    case .startup, .isLocked, .wasAppShutDown:
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
    case .isLinkThere:
      reply(id, state.withLock { $0.link != nil && !$0.isLinkTaken } ? .yes : .no)
    case .isLinkValid: answerIsLinkValid(id)
    case .linkPurpose: answerLinkPurpose(id)
    case .isCodeValid: answerIsCodeValid(id)
    case .codePurpose: answerCodePurpose(id)
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
    work(id, order: .alone) { flows, session, job throws(WalletError) in
      _ = try session.directory(job)
      if case .failed = flows.context.storage.registration {
        session.close()
        flows.context.storage.inspectAgain()
      }
      switch flows.context.storage.registration {
      case .known(let isRegistered): flows.replyIsPinSetUp(id, isRegistered)
      case .failed(let error): throw error
      case .unknown: throw WalletError(.platformNotReady, "The storage path is not known.")
      }
    }
  }

  private func replyIsPinSetUp(_ id: UInt64, _ isSetUp: Bool) {
    reply(id, isSetUp ? .yes : .no, isSetUp ? Details() : refuseLink(.linkNeedsWallet))
  }

  private func answerHasPID(_ id: UInt64) {
    if let hasPID = state.withLock({ $0.hasPID }) { return replyHasPID(id, hasPID) }
    work(id, needs: .device) { flows, session, job throws(WalletError) in
      let account = try session.account(job, creating: false)
      let (hasPID, proofing) = (try account.hasPID(), try account.proofing())
      flows.state.withLock { state in
        state.hasPID = hasPID
        state.proofing.note(proofing)
      }
      flows.replyHasPID(id, hasPID)
    }
  }

  private func replyHasPID(_ id: UInt64, _ hasPID: Bool) {
    reply(id, hasPID ? .yes : .no, hasPID ? Details() : refuseLink(.linkNeedsPID))
  }

  /// Refuses a link that cannot be used yet. An enrolment link made for this device is kept, unless
  /// another code is claimed.
  private func refuseLink(_ notice: Notice) -> Details {
    let (hosts, now) = (linkHosts, context.updatePolicy.providerTime)
    let refusal = state.withLock { state -> Notice? in
      guard let link = state.link else { return nil }
      let isEnrolment =
        link.universalLink(hosts: hosts) == .valid(.enrolment, madeForScanning: false)
      let isClaimed = state.proofing.fact(now: now) == .claimed
      guard !isEnrolment || isClaimed else { return nil }
      state.link = nil
      return isEnrolment ? .flowInProgress : notice
    }
    return Details(notices: refusal.map { [$0] } ?? [])
  }

  private func answerAreBiometricsSupported(_ id: UInt64) {
    work(id, needs: .device) { flows, session, job in
      let biometrics = session.availableBiometrics(job)
      flows.state.withLock { $0.biometrics = biometrics }
      flows.reply(id, biometrics == nil ? .no : .yes)
    }
  }

  /// Asks the platform in the background which biometrics it offers, for steps that offer them.
  func refreshBiometrics() {
    jobs.add(needs: .device, isBackground: true) { [self] session, job in
      let biometrics = session.availableBiometrics(job)
      // The job was interrupted by a request, so it runs once more after that.
      guard !job.cancellation.isCancelled else { return refreshBiometrics() }
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
      Details(arguments: verdict == .accepted ? [:] : ["reason": .text(verdict.rawValue)]))
  }

  private func answerPinsAreEqual(_ pending: Pending) {
    let pins = pins(pending)
    let areEqual = pins.count == 2 && pins[0].secret.isEqual(to: pins[1].secret)
    reply(pending.id, areEqual ? .equal : .differFirstTime)
  }

  // MARK: Links and codes

  var linkHosts: [String] { context.configuration.read { $0.proofingHosts } }

  private func answerIsLinkValid(_ id: UInt64) {
    guard let link = state.withLock({ $0.link }) else { return reply(id, .invalid) }
    switch link.universalLink(hosts: linkHosts) {
    case .valid(_, madeForScanning: false): reply(id, .valid)
    case .valid(_, madeForScanning: true):
      state.withLock { $0.link = nil }
      reply(id, .foreignScanner)
    case .unknownPurpose, .invalid:
      state.withLock { $0.link = nil }
      reply(id, .invalid)
    }
  }

  private func answerLinkPurpose(_ id: UInt64) {
    replyPurpose(id, state.withLock { $0.link })
  }

  private func answerIsCodeValid(_ id: UInt64) {
    let (scanned, hasPID) = state.withLock { ($0.scanned, $0.hasPID ?? false) }
    let code = scanned?.symbology == .qrCode ? scanned?.bytes : nil
    switch code?.universalLink(hosts: linkHosts) {
    case .invalid, nil: refuseCode(id, "invalid")
    case .valid(.enrolment, _): reply(id, .valid)
    case .valid, .unknownPurpose:
      // Without a PID there is nothing to share, and no holder to issue a card to.
      guard hasPID else { return refuseCode(id, "no-pid") }
      reply(id, .valid)
    }
  }

  private func refuseCode(_ id: UInt64, _ reason: String) {
    state.withLock { $0.scanned = nil }
    reply(id, .invalid, Details(arguments: ["reason": .text(reason)]))
  }

  private func answerCodePurpose(_ id: UInt64) {
    replyPurpose(id, state.withLock { $0.scanned?.bytes })
  }

  /// Replies with the purpose of a link. The link itself goes to the host, which contacts its
  /// address.
  private func replyPurpose(_ id: UInt64, _ link: Secret?) {
    let read = link?.universalLink(hosts: linkHosts) ?? .invalid
    // An enrolment code stays where it is for UC3.1, unless a proofing is under way. It is never
    // handed to the host.
    if case .valid(.enrolment, _) = read {
      let now = context.updatePolicy.providerTime
      let fact = state.withLock { state -> ProofingFact in
        let fact = state.proofing.isIssuanceRefused ? .none : state.proofing.fact(now: now)
        if fact != .none {
          state.forget(link)
        } else if state.isKept(link) {
          state.isLinkTaken = true
        }
        return fact
      }
      return reply(
        id, .enrolment, Details(notices: fact == .submitted ? [.flowInProgress] : []))
    }
    state.withLock { $0.forget(link) }
    guard case .valid(let purpose, _) = read, let link else {
      let error = WalletError(
        .unsupported, "This version does not support the purpose of this code.")
      return reply(id, .failed, error.details)
    }
    let outcome: Outcome =
      switch purpose {
      case .issuance: .issuance
      case .sharing: .sharing
      case .login: .login
      case .enrolment: .enrolment
      }
    let text = String(decoding: link.disclosed(), as: UTF8.self)
    reply(id, outcome, Details(arguments: ["link": .text(text)]))
  }
}

extension FlowState {
  /// Whether `link` equals the stored link.
  fileprivate func isKept(_ link: Secret?) -> Bool {
    guard let kept = self.link, let link else { return false }
    return kept.isEqual(to: link)
  }

  /// Forgets the scan, and the stored link if `link` equals it.
  fileprivate mutating func forget(_ link: Secret?) {
    scanned = nil
    if isKept(link) { self.link = nil }
  }
}

extension Secret {
  /// What these bytes ask for, read as a link.
  func universalLink(hosts: [String]) -> UniversalLink {
    withBytes { UniversalLink($0, hosts: hosts) }
  }
}
