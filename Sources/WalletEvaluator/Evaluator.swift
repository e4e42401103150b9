public import WalletAttempts
import WalletOPRF
public import WalletProtocol
import WalletSignatures

/// The evaluator's rules: multiplies a blinded PIN by its half of the key, and counts attempts.
///
/// Each request is handled within one write transaction of the store. Every evaluation is an
/// attempt. Only the proof that the PIN was right takes attempts back.
public struct Evaluator: PinEvaluator {
  /// How long a PIN key that was opened can be adopted, in milliseconds.
  public static let adoptionLife: Int64 = 3_600_000

  public let id: String
  let keys: EvaluatorKeys
  let store: any EvaluatorStore
  let policy: any AttemptPolicySource

  public init(
    id: String, keys: EvaluatorKeys, store: any EvaluatorStore, policy: any AttemptPolicySource
  ) {
    self.id = id
    self.keys = keys
    self.store = store
    self.policy = policy
  }

  public var grantKeys: [PublishedKey] { keys.grantKeys }

  public func answer(_ request: EvaluatorRequest) async throws -> EvaluatorAnswer {
    switch request {
    case .open(let envelope):
      guard let wallet = ForwardedChallenge(envelope) else { return .refused }
      return try await transaction { try $0.open(wallet) }
    case .evaluate(let envelope):
      guard let wallet = ForwardedChallenge(envelope) else { return .refused }
      return try await transaction { try $0.evaluate(wallet) }
    case .adopt(let key, let adoption):
      return try await transaction { try $0.adopt(key, adoption) }
    case .prove(let key, let message):
      return try await transaction { try $0.prove(key, message) }
    case .commit(let key):
      return try await transaction { try $0.commit(key) }
    case .cancel(let key):
      return try await transaction { try $0.cancel(key) }
    case .delete(let key):
      return try await transaction { try $0.delete(key) }
    }
  }

  /// Begins the rounds and the count of 30 days anew, for the operator of the evaluator. No message
  /// asks for it, so that a provider cannot take back the attempts that it makes itself.
  ///
  /// - Returns: False if there is no such PIN key.
  public func unblock(key: String) async throws -> Bool {
    try await transaction { try $0.unblock(key) }
  }

  /// Checks that the store responds. Throws `EvaluatorFailure`.
  public func ping() async throws { try await transaction { _ in } }

  private func transaction<Answer: Sendable>(
    _ body: @escaping @Sendable (EvaluationHandler) throws -> Answer
  ) async throws -> Answer {
    try await store.transaction { rows in
      try body(
        EvaluationHandler(keys: keys, policy: policy.current, rows: rows, now: try rows.now))
    }
  }
}

/// Handles one request within one transaction, at one fixed point in time.
struct EvaluationHandler {
  let keys: EvaluatorKeys
  let policy: AttemptPolicy
  let rows: any EvaluatorTransaction
  let now: Int64

  func open(_ request: ForwardedChallenge) throws -> EvaluatorAnswer {
    guard request.payload.instruction == .register, request.payload.key == nil,
      let hardwareKey = request.claims.hardwareKey.flatMap({ Base64URL.decode($0) }),
      request.isSigned(by: hardwareKey)
    else { return .refused }
    try rows.deleteExpired(by: now)
    if let known = try rows.wallet(openedBy: request.hash) {
      // After the first attempt the answer to the opening is no longer kept.
      guard let newest = known.newest, newest.request == request.hash else { return .refused }
      return newest.answer
    }
    let (key, evaluation) = try newKey(request.blinded, hardwareKey: hardwareKey)
    var wallet = EvaluatedWallet(
      id: SecureRandom.identifier(), audience: request.claims.audience, hardwareKey: hardwareKey,
      sequence: request.claims.sequence, attempts: AttemptState(), current: key,
      expiresAt: now + Evaluator.adoptionLife, generation: rows.generation)
    let answer = EvaluatorAnswer.evaluated(
      evaluation: evaluation, standing: wallet.attempts.standing(now: now))
    wallet.newest = Evaluation(
      id: evaluation.evaluation, key: key.id, blinded: request.blinded.serialized,
      request: request.hash, answer: answer)
    try rows.insert(wallet, openedBy: request.hash)
    return answer
  }

  func evaluate(_ request: ForwardedChallenge) throws -> EvaluatorAnswer {
    guard request.payload.instruction.isAttempt, let id = request.payload.key else {
      return .refused
    }
    guard var wallet = try wallet(key: id), let key = wallet.key(id) else {
      return .unknownKey
    }
    guard request.isSigned(by: wallet.hardwareKey), request.claims.audience == wallet.audience,
      key.publicKey != nil
    else { return .refused }
    if let newest = wallet.newest, newest.request == request.hash { return newest.answer }
    // The provider limits the step. It may be ahead of this wallet, whose other instructions do not
    // come here.
    guard request.claims.sequence > wallet.sequence else {
      return .sequenceRefused(current: wallet.sequence)
    }
    let before = wallet.attempts
    guard wallet.attempts.begin(policy: policy, now: now) == nil else {
      // A block that begins anew, because the clock went back, must be stored to end.
      if wallet.attempts != before { try rows.update(wallet) }
      return .blocked(standing: wallet.attempts.standing(now: now))
    }
    try rows.keepCount(of: wallet, isInLastRound: wallet.attempts.isInLastRound(policy: policy))
    wallet.sequence = request.claims.sequence
    let evaluation = try evaluation(of: request.blinded, by: key)
    let answer = EvaluatorAnswer.evaluated(
      evaluation: evaluation, standing: wallet.attempts.standing(now: now))
    wallet.newest = Evaluation(
      id: evaluation.evaluation, key: id, blinded: request.blinded.serialized,
      request: request.hash, answer: answer)
    try rows.update(wallet)
    return answer
  }

