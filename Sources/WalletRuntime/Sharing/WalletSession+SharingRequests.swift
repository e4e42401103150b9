internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletPresentation
internal import WalletProtocol
internal import WalletUseCases

// The requests of relying parties, for hosts with screens of their own.

extension WalletSession {
  /// Retrieves a request and keeps it for the calls that follow.
  func beginSharing(
    _ link: Secret, isFromOtherDevice: Bool, _ job: JobQueue.Job
  ) throws(WalletError) -> WalletAnswer {
    let read = link.universalLink(hosts: context.configuration.read { $0.proofingHosts })
    let asksForLogin =
      switch read {
      // As in the flows: another app has read the code, so the user would not be asked for the website.
      case .valid(_, madeForScanning: true) where !isFromOtherDevice:
        throw Self.refused(.unknownParty(.foreignScanner), nil)
      case .valid(.sharing, _): false
      case .valid(.login, _): true
      default: throw Self.refused(.unknownParty(.invalid), nil)
      }
    let sharing = Sharing(
      String(decoding: link.disclosed(), as: UTF8.self), isFromOtherDevice: isFromOtherDevice,
      asksForLogin: asksForLogin)
    let era = context.sharings.era
    // A wipe or a take-over before this has cancelled the job or locked the wallet.
    try admit(job)
    let end = try retrieve(sharing, job)
    // What is refused may still be told to a known relying party.
    if sharing.request != nil, !context.sharings.add(sharing, begunIn: era) {
      throw Self.lockedMeanwhile
    }
    return try answer(sharing, end)
  }

  private func answer(
    _ sharing: Sharing, _ end: Sharing.End
  ) throws(WalletError) -> WalletAnswer {
    switch end {
    case .available, .missing:
      guard let request = sharing.request else { throw Self.refused(end, sharing) }
      return .sharing(request)
    case .taken, .expired, .unknownParty, .knownParty, .pinNeeded:
      throw Self.refused(end, sharing)
    }
  }

  func chooseSharingOption(_ id: String, _ option: Int) throws(WalletError) -> WalletAnswer {
    let sharing = try sharing(id)
    guard sharing.choose(option), let request = sharing.request else {
      throw WalletError(.invalidArgument, "The option cannot be chosen; nothing was changed.")
    }
    return .sharing(request)
  }

  /// Lets the provider check the PIN and, if it is right, shares what is chosen. Of a request that has
  /// ended it tells the end once more, without looking at the PIN: a lock may have withheld it.
  ///
  /// - Returns: What the provider says of the PIN, if it was asked.
  func confirmSharing(
    _ id: String, _ pin: PinOnce, _ job: JobQueue.Job
  ) throws(WalletError) -> (CheckedUse?, SharedAnswer?) {
    let sharing = try sharing(id)
    if let end = sharing.end { return (nil, try Self.told(end, sharing)) }
    if let end = try expire(sharing, job) { throw Self.refused(end, nil) }
    guard sharing.chosen != nil else {
      throw WalletError(
        .invalidArgument, "The wallet has no cards that answer this request; refuse it instead.")
    }
    let checked = try authorize(sharing, pin.take(), job)
    guard case .valid = checked.check else { return (checked, nil) }
    return (checked, try Self.told(share(sharing, job), sharing))
  }

  /// The end of the act, as hosts are told it.
  private static func told(
    _ end: Sharing.End, _ sharing: Sharing
  ) throws(WalletError) -> SharedAnswer {
    switch end {
    case .taken: return SharedAnswer(result: .shared, redirectURI: sharing.redirectURI)
    case .knownParty(.mayHaveBeenShared):
      return SharedAnswer(result: .mayHaveBeenShared, redirectURI: nil)
    // A lock came before anything was sent.
    case .pinNeeded: throw locked
    default: throw refused(end, sharing)
    }
  }

  /// Refuses a request, or tells a known relying party why it is not answered.
  func refuseSharing(_ id: String, _ job: JobQueue.Job) throws(WalletError) -> SharedAnswer {
    let sharing = try sharing(id)
    // Its end can still be asked for.
    if sharing.hasEnded { throw Self.hasEnded }
    if sharing.breaksARule {
      context.sharings.remove(sharing)
      tellFailure(of: sharing, job)
      tellOfRefusal(sharing, job)
      return SharedAnswer(result: .failed, redirectURI: sharing.redirectURI)
    }
    refuse(sharing, tellsParty: true, job)
    // After a lock that came before anything was done it can be refused once more.
    guard sharing.state.withLock({ $0.isRefused }) else { throw Self.locked }
    context.sharings.remove(sharing)
    return SharedAnswer(result: .stopped, redirectURI: sharing.redirectURI)
  }

  private func sharing(_ id: String) throws(WalletError) -> Sharing {
    guard let sharing = context.sharings.find(id) else { throw Self.hasEnded }
    return sharing
  }

  private static var hasEnded: WalletError {
    WalletError(.requestExpired, "There is no such request, or it has ended; begin it anew.")
  }

  private static func refused(_ end: Sharing.End, _ sharing: Sharing?) -> WalletError {
    var data: [String: WalletError.Value] = [:]
    switch end {
    case .expired:
      return WalletError(
        .requestExpired, "The relying party's request is over; the user starts again there.")
    case .unknownParty(let reason), .knownParty(let reason):
      data["reason"] = .text(reason.rawValue)
      if let sharing, let party = sharing.request?.party {
        data["sharing"] = .text(sharing.id)
        if let name = party.name { data["organisation"] = .text(name) }
      }
    case .available, .missing, .taken, .pinNeeded: break
    }
    return WalletError(
      .requestRefused, "The relying party's request is not answered; nothing was shared.",
      data: data)
  }
}

extension Sharing {
  /// Whether the request breaks a rule, which the relying party may be told.
  fileprivate var breaksARule: Bool { state.withLock { $0.session?.reply != nil } }
}
