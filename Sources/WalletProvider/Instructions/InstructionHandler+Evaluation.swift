import WalletAttempts
import WalletOPRF
import WalletProtocol
import WalletSignatures

extension InstructionHandler {
  /// The evaluator's answer to a request, obtained before this transaction.
  ///
  /// - Throws: `EvaluatorNeeded` if there is none yet.
  func evaluator(_ request: EvaluatorRequest) throws -> EvaluatorAnswer {
    guard let found = answers.evaluator.last(where: { $0.request == request }) else {
      throw EvaluatorNeeded(request: request)
    }
    return found.answer
  }

  /// The answer to a `challenge` that was handled before; nil for a new one. The same request is
  /// never counted twice.
  func repeatedEvaluation(of wallet: StoredWallet) -> String? {
    guard let evaluation = wallet.evaluation,
      evaluation.request == Base64URL.encode(request.hash)
    else { return nil }
    return evaluation.answer
  }

  /// Begins an attempt at the PIN: the evaluator and the provider count it and multiply the blinded
  /// PIN, each by its half of the key.
  ///
  /// - Returns: The outcome; with an evaluation if an attempt is allowed.
  func beginAttempt(
    on wallet: inout StoredWallet, _ payload: ChallengePayload
  ) throws -> InstructionOutcome {
    guard let id = payload.key, let blinded = payload.blinded else {
      throw ProblemError(.instructionRefused)
    }
    let half = try half(of: wallet, key: id)
    if let refusal = wallet.attempts.refusal(now: now) { return refusal }
    switch try evaluator(.evaluate(request: request.envelope)) {
    case .evaluated(let evaluation, let standing):
      let policy = provider.policy.current
      if let refusal = wallet.attempts.begin(policy: policy, now: now) { return refusal }
      wallet.attempts.tighten(to: standing, now: now)
      let challenge = try insertChallenge(for: payload.instruction, of: wallet.id)
      let outcome = InstructionOutcome.challenge(
        Base64URL.encode(challenge), expiresInMilliseconds: challengeLife,
        evaluation: try half.completed(evaluation))
      wallet.evaluation = StoredEvaluation(
        id: evaluation.evaluation, pinKeyID: id, blinded: blinded,
        challenge: Base64URL.encode(challenge), request: Base64URL.encode(request.hash),
        answer: try answer(outcome))
      return outcome
    case .blocked(let standing):
      wallet.attempts.tighten(to: standing, now: now)
      guard let refusal = wallet.attempts.refusal(now: now) else {
        throw ProblemError(.unavailable)
      }
      return refusal
    case .sequenceRefused(let current):
      return .sequenceRefused(current: max(current, wallet.sequence))
    case .unknownKey:
      throw StoreFailure("the evaluator does not know the PIN key of a wallet")
    case .proven, .adopted, .done, .refused:
      throw ProblemError(.instructionRefused)
    }
  }

  /// The provider's half of a key of the wallet.
  ///
  /// - Throws: `ProblemError`, instruction-refused, if the wallet has no such key in use.
  private func half(of wallet: StoredWallet, key id: String) throws -> ProviderHalf {
    let sealing = identity.keys.sealing
    if id == wallet.pinKeyID { return try ProviderHalf(sealing.open(.half, of: wallet)) }
    guard let pending = wallet.pending, pending.pinKeyID == id, pending.sealedKey != nil else {
      throw ProblemError(.instructionRefused)
    }
    return try ProviderHalf(
      sealing.open(
        pending.sealedHalf, key: wallet.sealingKey, purpose: .pendingHalf,
        boundTo: wallet.sealOwner(ofChange: pending.change)))
  }

  /// Whether the message answers the newest attempt at the PIN, and in time.
  ///
  /// - Returns: The outcome if no attempt is open because the wallet is blocked; nil if it answers.
  /// - Throws: `ProblemError`, challenge-refused, if it answers none. That depends on nothing that
  ///   the PIN decides.
  func refusal(
    of inner: PinInstruction, by wallet: inout StoredWallet
  ) throws -> InstructionOutcome? {
    guard wallet.attempts.isOpen(now: now), let evaluation = wallet.evaluation,
      evaluation.challenge == request.claims.challenge,
      evaluation.id == inner.claims.evaluation, evaluation.blinded == inner.claims.blinded
    else {
      if let refusal = wallet.attempts.refusal(now: now) { return refusal }
      throw ProblemError(.challengeRefused)
    }
    return nil
  }
}

/// The provider's half of a PIN key.
struct ProviderHalf {
  let scalar: SecretScalar

  /// Makes a new one.
  init() throws { scalar = try .random() }

  /// - Parameter bytes: the 32 bytes that `bytes` returned.
  init(_ bytes: [UInt8]) throws {
    scalar = try bytes.withUnsafeBytes { try SecretScalar(serialized: $0) }
  }

  var bytes: [UInt8] { scalar.withBytes(Array.init) }

  /// Completes the evaluator's evaluation.
  ///
  /// - Parameter isNew: whether the wallet does not know this key yet.
  func completed(_ half: HalfEvaluation, isNew: Bool = false) throws -> PinEvaluation {
    guard let bytes = Base64URL.decode(half.element),
      let element = try? GroupElement(serialized: bytes)
    else { throw StoreFailure("the evaluator answered no group element") }
    let evaluated = try scalar.evaluate(element)
    let proof = try EvaluationProof(key: scalar, blinded: element, evaluated: evaluated)
    return PinEvaluation(
      evaluator: half, element: Base64URL.encode(evaluated.serialized),
      proof: Base64URL.encode(proof.serialized),
      publicValue: isNew ? Base64URL.encode(try scalar.publicValue().serialized) : nil)
  }
}
