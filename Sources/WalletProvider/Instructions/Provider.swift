public import WalletAttempts
import WalletSignatures
public import WalletProtocol

/// The provider's rules: registers wallets, checks PINs, and answers with signed results.
///
/// Independent of HTTP and SQL. Each request is handled entirely within one write transaction of
/// the store, so that n parallel guesses count as n attempts, whether one server handles them or
/// ten.
public struct Provider: Sendable {
  let identity: ProviderIdentity
  let store: any ProviderStore
  let settings: ProviderSettings
  let policy: any AttemptPolicySource
  let updatePolicySource: any UpdatePolicySource
  let vetting: any IdentityVetting
  let observer: any ProviderObserver
  let evaluator: any PinEvaluator
  let limiter: any WalletLimiter
  private let listeningPort = ListeningPort()
  private let signedUpdatePolicy = SignedUpdatePolicy()
  private let renewal: ConfigurationRenewal
  private let vettingCoordinator = VettingCoordinator()

  /// - Parameters:
  ///   - policy: the source of the attempt policy; `settings.attemptPolicy` if nil.
  ///   - updatePolicy: the source of the rules for app versions.
  ///   - vetting: the vetting that decides on identities; `AccountVetting` without an issuing
  ///     source if nil.
  ///   - evaluator: holds the other half of each PIN key.
  ///   - limiter: limits the requests of each wallet.
  public init(
    identity: ProviderIdentity, store: any ProviderStore, evaluator: any PinEvaluator,
    settings: ProviderSettings,
    policy: (any AttemptPolicySource)? = nil,
    updatePolicy: any UpdatePolicySource = UpdatePolicy.none,
    vetting: (any IdentityVetting)? = nil,
    observer: any ProviderObserver = SilentObserver(),
    limiter: any WalletLimiter = UnlimitedWallets()
  ) {
    self.identity = identity
    self.store = store
    self.evaluator = evaluator
    self.settings = settings
    renewal = ConfigurationRenewal(
      keys: identity.keys, validity: settings.configurationValidity)
    self.policy = policy ?? settings.attemptPolicy
    updatePolicySource = updatePolicy
    self.vetting = vetting ?? AccountVetting(settings: settings.proofing)
    self.observer = observer
    self.limiter = limiter
  }

  /// Notes the port that the server listens on.
  public func noteListening(port: Int) { listeningPort.number = port }

  /// What the addresses of status lists begin with; nil if nobody knows where the server is.
  var statusURL: String? {
    guard let url = settings.publicURL else { return nil }
    guard settings.lacksPort else { return url.text }
    return listeningPort.number.map { "\(url.text):\($0)" } ?? url.text
  }

  /// Whether people are proofed without an authoritative source. The enrolment pages then say so.
  public var isDemonstration: Bool { settings.proofing.demonstration }

  /// Handles the instruction in `body` (the JSON of an `InstructionEnvelope`) that arrived at the
  /// route of `instruction`.
  ///
  /// - Throws: `ProblemError` for a request that is answered without a signature and changed
  ///   nothing; `StoreFailure` and other errors if the provider itself failed. Those changed
  ///   nothing either, unless the connection to the store was lost during the commit. Then the
  ///   result is unknown, and the same body sent again gets the stored answer or is handled for the
  ///   first time.
  public func answer(
    _ instruction: InstructionName, body: [UInt8]
  ) async throws -> InstructionAnswer {
    let request = try InstructionRequest(
      parsing: body, instruction: instruction, audience: identity.id)
    let handled = try await handle(request)
    if let attempt = handled.attempt { observer.attemptAnswered(attempt) }
    if let notice = handled.notice { observer.proofingAnswered(notice) }
    // Deletes about as many rows as are made. If this fails, the periodic deletion repeats it and
    // tells of it.
    if instruction == .register || handled.notice?.result == ProofingStatus.State.proofed.rawValue {
      _ = try? await deleteEndedWallets(atMost: Self.fewEndedWallets)
    }
    return InstructionAnswer(result: handled.answer)
  }

