internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// The request of a relying party in the flows: UC5.1, UC5.2.

extension Flows {
  /// Keeps the request that a link or code asks for. It is the only one: the flows come here only
  /// when no other is under way.
  func keepSharing(_ link: Secret, isFromOtherDevice: Bool, asksForLogin: Bool) {
    let text = String(decoding: link.disclosed(), as: UTF8.self)
    let sharing = Sharing(
      text, isFromOtherDevice: isFromOtherDevice, asksForLogin: asksForLogin)
    state.withLock { $0.sharing = sharing }
  }

  private var sharing: Sharing? { state.withLock { $0.sharing } }

  func retrieveRequest(_ id: UInt64, _ effect: FlowEffect) {
    guard let sharing else { return reply(id, .sessionExpired) }
    work(id, effect, .retrieve, if: [.unlocked, .wanted]) {
      flows, session, job throws(WalletError) in
      let end = try session.retrieve(sharing, job)
      let isLogin = sharing.request?.isLogin == true
      switch end {
      case .available:
        let isMore = sharing.asksForLogin && !isLogin
        flows.reply(
          id,
          sharing.isFromOtherDevice
            ? (isMore ? .moreOnOtherDevice : .otherDevice)
            : (isMore ? .moreOnSameDevice : .sameDevice))
      case .missing: flows.reply(id, .notInWallet)
      case .unknownParty(.unreachable): flows.reply(id, .unreachable, end.details)
      default: flows.reply(id, end.outcome, end.details)
      }
    }
  }

  func shareData(_ id: UInt64) {
    guard let sharing else { return reply(id, .sessionExpired) }
    work(id, .shareData, .share, if: [.unlocked, .wanted]) {
      flows, session, job throws(WalletError) in
      let end = try session.share(sharing, job)
      flows.reply(id, end.outcome, end.details)
    }
  }

  /// Checks the PIN for what is to be shared. Replies with what the provider says of it.
  func authorizeSharing(_ pending: Pending) {
    let id = pending.id
    guard let sharing else { return reply(id, .failed) }
    work(id, .validatePin, .authorizeUse, if: [.unlocked, .wanted]) {
      flows, session, job throws(WalletError) in
      // A request that is over costs no attempt: the act, which follows, only tells that it is over.
      guard !session.isExpired(sharing) else { return flows.reply(id, .valid) }
      let checked = try session.authorize(sharing, flows.pin(pending), job)
      if checked.check == .valid { flows.forgetUntoldFailures() }
      flows.tell(checked.failures, job)
      flows.reply(
        id, Outcome(checked.check, wasAttempt: checked.wasCounted),
        flows.details(of: checked.check, telling: checked.failures))
    }
  }

  func refuseRequest(_ id: UInt64, tellsParty: Bool) {
    guard let sharing else { return reply(id, .done) }
    // The user has decided, so it is not withdrawn.
    work(id, tellsParty ? .refuseRequest : .dropRequest, .refuse) { flows, session, job in
      session.refuse(sharing, tellsParty: tellsParty, job)
      flows.reply(id, .done)
    }
  }

  func tellVerifier(_ id: UInt64) {
    guard let sharing else { return reply(id, .done) }
    work(id, .tellVerifier, .refuse) { flows, session, job in
      session.tellOfRefusal(sharing, job)
      flows.reply(id, sharing.redirectURI == nil ? .done : .websiteGiven)
    }
  }

  func applyChoice(_ id: UInt64) {
    let (sharing, index) = state.withLock { state in
      defer { state.chosenOption = nil }
      return (state.sharing, state.chosenOption)
    }
    guard let sharing, let index, sharing.choose(index) else { return reply(id, .invalid) }
    reply(id, .done)
  }
}

extension Sharing.End {
  /// The outcome of a row. `available` and `missing` depend on more and have none here.
  fileprivate var outcome: Outcome {
    switch self {
    case .taken: .done
    case .expired: .sessionExpired
    case .unknownParty: .unknownVerifier
    case .knownParty: .knownVerifier
    case .pinNeeded: .pinNeeded
    case .available, .missing: .failed
    }
  }

  fileprivate var details: Details {
    switch self {
    case .unknownParty(let reason): Details(arguments: [.reason: .text(reason.rawValue)])
    case .knownParty(let reason):
      // The relying party is known only after its request was fetched, so of one that cannot be
      // reached then nothing was sent to it.
      Details(
        arguments: [.reason: .text(reason.rawValue)], repeatingHelps: reason == .unreachable)
    case .available, .missing, .taken, .expired, .pinNeeded: Details()
    }
  }
}

extension Operation {
  static let retrieve = Operation(name: "retrieve_request")
  static let authorizeUse = Operation(name: "authorize_use", checksPin: true)
  static let share = Operation(name: "share")
  static let refuse = Operation(name: "refuse_request")
}
