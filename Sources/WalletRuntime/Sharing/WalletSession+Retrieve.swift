internal import WalletAccount
internal import WalletCards
internal import WalletConfiguration
internal import WalletCredentials
internal import WalletCrypto
internal import WalletJOSE
internal import WalletModel
internal import WalletPlatform
internal import WalletPresentation
internal import WalletProtocol
internal import WalletTransport

extension WalletSession {
  /// Retrieves the request of a relying party, judges it and looks for cards that answer it.
  ///
  /// - Throws: `noInternet`; errors of the storage; `locked` if the wallet was locked meanwhile.
  func retrieve(_ sharing: Sharing, _ job: JobQueue.Job) throws(WalletError) -> Sharing.End {
    if let end = sharing.state.withLock({ $0.retrieved }) {
      // A lock may have kept it out of the history.
      tellFailure(of: sharing, job)
      return end
    }
    let end = try fetch(sharing, job)
    // A relying party that could not be reached may be asked again.
    if end != .unknownParty(.unreachable) { sharing.state.withLock { $0.retrieved = end } }
    tellFailure(of: sharing, job)
    return end
  }

  /// Writes into the history whose request was fetched and not answered.
  func tellFailure(of sharing: Sharing, _ job: JobQueue.Job) {
    guard let party = sharing.state.withLock({ $0.untoldFailure }) else { return }
    let failure = context.attempt("sharing", "The history was not written", level: .warning) {
      () throws(WalletError) in
      try record(.failed, of: party, sharing.asksForLogin ? .login : .sharing, job)
    }
    if failure == nil { sharing.state.withLock { $0.untoldFailure = nil } }
  }

  private func fetch(_ sharing: Sharing, _ job: JobQueue.Job) throws(WalletError) -> Sharing.End {
    guard let key = try? KeyAgreementKey() else {
      throw WalletError(.internalDefect, "No key could be made for a request.")
    }
    let begun = sharing.step { $0.begin(nonce: Random.bytes(32), key: key) }
    guard case .fetch(let fetch) = begun else {
      // An earlier attempt was interrupted after the answer of the relying party.
      if let request = sharing.unmatched { return try match(request, sharing, job) }
      // A link that cannot be read has no session.
      return .unknownParty(.invalid)
    }
    let next = try send(
      fetch.url, content: fetch.mediaType.map { .init($0, fetch.body) }, accepts: fetch.accept,
      largest: RequestFetch.maximumLength, of: sharing, job.cancellation)
    switch next {
    case .match(let request): return try match(request, sharing, job)
    case .end(.unreachable) where job.cancellation.isCancelled:
      throw WalletError(.cancelled, "Cancelled while the relying party's request was fetched.")
    case .end(.expired):
      sharing.state.withLock { $0.untoldFailure = $0.host }
      return .expired
    case .end(.refused(let refusal)):
      guard let party = refusal.party else {
        // Who asks is not known, but the host that has given the request is.
        sharing.state.withLock { $0.untoldFailure = $0.host }
        return .unknownParty(refusal.reason.ofSharing)
      }
      let shown = SharingRequest(failingOf: party, sharing)
      sharing.state.withLock { ($0.request, $0.untoldFailure) = (shown, shown.party) }
      return .knownParty(refusal.reason.ofSharing)
    case .end: return .unknownParty(.unreachable)
    default: return .unknownParty(.invalid)
    }
  }

  /// Sends to the relying party and hands its answer to the session.
  func send(
    _ url: String, content: ForeignRequest.Content?, accepts: String, largest: Int,
    of sharing: Sharing, _ cancellation: Cancellation
  ) throws(WalletError) -> PresentationSession.Next? {
    let address: ForeignURL
    do { address = try foreign.url(url) } catch {
      // An address that is refused is never asked.
      return sharing.step { $0.fail(wasSent: false) }
    }
    let request = ForeignRequest(
      address, content: content, accepts: [accepts], largestBody: largest)
    let authorities = context.configuration.hostAuthorities(at: context.updatePolicy.providerTime)
    do throws(HTTPFailure) {
      let answer = try turn.givenAway { () throws(HTTPFailure) in
        try foreign.send(request, authorities: authorities, cancellation: cancellation)
      }
      return sharing.step {
        $0.receive(
          status: answer.status, mediaType: answer.mediaType, body: answer.body,
          anchors: context.configuration.trustAnchors,
          ownHosts: context.configuration.read { $0.proofingHosts },
          now: context.updatePolicy.providerTime)
      }
    } catch {
      // Who was refused after something was sent has answered, though not with what was asked for.
      let hasAnswered = error.wasSent && error.error.kind == .serverRefused
      let next = sharing.step { hasAnswered ? $0.refuseAnswer() : $0.fail(wasSent: error.wasSent) }
      context.log(.info, "sharing", "A relying party did not answer: \(error.error.message)")
      if !error.wasSent, error.error.kind == .noInternet { throw error.error }
      if !error.wasSent, error.error.kind == .cancelled { throw error.error }
      return next
    }
  }