  /// How often a request is handled anew with what the evaluator or the vetting answered. If the
  /// case has changed each time, the wallet has to ask again.
  private static let rounds = 32

  /// Handles a request. Evaluator and vetting may be slow and run outside of transactions: a
  /// transaction that needs one of their answers is rolled back, and repeated when there is one.
  private func handle(_ request: InstructionRequest) async throws -> HandledInstruction {
    var answers = OutsideAnswers()
    let result: Result<HandledInstruction, any Error>
    do {
      result = .success(try await handle(request, &answers))
    } catch { result = .failure(error) }
    if let vetted = answers.vetted { await vettingCoordinator.forget(vetted.vettingCase) }
    return try result.get()
  }

  private func handle(
    _ request: InstructionRequest, _ answers: inout OutsideAnswers
  ) async throws -> HandledInstruction {
    let hardwareKey = try request.registeringKey()
    let admission = try WalletAdmission(limiter, request.claims)
    for _ in 1...Self.rounds {
      do {
        return try await store.transaction { [answers] rows in
          let handler = try InstructionHandler(
            provider: self, request: request, admission: admission, registering: hardwareKey,
            rows: rows, answers: answers)
          return try hardwareKey.map(handler.register) ?? handler.execute()
        }
      } catch let needed as VettingNeeded {
        if let vetted = answers.vetted { await vettingCoordinator.forget(vetted.vettingCase) }
        answers.vetted = VettedCase(
          vettingCase: needed.vettingCase,
          verdict: await vettingCoordinator.vet(
            needed.vettingCase, now: needed.now, by: vetting,
            deadline: settings.proofing.vettingDeadline))
      } catch let needed as EvaluatorNeeded {
        answers.evaluator.append((needed.request, try await ask(needed.request)))
      }
    }
    throw ProblemError(.unavailable)
  }

  /// Asks the evaluator.
  ///
  /// - Throws: `StoreFailure` if it cannot be reached.
  func ask(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    do {
      return try await evaluator.answer(request)
    } catch let failure as StoreFailure {
      throw failure
    } catch { throw StoreFailure("the evaluator failed: \(error)") }
  }

  /// The current update policy as a compact JWS, dated with the clock of this machine.
  ///
  /// - Parameters:
  ///   - published: the published configuration. If given, the policy names the version and the
  ///     hash of this configuration in the form in which clients get it.
  ///   - nonce: the nonce of the request; nil if it has none.
  /// - Throws: `ProblemError` for a malformed nonce.
  public func updatePolicy(
    naming published: PublishedConfiguration? = nil, nonce: String? = nil
  ) async throws -> String {
    if let nonce, Base64URL.decode(nonce)?.count != Route.nonceLength {
      throw ProblemError(.malformedRequest)
    }
    let now = store.clock.machineTime
    var claims = UpdatePolicyClaims(
      providerID: identity.id, issuedAt: now / 1000,
      rules: await updatePolicySource.updatePolicy.rules, nonce: nonce)
    if let published {
      let current = try await renewal.current(published, at: now)
      claims.validUntil = (now + settings.configurationValidity) / 1000
      claims.configurationVersion = current.claims.configurationVersion
      claims.configurationHash = current.hash
    }
    return try await signedUpdatePolicy.compact(claims, identity: identity)
  }

  /// `published` in the form in which clients get it at present: signed again, with a `valid_until`
  /// by the clock of this machine.
  public func current(
    _ published: PublishedConfiguration
  ) async throws -> PublishedConfiguration {
    try await renewal.current(published, at: store.clock.machineTime)
  }

