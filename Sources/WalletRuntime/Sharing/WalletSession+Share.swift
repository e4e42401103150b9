internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCredentials
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletPresentation
internal import WalletStorage
internal import WalletTransport

// The act itself. That data may be shared is on disk before anything is signed, and how it ended as
// soon as that is known.

extension WalletSession {
  /// Lets the provider check the PIN for what is chosen.
  func authorize(
    _ sharing: Sharing, _ pin: Pin, _ job: JobQueue.Job
  ) throws(WalletError) -> CheckedUse {
    guard let (request, presentations) = sharing.chosen else { throw Self.nothingToShare }
    var checked = try authorizeUse(
      of: presentations.map { CardSelection(card: $0.card, paths: $0.paths) },
      for: request.verifier, pin, job)
    let use = checked.use.map {
      Sharing.ConfirmedUse(use: $0, presentations: presentations)
    }
    sharing.state.withLock { $0.use = use }
    // It is kept in one place, which a lock empties.
    checked.use = nil
    // A lock since then has found nothing to drop.
    if context.lock.epoch != job.gate.epoch { sharing.forgetUse() }
    return checked
  }

  /// Shares what is chosen, once, and returns the end of it also when asked again.
  ///
  /// - Throws: `noInternet` if nothing was sent; errors of the storage and of the bridges.
  func share(_ sharing: Sharing, _ job: JobQueue.Job) throws(WalletError) -> Sharing.End {
    let taken = sharing.takeUse()
    if let end = sharing.end { return end }
    // For a request that is over no PIN is asked and no copy is used.
    if let end = try expire(sharing, job) { return end }
    guard let confirmed = taken, let (request, _) = sharing.chosen else { return .pinNeeded }
    let chosen = confirmed.presentations
    let account = try account(job, creating: false)
    let prepared = try prepare(sharing, chosen, [.mayHaveBeenShared, .shared, .failed], job)
    var isStored = false
    let texts: [String]
    do throws(WalletError) {
      texts = try perform(confirmed.use, for: request.verifier, job) { transaction in
        try prepared.store(.mayHaveBeenShared, transaction)
        isStored = true
      }
    } catch {
      if isStored { note(.failed, prepared, account) }
      // A lock came before anything was sent.
      guard context.lock.epoch != job.gate.epoch else { throw error }
      return .pinNeeded
    }
    let answer = Dictionary(grouping: zip(chosen, texts), by: \.0.query)
      .mapValues { $0.map(\.1) }
    var next = sharing.step {
      try? $0.share(answer, now: context.updatePolicy.providerTime)
    }
    if case .post(let response) = next {
      context.environment.passCrashPoint("sharing.before-post")
      do {
        next = try post(response, of: sharing, job)
      } catch {
        note(.failed, prepared, account)
        throw error
      }
      context.environment.passCrashPoint("sharing.after-post")
    }
    let end: Sharing.End
    switch next {
    case .end(.taken(let redirectURI)):
      note(.shared, prepared, account)
      sharing.state.withLock { $0.redirectURI = redirectURI }
      end = .taken
    case .end(.unknown): end = .knownParty(.mayHaveBeenShared)
    case .end(.unreachable):
      note(.failed, prepared, account)
      // Nothing was sent, so the user may try again.
      return .knownParty(.unreachable)
    case .end(.expired):
      note(.failed, prepared, account)
      end = .expired
    default:
      note(.failed, prepared, account)
      end = .knownParty(.invalid)
    }
    sharing.state.withLock { $0.end = end }
    return end
  }

  /// Whether the time of a request is over.
  func isExpired(_ sharing: Sharing) -> Bool {
    sharing.isExpired(at: context.updatePolicy.providerTime)
  }

  /// Ends a request whose time is over; nil if it is not.
  func expire(_ sharing: Sharing, _ job: JobQueue.Job) throws(WalletError) -> Sharing.End? {
    guard isExpired(sharing) else { return nil }
    try record(.failed, of: sharing, sharing.chosen?.presentations ?? [], job)
    sharing.state.withLock { $0.end = .expired }
    return .expired
  }

  /// Ends a request that the user refuses.
  ///
  /// - Parameter tellsParty: Whether the relying party hears that nothing is shared. Nobody hears
  ///   why.
  func refuse(_ sharing: Sharing, tellsParty: Bool, _ job: JobQueue.Job) {
    guard !sharing.state.withLock({ $0.isRefused }) else { return }
    let failure = context.attempt("sharing", "The history was not written", level: .warning) {
      () throws(WalletError) in
      try record(.stopped, of: sharing, sharing.chosen?.presentations ?? [], job)
    }
    // A lock came before anything was done. After the unlock the flows carry it out.
    if failure?.kind == .locked { return }
    sharing.state.withLock { $0.isRefused = true }
    if tellsParty {
      tell(sharing, { $0.deny() }, job)
    }
    _ = sharing.step { session in
      session.drop()
      return nil
    }
  }

