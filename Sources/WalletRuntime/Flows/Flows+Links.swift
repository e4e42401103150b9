internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletUseCases

// What links and scanned codes are for, and which links are refused.

extension Flows {
  var linkHosts: [String] { context.configuration.read { $0.proofingHosts } }

  /// Keeps a link that came.
  func keep(_ link: Secret) {
    let read = link.universalLink(hosts: linkHosts)
    state.withLock { $0.links.add(link, read) }
  }

  // MARK: Without a PID

  /// Keeps or refuses the newest link while there is no wallet or no PID. Only an enrolment link
  /// made for this device is of use then.
  ///
  /// - Parameter refusal: Why other links are refused.
  /// - Returns: Whether the link leads to the identity proofing, and what the user has to be told.
  ///   A link that is refused because the provider already has evidence leads there too.
  func settleLink(_ refusal: Notice) -> (opensProofing: Bool, notices: [Notice]) {
    let (hosts, now) = (linkHosts, context.updatePolicy.providerTime)
    return state.withLock { state in
      let isInvalid = state.links.takeInvalid()
      let news: [Notice] = isInvalid ? [.linkInvalid] : []
      guard let link = state.links.newest else { return (false, news) }
      switch link.universalLink(hosts: hosts) {
      case .valid(.enrolment, madeForScanning: false):
        let fact = state.openEnrolmentLink(link, now: now)
        return (fact != .claimed, fact == .none ? news : news + [.flowInProgress])
      case .valid:
        state.links.forget(link)
        return (false, news + [refusal])
      case .invalid, .unknownPurpose:
        // The link was valid when it came, but the hosts of the configuration have changed since.
        state.links.forget(link)
        return (false, [.linkInvalid])
      }
    }
  }

  // MARK: Links (PF2.7)

  func answerIsLinkThere(_ id: UInt64) {
    reply(id, state.withLock { $0.links.isAnyUnopened } ? .yes : .no)
  }

  func answerIsLinkValid(_ id: UInt64) {
    let (link, isInvalid) = state.withLock { ($0.links.newest, $0.links.takeInvalid()) }
    guard let link else { return reply(id, .invalid) }
    let details = Details(notices: isInvalid ? [.linkInvalid] : [])
    switch link.universalLink(hosts: linkHosts) {
    case .valid(_, madeForScanning: false):
      state.withLock { $0.links.noteJudged(link) }
      reply(id, .valid, details)
    case .valid(_, madeForScanning: true):
      state.withLock { $0.links.forget(link) }
      reply(id, .foreignScanner, details)
    case .unknownPurpose, .invalid:
      state.withLock { $0.links.forget(link) }
      reply(id, .invalid)
    }
  }

  func answerLinkPurpose(_ id: UInt64) {
    let link = state.withLock { $0.links.takeJudged() }
    let read = link?.universalLink(hosts: linkHosts) ?? .invalid
    if case .valid(.enrolment, _) = read, let link {
      let now = context.updatePolicy.providerTime
      return replyEnrolment(id, state.withLock { $0.openEnrolmentLink(link, now: now) })
    }
    if let link { state.withLock { $0.links.forget(link) } }
    replyPurpose(id, read, link, isFromOtherDevice: false)
  }

  // MARK: Codes (UC9.9)

  func answerIsCodeValid(_ id: UInt64) {
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
    reply(id, .invalid, Details(arguments: [.reason: .text(reason)]))
  }

  func answerCodePurpose(_ id: UInt64) {
    let code = state.withLock { $0.scanned?.bytes }
    let read = code?.universalLink(hosts: linkHosts) ?? .invalid
    // An enrolment code stays in `scanned`, where UC3.1 reads it, unless a proofing is under way.
    if case .valid(.enrolment, _) = read {
      let now = context.updatePolicy.providerTime
      let fact = state.withLock { state in
        let fact = state.proofingThatRefusesCodes(now: now)
        if fact != .none { state.scanned = nil }
        return fact
      }
      return replyEnrolment(id, fact)
    }
    state.withLock { $0.scanned = nil }
    replyPurpose(id, read, code, isFromOtherDevice: true)
  }

  // MARK: Purposes

  private func replyEnrolment(_ id: UInt64, _ fact: ProofingFact) {
    reply(id, .enrolment, Details(notices: fact == .submitted ? [.flowInProgress] : []))
  }

  /// Replies with the purpose of a link or code. The host gets the text of one that offers a card,
  /// and contacts the address in it; a request of a relying party is kept here. Not called for an
  /// enrolment code, which the host must never receive.
  private func replyPurpose(
    _ id: UInt64, _ read: UniversalLink, _ link: Secret?, isFromOtherDevice: Bool
  ) {
    guard case .valid(let purpose, _) = read, let link else {
      let error = WalletError(
        .unsupported, "This version does not support the purpose of this code.")
      return reply(id, .failed, error.details)
    }
    switch purpose {
    case .issuance:
      let text = String(decoding: link.disclosed(), as: UTF8.self)
      reply(id, .issuance, Details(arguments: [.link: .text(text)]))
    case .sharing, .login:
      keepSharing(link, isFromOtherDevice: isFromOtherDevice, asksForLogin: purpose == .login)
      reply(id, purpose == .login ? .login : .sharing)
    case .enrolment: reply(id, .enrolment)
    }
  }
}

extension FlowState {
  /// The proofing under way, if another code has to wait until it ends.
  fileprivate func proofingThatRefusesCodes(now: Int64) -> ProofingFact {
    proofing.isIssuanceRefused ? .none : proofing.fact(now: now)
  }

  /// Opens an enrolment link, or refuses it if a proofing is under way.
  ///
  /// - Returns: The proofing that is under way.
  fileprivate mutating func openEnrolmentLink(_ link: Secret, now: Int64) -> ProofingFact {
    let fact = proofingThatRefusesCodes(now: now)
    if fact == .none {
      links.noteOpened(link)
      // If a code that was read before were kept, UC3.1 would claim that code and not the link.
      scanned = nil
      proofing.code = nil
    } else {
      links.forget(link)
    }
    return fact
  }
}

extension Secret {
  /// What these bytes ask for, read as a link.
  func universalLink(hosts: [String]) -> UniversalLink {
    withBytes { UniversalLink($0, hosts: hosts) }
  }
}