  /// Deletes expired rows of identity proofing, above all personal data. Each proofing instruction
  /// also does this; a periodic call covers a provider without requests.
  public func deleteEndedRows() async throws {
    let settings = settings.proofing
    for _ in 1...Self.sweepRounds {
      let isMore = try await store.transaction { rows in
        let now = try rows.now
        let isMore = try rows.hasEndedRows(by: now)
        try rows.deleteEndedRows(by: now, settings: settings)
        // Stored answers may contain a masked label.
        try rows.deleteChallenges(expiredBy: now)
        return isMore
      }
      // Pages are deleted after the sessions, because a page stays while its account has a session.
      // The transaction is a separate one because it may fail: a code that is made at this very
      // moment prevents the deletion of its account. It must not prevent the deletions above.
      try await store.transaction { rows in try rows.deleteEnrolmentPages(expiredBy: try rows.now) }
      if !isMore { break }
    }
    try await deleteEndedStatusLists()
    // Last, because the evaluator may be out of reach.
    try await deleteEndedWallets()
  }

  /// How often the deletion is repeated at most. It is repeated because a store deletes a limited
  /// number of rows at once.
  static let sweepRounds = 10_000

  /// Checks that the store responds. Throws `StoreFailure`.
  public func ping() async throws { try await store.ping() }
}

/// What others than the store answered for one request.
struct OutsideAnswers: Sendable {
  var vetted: VettedCase?
  var evaluator: [(request: EvaluatorRequest, answer: EvaluatorAnswer)] = []
}

/// Rolls a transaction back that needs an answer of the evaluator.
struct EvaluatorNeeded: Error {
  let request: EvaluatorRequest
}

/// The result of handling one instruction.
struct HandledInstruction: Sendable {
  /// The signed answer, a compact JWS.
  var answer: String
  /// The outcome if a PIN was checked.
  var attempt: AttemptOutcome?
  /// Set for an instruction of identity proofing.
  var notice: ProofingNotice?
}

/// Handles one request within one transaction, at one fixed point in time.
struct InstructionHandler {
  let provider: Provider
  let request: InstructionRequest
  let admission: WalletAdmission
  let rows: any ProviderTransaction
  /// The stored wallet that the request is about; nil if there is none.
  let stored: StoredWallet?
  let now: Int64
  /// What others answered before this transaction.
  let answers: OutsideAnswers

  /// The verdict of vetting, obtained before this transaction.
  var vetted: VettedCase? { answers.vetted }

  /// - Parameter registering: the hardware key of a registration; nil for any other instruction.
  init(
    provider: Provider, request: InstructionRequest, admission: WalletAdmission,
    registering hardwareKey: [UInt8]?, rows: any ProviderTransaction, answers: OutsideAnswers
  ) throws {
    self.provider = provider
    self.request = request
    self.admission = admission
    self.rows = rows
    self.answers = answers
    // The row is read before the time, so that the time is that of the moment at which the row was
    // locked.
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
  func answer(
    _ outcome: InstructionOutcome, replacement: ReplacementNotice? = nil,
    failures: FailedAttempts? = nil
  ) throws -> String {
    let claims = InstructionResultClaims(
      issuer: identity.id, answering: request.claims,
      requestHash: Base64URL.encode(request.hash), outcome: outcome, replacement: replacement,
      failures: failures)
    return try SignedMessage.sign(claims, type: .instructionResult, signer: identity.keys.result)
  }

  /// The live challenge that the request names, if it was given to `wallet` for this instruction.
  ///
  /// - Throws: `ProblemError`: challenge-refused, or challenge-used if another request used it.
  func challenge(givenTo wallet: String) throws -> StoredChallenge {
    guard let bytes = request.challenge, let stored = try rows.challenge(bytes),
      stored.purpose == request.claims.instruction.rawValue, stored.expiresAt > now,
      stored.wallet == wallet
    else { throw ProblemError(.challengeRefused) }
    if let use = stored.use, use.requestHash != request.hash {
      throw ProblemError(.challengeUsed)
    }
    return stored
  }

  /// Stores the answer with the challenge, so that the same request gets the same answer if it is
  /// sent again.
  func use(_ challenge: StoredChallenge, answer: String) throws {
    var used = challenge
    used.use = StoredChallenge.Use(requestHash: request.hash, answer: answer)
    try rows.update(used)
  }
}
