public import WalletProtocol
import WalletSignatures

/// What the provider has to know again when a registration comes. It travels with the wallet,
/// sealed, so that nothing is stored for a registration that never comes.
struct RegistrationState: Codable {
  /// The id of the PIN key at the evaluator.
  var pinKeyID: String
  /// The id of its evaluation.
  var evaluation: String
  /// Base64url of the blinded PIN.
  var blinded: String
  /// Base64url of the provider's half of the key.
  var half: String

  /// The owner that the sealed state is bound to.
  static func owner(challenge: [UInt8], hardwareKey: [UInt8]) -> [[UInt8]] {
    [challenge, Digest.sha256(hardwareKey)]
  }
}

extension Provider {
  /// Handles the `challenge` of a registration in `body`: makes a PIN key with the evaluator and
  /// evaluates the blinded PIN. The provider stores nothing. The challenge expires by the clock of
  /// the store, which all servers share.
  ///
  /// - Throws: `ProblemError`, `StoreFailure`.
  public func registrationChallenge(body: [UInt8]) async throws -> InstructionAnswer {
    let request = try InstructionRequest(
      parsing: body, instruction: .challenge, audience: identity.id)
    guard let hardwareKey = request.claims.hardwareKey.flatMap({ Base64URL.decode($0) }) else {
      throw ProblemError(.malformedRequest)
    }
    try request.checkSignature(hardwareKey: hardwareKey)
    let payload = try request.plainPayload(ChallengePayload.self)
    guard payload.instruction == .register, payload.key == nil, let blinded = payload.blinded
    else { throw ProblemError(.instructionRefused) }
    let now = try await store.transaction { rows in try rows.now }
    guard
      case .evaluated(let evaluation, _) = try await ask(.open(request: request.envelope))
    else { throw ProblemError(.instructionRefused) }

    let sealing = identity.keys.sealing
    let challenge = try RegistrationChallenges(sealing: sealing)
      .make(expiresAt: now + settings.challengeLife)
    let half = try ProviderHalf()
    let state = RegistrationState(
      pinKeyID: evaluation.key, evaluation: evaluation.evaluation, blinded: blinded,
      half: Base64URL.encode(half.bytes))
    let sealed = try sealing.seal(
      WireJSON.encode(state), purpose: .registration,
      boundTo: RegistrationState.owner(challenge: challenge, hardwareKey: hardwareKey))
    let outcome = InstructionOutcome.challenge(
      Base64URL.encode(challenge), expiresInMilliseconds: UInt64(clamping: settings.challengeLife),
      evaluation: try half.completed(evaluation, isNew: true),
      registration: sealing.id + "." + Base64URL.encode(sealed))
    return InstructionAnswer(
      result: try SignedMessage.sign(
        InstructionResultClaims(
          issuer: identity.id, answering: request.claims,
          requestHash: Base64URL.encode(request.hash), outcome: outcome),
        type: .instructionResult, signer: identity.keys.result))
  }
}

extension InstructionHandler {
  /// Opens the state of a registration.
  ///
  /// - Throws: `ProblemError`, challenge-refused, if it was not made with this challenge for this
  ///   hardware key.
  func registrationState(
    _ text: String?, hardwareKey: [UInt8]
  ) throws(ProblemError) -> RegistrationState {
    let parts = (text ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let sealed = Base64URL.decode(parts[1]),
      let challenge = request.challenge,
      let opened = try? identity.keys.sealing.open(
        sealed, key: String(parts[0]), purpose: .registration,
        boundTo: RegistrationState.owner(challenge: challenge, hardwareKey: hardwareKey)),
      let state = try? WireJSON.decode(RegistrationState.self, from: opened)
    else { throw ProblemError(.challengeRefused) }
    return state
  }
}