  private func match(
    _ request: PresentationRequest, _ sharing: Sharing, _ job: JobQueue.Job
  ) throws(WalletError) -> Sharing.End {
    guard (try? foreign.url(request.responseURI)) != nil else {
      // The answer could not be sent. This is told before a PIN is asked for and a copy is used.
      let shown = SharingRequest(failingOf: request.party, sharing)
      sharing.state.withLock { state in
        state.session?.drop()
        (state.request, state.untoldFailure) = (shown, shown.party)
      }
      return .knownParty(.invalid)
    }
    let account = try account(job, creating: false)
    let now = context.updatePolicy.providerTime
    var queried: [QueriedCard] = []
    var known: [String: Sharing.KnownCard] = [:]
    try forEachCard(account, job) { card, content throws(WalletError) in
      guard let record = card.record, let content else { return }
      let state = record.state(at: now)
      queried.append(
        QueriedCard(
          id: record.id, types: Set([content.type] + content.otherTypes),
          claims: .object(content.claims), terms: content.terms(record),
          disclosable: content.disclosable,
          authorities: Set(content.authorities), isUsable: state.isUsable))
      known[record.id] = Sharing.KnownCard(
        type: content.type, name: content.display.name,
        warnings: state == .expiresSoon ? [.cardExpiresSoon] : [],
        isAnonymous: content.isAnonymous(isPID: record.id == CardStore.pid))
    }
    let before = try activities(job).filter { $0.party.isSame(as: request.party.shown) }
    guard case .decide(_, let answer) = sharing.step({ $0.match(queried) }) else {
      return .unknownParty(.invalid)
    }
    for card in Set(answer.matches.values.joined().map(\.card)) {
      if isNextCopySeen(of: card, at: now, account) { known[card]?.warnings.append(.copiesUsedUp) }
    }
    let selection = answer.suggestion
    let isPossible = answer.isPossible
    sharing.state.withLock { state in
      state.cards = known
      state.selection = isPossible ? selection : nil
      state.warnings = request.warnings
      let options = isPossible ? answer.options(selection) : []
      let shared = before.filter { [.shared, .mayHaveBeenShared].contains($0.result) }
      state.request = SharingRequest(
        id: sharing.id, party: request.party.shown,
        registrations: request.registrations.map(\.shown),
        warnings: state.warnings(of: options),
        isLogin: sharing.asksForLogin && answer.isLogin
          && answer.matches.values.joined().allSatisfy { known[$0.card]?.isAnonymous == true },
        isFromOtherDevice: sharing.isFromOtherDevice, sharedBefore: shared.count,
        lastSharedAt: shared.map(\.at).max(), options: options,
        missing: isPossible ? [] : answer.missing, expiresAt: request.expiresAt)
    }
    return isPossible ? .available : .missing
  }

  /// Whether others have seen the copy of a card that would be shown, or will by an act that a PIN was
  /// entered for. Of a card without a readable copy it is not known, and the act tells that.
  private func isNextCopySeen(of card: String, at now: Int64, _ account: Account) -> Bool {
    var isSeen = false
    context.attempt("sharing", "No copy of a card can be shown", level: .warning) {
      () throws(WalletError) in
      isSeen = try account.cards.isNextCopySeen(
        of: card, at: now, besides: context.promisedCopies.all)
    }
    return isSeen
  }
}

