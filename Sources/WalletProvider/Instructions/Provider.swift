public import WalletProtocol

/// The rules of the provider: registers wallets, judges PINs, answers with signed results.
///
/// It knows no HTTP and no SQL. Each request is judged whole inside one write transaction of the
/// store, so that n parallel guesses are n attempts, in one process or in ten.
public struct Provider: Sendable {
  let identity: ProviderIdentity
  let store: any ProviderStore
  let settings: ProviderSettings
  let policy: any AttemptPolicySource
  let updatePolicySource: any UpdatePolicySource
  let vetting: any IdentityVetting
  let observer: any ProviderObserver
  let limiter: any WalletLimiter
  private let signedUpdatePolicy = SignedUpdatePolicy()
  private let vettingCoordinator = VettingCoordinator()
  private let enrolmentQuota = EnrolmentQuota()

  /// - Parameters:
  ///   - policy: the attempt policy; `settings.attemptPolicy` when nil.
  ///   - updatePolicy: what is said of app versions.
  ///   - vetting: who decides on identities; `AccountVetting` without an issuing source when nil.
  ///   - limiter: how often one wallet is served.
  public init(
    identity: ProviderIdentity, store: any ProviderStore, settings: ProviderSettings,
    policy: (any AttemptPolicySource)? = nil,
    updatePolicy: any UpdatePolicySource = UpdatePolicy.none,
    vetting: (any IdentityVetting)? = nil,
    observer: any ProviderObserver = SilentObserver(),
    limiter: any WalletLimiter = UnlimitedWallets()
  ) {
    self.identity = identity
    self.store = store
    self.settings = settings
    self.policy = policy ?? settings.attemptPolicy
    updatePolicySource = updatePolicy
    self.vetting = vetting ?? AccountVetting(settings: settings.proofing)
    self.observer = observer
    self.limiter = limiter
  }

  /// Makes a challenge for a registration.
  ///
  /// - Throws: `ProblemError`, unavailable, while too many are alive; `StoreFailure`.
  public func enrolmentChallenge() async throws -> EnrolmentChallenge {
    let challenge = SecureRandom.bytes(32)
    try await store.transaction { rows in
      let now = try rows.now
      try rows.deleteChallenges(expiredBy: now)
      let limit = settings.maximumEnrolmentChallenges
      guard
        try enrolmentQuota.take(
          of: limit, count: { try rows.unusedEnrolmentChallenges(at: now, upTo: limit) })
      else { throw ProblemError(.unavailable) }
      try rows.insert(
        StoredChallenge(
          challenge: challenge, purpose: InstructionName.register.rawValue, wallet: nil,
          expiresAt: now + settings.challengeLife))
    }
    return EnrolmentChallenge(
      challenge: Base64URL.encode(challenge),
      expiresInMilliseconds: UInt64(clamping: settings.challengeLife))
  }

  /// Judges the instruction in `body` (the JSON of an `InstructionEnvelope`) that came in at the
  /// route of `instruction`.
  ///
  /// - Throws: `ProblemError` for what is answered unsigned and changed nothing; `StoreFailure` and
  ///   other errors when the provider itself failed. That changed nothing either, unless the store was
  ///   lost while it committed: then nobody knows, and the same body gets the stored answer or is judged.
  public func answer(
    _ instruction: InstructionName, body: [UInt8]
  ) async throws -> InstructionAnswer {
    let request = try InstructionRequest(
      parsing: body, instruction: instruction, audience: identity.id)
    let handled = try await handle(request)
    if let attempt = handled.attempt { observer.attemptAnswered(attempt) }
    if let notice = handled.notice { observer.proofingAnswered(notice) }
    return InstructionAnswer(result: handled.answer)
  }

  /// How often a case may change while it is vetted, before the wallet has to ask again.
  private static let vettingRounds = 8

  /// Vetting may be slow and runs outside of transactions: one that needs it is undone, and judged anew
  /// with what vetting said. If the case changed meanwhile, it is vetted anew too.
  private func handle(_ request: InstructionRequest) async throws -> HandledInstruction {
    var vetted: VettedCase?
    let result: Result<HandledInstruction, any Error>
    do {
      result = .success(try await handle(request, &vetted))
    } catch { result = .failure(error) }
    if let vetted { await vettingCoordinator.forget(vetted.vettingCase) }
    return try result.get()
  }

