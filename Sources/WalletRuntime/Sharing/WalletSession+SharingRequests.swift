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
      case .valid(.sharing, _): false
      case .valid(.login, _): true
      default: throw Self.refused(.unknownParty(.invalid), nil)
      }
    let sharing = Sharing(
      String(decoding: link.disclosed(), as: UTF8.self), isFromOtherDevice: isFromOtherDevice,
      asksForLogin: asksForLogin)
    let end = try retrieve(sharing, job)
    // What is refused may still be told to a known relying party.
    if sharing.request != nil { context.sharings.add(sharing) }
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

  /// Lets the provider check the PIN and, if it is right, shares what is chosen.
  func confirmSharing(
    _ id: String, _ pin: Pin, _ job: JobQueue.Job
  ) throws(WalletError) -> (CheckedUse, SharedAnswer?) {
    let sharing = try sharing(id)
    if let end = sharing.request?.expiresAt, end <= context.updatePolicy.providerTime {
      context.sharings.remove(sharing)
      throw Self.refused(.expired, nil)
    }
    guard sharing.chosen != nil else {
      throw WalletError(
        .invalidArgument, "The wallet has no cards that answer this request; refuse it instead.")
    }
    let checked = try authorize(sharing, pin, job)
    guard case .valid = checked.check else { return (checked, nil) }
    let end = try share(sharing, job)
    switch end {
    case .taken, .knownParty(.mayHaveBeenShared):
      context.sharings.remove(sharing)
      return (
        checked,
        SharedAnswer(
          result: end == .taken ? .shared : .mayHaveBeenShared, redirectURI: sharing.redirectURI)
      )
    // A lock came before anything was sent.
    case .pinNeeded: throw Self.locked
    default: throw Self.refused(end, sharing)
    }
  }

  /// Refuses a request, or tells a known relying party why it is not answered.
  func refuseSharing(_ id: String, _ job: JobQueue.Job) throws(WalletError) -> SharedAnswer {
    let sharing = try sharing(id)
    context.sharings.remove(sharing)
    if sharing.isRefused {
      tellOfRefusal(sharing, job)
      return SharedAnswer(result: .failed, redirectURI: sharing.redirectURI)
    }
    refuse(sharing, tellsParty: true, job)
    return SharedAnswer(result: .stopped, redirectURI: sharing.redirectURI)
  }

  private func sharing(_ id: String) throws(WalletError) -> Sharing {
    guard let sharing = context.sharings.find(id) else {
      throw WalletError(
        .requestExpired, "There is no such request, or it has ended; begin it anew.")
    }
    return sharing
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
  fileprivate var isRefused: Bool { state.withLock { $0.session?.reply != nil } }
}