extension SharingRequest {
  /// A request that cannot be answered, of a known relying party.
  fileprivate init(failingOf party: AuthenticatedParty, _ sharing: Sharing) {
    self.init(
      id: sharing.id, party: party.shown, registrations: [], warnings: [], isLogin: false,
      isFromOtherDevice: sharing.isFromOtherDevice, sharedBefore: 0, lastSharedAt: nil,
      options: [], missing: [], expiresAt: nil)
  }
}

extension SharingRequest.Party {
  /// Whether both are one organisation. A name alone is not enough: who certified it counts too.
  fileprivate func isSame(as other: Self) -> Bool {
    guard authority.utf8.elementsEqual(other.authority.utf8) else { return false }
    if let identifier, let theirs = other.identifier {
      return identifier.utf8.elementsEqual(theirs.utf8)
    }
    guard identifier == nil, other.identifier == nil else { return false }
    return name.map { Array($0.utf8) } == other.name.map { Array($0.utf8) }
      && host.utf8.elementsEqual(other.host.utf8)
  }
}

extension AuthenticatedParty {
  fileprivate var shown: SharingRequest.Party {
    SharingRequest.Party(name: name, identifier: identifier, authority: authority, host: host)
  }
}

extension PartyRegistration {
  fileprivate var shown: SharingRequest.Registration {
    SharingRequest.Registration(
      purposes: purposes, privacyPolicy: privacyPolicy, registrar: authority)
  }
}

extension PresentationRequest {
  fileprivate var warnings: [SharingRequest.Warning] {
    (registration == nil ? [.notRegistered] : [])
      + (exceedsRegistration.isEmpty ? [] : [.asksForMore])
      + (party.isHostCertified ? [] : [.hostNotCertified])
  }
}

extension Sharing.State {
  /// The registrations for what is chosen; all of them if nothing is.
  func registrations(of chosen: [QueryAnswer.Presentation]) -> [SharingRequest.Registration] {
    guard let registrations = session?.request?.registrations, !chosen.isEmpty else {
      return request?.registrations ?? []
    }
    let queries = Set(chosen.map(\.query))
    return registrations.filter { !$0.queries.isDisjoint(with: queries) }.map(\.shown)
  }

  /// What is known of whoever has given a request that cannot be trusted.
  fileprivate var host: SharingRequest.Party? {
    session.map {
      SharingRequest.Party(name: nil, identifier: nil, authority: "", host: $0.link.host)
    }
  }
}

extension Sharing {
  /// The request whose cards were not looked for yet.
  fileprivate var unmatched: PresentationRequest? {
    state.withLock { $0.session?.answer == nil ? $0.session?.request : nil }
  }
}

extension CardContent {
  /// What all copies state alike of the card.
  fileprivate func terms(_ record: CardRecord) -> [String: JSONValue] {
    var terms = ["vct": JSONValue.string(type)]
    if let issuerURL { terms["iss"] = .string(issuerURL) }
    func state(_ name: String, _ times: [Int64?]) {
      if case let time?? = times.first, times.allSatisfy({ $0 == time }) {
        terms[name] = .integer(time)
      }
    }
    state("nbf", record.copies.map(\.notBefore))
    state("exp", record.copies.map(\.expires))
    return terms
  }

  /// Whether the claims that cannot be withheld say only who has issued the card, and how and for
  /// how long.
  fileprivate func isAnonymous(isPID: Bool) -> Bool {
    var harmless: Set<String> = [
      "date_of_expiry", "date_of_issuance", "issuing_authority", "issuing_country", "sub",
      "pseudonym", "personal_administrative_number",
    ]
    // How a PID was verified. In other cards it may say anything of the holder.
    if isPID { harmless.insert("verification") }
    return WithheldParts(disclosable).alwaysSeen(in: .object(claims)).allSatisfy { path in
      if case .name(let name) = path.components[0] { harmless.contains(name) } else { false }
    }
  }
}

extension RequestRefusal.Reason {
  fileprivate var ofSharing: Sharing.Reason {
    switch self {
    case .methodUnknown, .clientKindUnknown, .scopeUnknown, .formatsNotSupported, .transactionData:
      .unsupported
    case .partyNotTrusted, .signatureInvalid, .clientMismatch, .nonceMismatch,
      .responseHostRefused:
      .notTrusted
    case .linkMalformed, .objectMalformed, .notForNow, .invalid: .invalid
    }
  }
}