  func prove(_ id: String, _ compact: String) throws -> EvaluatorAnswer {
    guard var wallet = try wallet(key: id), let key = wallet.key(id) else {
      return .unknownKey
    }
    guard var newest = wallet.newest, newest.key == id, let publicKey = key.publicKey,
      let message = PinSignature(
        compact, type: .pinInstruction, by: publicKey, evaluation: newest.id,
        blinded: newest.blinded),
      message.claims.hardwareKey == Base64URL.encode(wallet.hardwareKey)
    else { return .refused }
    if let proof = newest.proof { return proof.message == message.hash ? proof.answer : .refused }
    guard wallet.attempts.isOpen(now: now) else { return .refused }
    wallet.attempts.endWithRightPin()
    // A wallet that uses the new PIN has given up the former one.
    wallet.promote(id)
    var next: HalfEvaluation?
    if let text = message.claims.newBlinded {
      guard let bytes = Base64URL.decode(text),
        let blinded = try? GroupElement(serialized: bytes)
      else { return .refused }
      let made = try newKey(blinded, hardwareKey: wallet.hardwareKey, replacing: id)
      wallet.pending = made.key
      next = made.evaluation
    }
    let answer = EvaluatorAnswer.proven(standing: wallet.attempts.standing(now: now), next: next)
    newest.proof = Evaluation.Proof(message: message.hash, answer: answer)
    wallet.newest = newest
    try rows.keepCount(of: wallet, isInLastRound: false)
    try rows.update(wallet)
    return answer
  }

  func commit(_ id: String) throws -> EvaluatorAnswer {
    guard var wallet = try wallet(key: id) else { return .unknownKey }
    guard wallet.current.id != id else { return .done }
    wallet.promote(id)
    guard wallet.current.id == id else { return .refused }
    try rows.update(wallet)
    return .done
  }

  func cancel(_ id: String) throws -> EvaluatorAnswer {
    guard var wallet = try wallet(key: id) else { return .done }
    guard wallet.pending?.id == id else { return .refused }
    wallet.pending = nil
    try rows.update(wallet)
    return .done
  }

  func delete(_ id: String) throws -> EvaluatorAnswer {
    if let wallet = try wallet(key: id) { try rows.delete(id: wallet.id) }
    return .done
  }

  func unblock(_ id: String) throws -> Bool {
    guard var wallet = try wallet(key: id) else { return false }
    wallet.attempts.unblock()
    try rows.keepCount(of: wallet, isInLastRound: false)
    try rows.update(wallet)
    return true
  }

  /// The wallet with this PIN key. If its row may not be the newest one, it begins in its last round,
  /// or is unknown if it has no adopted PIN key.
  func wallet(key id: String) throws -> EvaluatedWallet? {
    guard var wallet = try rows.wallet(key: id) else { return nil }
    if wallet.generation != rows.generation {
      // The first PIN key may have been adopted since, and must not be again.
      if wallet.current.publicKey == nil { return nil }
      wallet.beginInLastRound(policy: policy, generation: rows.generation)
    }
    return wallet
  }

  /// Makes a PIN key for this hardware key and evaluates a blinded PIN with it.
  ///
  /// - Parameter former: The id of the wallet's PIN key, in whose place it comes; nil if it has none.
  private func newKey(
    _ blinded: GroupElement, hardwareKey: [UInt8], replacing former: String? = nil
  ) throws -> (key: EvaluatedKey, evaluation: HalfEvaluation) {
    let half = try SecretScalar.random()
    var key = EvaluatedKey(
      id: SecureRandom.identifier(), half: half.withBytes(Array.init), openedAt: now, opening: "",
      blinded: blinded.serialized, grantKey: keys.current.signer.published.id)
    var evaluation = try evaluation(of: blinded, by: key)
    key.opening = evaluation.evaluation
    let grant = EvaluatorGrant(
      key: key.id, publicValue: Base64URL.encode(try half.publicValue().serialized),
      hardwareKeyHash: Base64URL.encode(Digest.sha256(hardwareKey)), replaces: former,
      grantKey: keys.current.signer.published.key)
    evaluation.grant = try SignedMessage.sign(
      grant, type: .evaluatorGrant, signer: keys.current.signer)
    if former != nil, keys.entries.count > 1 {
      evaluation.otherGrants = try keys.entries.dropFirst().map {
        try SignedMessage.sign(grant, type: .evaluatorGrant, signer: $0.signer)
      }
    }
    return (key, evaluation)
  }

  private func evaluation(
    of blinded: GroupElement, by key: EvaluatedKey
  ) throws -> HalfEvaluation {
    let half = try key.half.withUnsafeBytes { try SecretScalar(serialized: $0) }
    let element = try half.evaluate(blinded)
    let proof = try EvaluationProof(key: half, blinded: blinded, evaluated: element)
    return HalfEvaluation(
      key: key.id, evaluation: SecureRandom.identifier(),
      element: Base64URL.encode(element.serialized), proof: Base64URL.encode(proof.serialized))
  }
}