  private func handle(
    _ request: InstructionRequest, _ vetted: inout VettedCase?
  ) async throws -> HandledInstruction {
    let hardwareKey = try request.registeringKey()
    let admission = try WalletAdmission(limiter, request.claims)
    for _ in 1...Self.vettingRounds {
      do {
        return try await store.transaction { [vetted] rows in
          let handler = try InstructionHandler(
            provider: self, request: request, admission: admission, registering: hardwareKey,
            rows: rows, vetted: vetted)
          return try hardwareKey.map(handler.register) ?? handler.execute()
        }
      } catch let needed as VettingNeeded {
        if let vetted { await vettingCoordinator.forget(vetted.vettingCase) }
        vetted = VettedCase(
          vettingCase: needed.vettingCase,
          verdict: await vettingCoordinator.vet(
            needed.vettingCase, now: needed.now, by: vetting,
            deadline: settings.proofing.vettingDeadline))
      }
    }
    throw ProblemError(.unavailable)
  }

  /// The update policy of the moment as a compact JWS, with the time of this machine's clock.
  public func updatePolicy() async throws -> String {
    try await signedUpdatePolicy.compact(
      await updatePolicySource.updatePolicy, identity: identity,
      issuedAt: store.clock.machineTime / 1000)
  }

  /// Removes what the identity proofing no longer needs, personal data above all. Each step of a
  /// proofing does so too; this is for a provider that nobody asks.
  public func deleteEndedRows() async throws {
    let settings = settings.proofing
    for _ in 1...Self.sweepRounds {
      let isMore = try await store.transaction { rows in
        let now = try rows.now
        let isMore = try rows.hasEndedRows(by: now)
        try rows.deleteEndedRows(by: now, settings: settings)
        // Answers are kept with them, some with a masked label.
        try rows.deleteChallenges(expiredBy: now)
        return isMore
      }
      // After the sessions, which keep them, and alone: a code that is made at this very moment keeps
      // its account from being erased, and nothing else.
      try await store.transaction { rows in try rows.deleteEnrolmentPages(expiredBy: try rows.now) }
      if !isMore { return }
    }
  }

  /// A store removes a bounded number of rows at once.
  private static let sweepRounds = 10_000

  /// Asks the store for a sign of life. Throws `StoreFailure`.
  public func ping() async throws { try await store.ping() }
}

/// What came out of a transaction.
struct HandledInstruction: Sendable {
  /// The signed answer, a compact JWS.
  var answer: String
  /// Set when a PIN was looked at.
  var attempt: AttemptOutcome?
  /// Set by an instruction of the identity proofing.
  var notice: ProofingNotice?
}

/// One request, the rows as its transaction sees them, and one moment for the whole judgement.
struct InstructionHandler {
  let provider: Provider
  let request: InstructionRequest
  let admission: WalletAdmission
  let rows: any ProviderTransaction
  /// The wallet that the request is about as it lies in the store; nil when there is none.
  let stored: StoredWallet?
  let now: Int64
  /// What vetting said before this transaction.
  let vetted: VettedCase?

  /// - Parameter registering: the hardware key of a registration; nil for any other instruction.
  init(
    provider: Provider, request: InstructionRequest, admission: WalletAdmission,
    registering hardwareKey: [UInt8]?, rows: any ProviderTransaction, vetted: VettedCase?
  ) throws {
    self.provider = provider
    self.request = request
    self.admission = admission
    self.rows = rows
    self.vetted = vetted
    // The row first: the time is that of the moment at which it is locked.
    stored =
      if let hardwareKey {
        try rows.wallet(hardwareKeyHash: Digest.sha256(hardwareKey))
      } else {
        try rows.wallet(id: request.claims.wallet)
      }
    now = try rows.now
  }

  var identity: ProviderIdentity { provider.identity }

  /// The signed answer to the request.
  func answer(_ outcome: InstructionOutcome) throws -> String {
    let claims = InstructionResultClaims(
      issuer: identity.id, answering: request.claims,
      requestHash: Base64URL.encode(request.hash), outcome: outcome)
    return try SignedMessage.sign(claims, type: .instructionResult, signer: identity.keys.result)
  }

  /// The live challenge that the request names, when it was given for this instruction to `wallet`.
  ///
  /// - Throws: `ProblemError`, challenge-refused; challenge-used when another request used it.
  func challenge(givenTo wallet: String?) throws -> StoredChallenge {
    guard let bytes = request.challenge, let stored = try rows.challenge(bytes),
      stored.purpose == request.claims.instruction.rawValue, stored.expiresAt > now
    else { throw ProblemError(.challengeRefused) }
    // A used enrolment challenge has become that of the wallet which it made.
    guard stored.wallet == wallet || (wallet == nil && stored.use != nil) else {
      throw ProblemError(.challengeRefused)
    }
    if let use = stored.use, use.requestHash != request.hash {
      throw ProblemError(.challengeUsed)
    }
    return stored
  }

  /// Keeps the answer with its challenge, for a retransmission.
  func use(_ challenge: StoredChallenge, wallet: String, answer: String) throws {
    var used = challenge
    used.wallet = wallet
    used.use = StoredChallenge.Use(requestHash: request.hash, answer: answer)
    try rows.update(used)
  }
}