  /// Tells an authenticated relying party what is wrong with its request.
  func tellOfRefusal(_ sharing: Sharing, _ job: JobQueue.Job) {
    tell(sharing, { $0.tell() }, job)
  }

  private func tell(
    _ sharing: Sharing, _ step: (inout PresentationSession) -> PresentationSession.Next?,
    _ job: JobQueue.Job
  ) {
    guard case .post(let response) = sharing.step(step) else { return }
    context.attempt("sharing", "The relying party was not told") { () throws(WalletError) in
      if case .end(.taken(let redirectURI)) = try post(response, of: sharing, job) {
        sharing.state.withLock { $0.redirectURI = redirectURI }
      }
    }
  }

  /// Posts to the relying party. Only a wipe ends it: what is sent cannot be called back.
  private func post(
    _ response: PresentationResponse, of sharing: Sharing, _ job: JobQueue.Job
  ) throws(WalletError) -> PresentationSession.Next? {
    try send(
      response.url, content: .init(PresentationResponse.mediaType, response.body),
      accepts: "application/json", largest: 64 * 1024, of: sharing, job.abort)
  }

  // MARK: The history

  /// All activities, the newest first. One that is damaged hides no other.
  func activities(_ job: JobQueue.Job) throws(WalletError) -> [Activity] {
    var activities: [Activity] = []
    let sealed = try account(job, creating: false).activities.all()
    try openEach(sealed, job) { _, stored throws(WalletError) in
      guard let activity = stored.flatMap({ try? Activity(stored: $0) }) else {
        return context.log(.error, "sharing", "A stored activity is unreadable.")
      }
      activities.append(activity)
    }
    return activities
  }

  func record(
    _ result: Activity.Result, of sharing: Sharing, _ chosen: [QueryAnswer.Presentation],
    _ job: JobQueue.Job
  ) throws(WalletError) {
    guard sharing.request != nil else { return }
    let prepared = try prepare(sharing, chosen, [result], job)
    try account(job, creating: false).activities.store(prepared, result)
  }

  /// Writes into the history what a party has asked for, of which no more is known.
  func record(
    _ result: Activity.Result, of party: SharingRequest.Party, _ kind: Activity.Kind,
    _ job: JobQueue.Job
  ) throws(WalletError) {
    let activities = try account(job, creating: false).activities
    let activity = Activity(
      id: try activities.nextID(), kind: kind, result: result,
      at: context.updatePolicy.providerTime, party: party, items: [])
    try activities.store(try prepare(activity, [result], job), result)
  }

  /// Seals an activity with each of the results that it may have.
  private func prepare(
    _ sharing: Sharing, _ chosen: [QueryAnswer.Presentation], _ results: [Activity.Result],
    _ job: JobQueue.Job
  ) throws(WalletError) -> ActivityStore.Prepared {
    let (request, cards, registrations) = sharing.state.withLock {
      ($0.request, $0.cards, $0.registrations(of: chosen))
    }
    guard let request else { throw Self.nothingToShare }
    let activity = Activity(
      id: try account(job, creating: false).activities.nextID(),
      kind: request.isLogin ? .login : .sharing, result: .failed,
      at: context.updatePolicy.providerTime, party: request.party,
      registrations: registrations,
      items: chosen.map { presentation in
        Activity.Item(
          card: presentation.card, type: cards[presentation.card]?.type ?? "",
          name: cards[presentation.card]?.name,
          paths: presentation.paths.map(SharingRequest.Path.init))
      })
    return try prepare(activity, results, job)
  }

  private func prepare(
    _ activity: Activity, _ results: [Activity.Result], _ job: JobQueue.Job
  ) throws(WalletError) -> ActivityStore.Prepared {
    let others = try activities(job)
    guard context.lock.epoch == job.gate.epoch else { throw Self.locked }
    let prepared = try context.lock.withVaultKey { key throws(WalletError) in
      try ActivityStore.Prepared(activity, results: results, among: others, key: key)
    }
    guard let prepared else { throw Self.locked }
    return prepared
  }

  /// Stores how an activity ended. If that fails, the history goes on saying what may have happened.
  private func note(
    _ result: Activity.Result, _ prepared: ActivityStore.Prepared, _ account: Account
  ) {
    context.attempt("sharing", "The end of an activity was not stored", level: .warning) {
      () throws(WalletError) in try account.activities.store(prepared, result)
    }
  }

  private static var nothingToShare: WalletError {
    WalletError(.invalidArgument, "There is no such request, or it cannot be answered.")
  }
}

extension PresentationRequest {
  fileprivate var verifier: RelyingParty { RelyingParty(nonce: nonce, audience: party.clientID) }
}
