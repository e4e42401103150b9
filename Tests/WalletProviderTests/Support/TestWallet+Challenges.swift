import ServerTestSupport
import WalletOPRF
import WalletProtocol
import WalletProvider
import XCTest

// Challenges, and the evaluations that come with some of them.

extension TestWallet {
  /// Base64url of a blinded PIN: a random group element, because nobody can see what it was made
  /// from.
  static func newBlinded() throws -> String {
    Base64URL.encode(try SecretScalar.random().publicValue().serialized)
  }

  /// A `challenge` that is ready to send. For an attempt it names the PIN key and a blinded PIN.
  ///
  /// - Parameter pin: the PIN of the attempt; the key of a prepared new PIN is named for that PIN.
  func prepareChallenge(
    _ instruction: InstructionName, pin: String? = nil, sequence: UInt64? = nil
  ) throws -> Prepared {
    var payload = ChallengePayload(instruction: instruction)
    if instruction.isAttempt {
      payload.key = keyID(of: pin)
      payload.blinded = try Self.newBlinded()
    }
    var prepared = try preparePlain(.challenge, payload, challenge: nil, sequence: sequence)
    prepared.blinded = payload.blinded
    return prepared
  }

  /// The `challenge` of a registration, ready to send; `tamper` changes the payload, `tamperClaims`
  /// the claims before they are signed.
  func prepareRegistrationChallenge(
    sequence: UInt64? = nil, tamper: (inout ChallengePayload) -> Void = { _ in },
    tamperClaims: (inout InstructionClaims) -> Void = { _ in }
  ) throws -> Prepared {
    var payload = ChallengePayload(instruction: .register, blinded: try Self.newBlinded())
    tamper(&payload)
    let bytes = try WireJSON.encode(payload)
    var claims = claims(
      .challenge, payload: bytes, challenge: nil, sequence: sequence ?? nextSequence())
    claims.wallet = registration
    claims.hardwareKey = Base64URL.encode(hardware.der)
    tamperClaims(&claims)
    var prepared = try prepare(claims, payload: bytes)
    prepared.path = Route.registrationChallenge
    prepared.blinded = payload.blinded
    return prepared
  }

  /// A challenge for `instruction`. For an attempt at the PIN it is counted.
  func challenge(
    for instruction: InstructionName, pin: String? = nil, at provider: Provider? = nil
  ) async throws -> String {
    let asked = try prepareChallenge(instruction, pin: pin)
    return try challenge(in: try await send(asked, to: provider), of: asked)
  }

  func registrationChallenge(at provider: Provider? = nil) async throws -> String {
    let asked = try prepareRegistrationChallenge()
    return try challenge(in: try await send(asked, to: provider), of: asked)
  }

  /// The challenge in an outcome, which must be one; remembers the evaluation that came with it.
  func challenge(in outcome: InstructionOutcome, of prepared: Prepared) throws -> String {
    guard case .challenge(let challenge, _, _, _) = outcome else {
      throw UnexpectedOutcome(outcome: outcome)
    }
    remember(outcome, of: prepared)
    return challenge
  }

  /// The id of the key that evaluates this PIN.
  private func keyID(of pin: String?) -> String? {
    if let pendingPin, pendingPin.pin == pin { return pendingPin.evaluated.key }
    return pinKeyID
  }

  /// Remembers what the outcome says of PIN keys and evaluations.
  func remember(_ outcome: InstructionOutcome, of prepared: Prepared) {
    switch outcome {
    case .challenge(let challenge, _, let made?, let registration):
      let evaluated = Evaluated(
        key: made.evaluator.key, id: made.evaluator.evaluation, blinded: prepared.blinded ?? "")
      evaluations[challenge] = evaluated
      evaluation = evaluated
      registrationStates[challenge] = registration
    case .registered:
      pinKeyID = prepared.claims.challenge.flatMap { evaluations[$0]?.key }
      pendingPin = nil
    case .valid(_, _, let next):
      if let pendingPin, prepared.instruction.isAttempt,
        prepared.claims.challenge.flatMap({ evaluations[$0]?.key }) == pendingPin.evaluated.key
      {
        promote(pendingPin)
      }
      guard let next, let beginning = prepared.beginning else { return }
      pendingPin = PendingPin(
        change: beginning.change, pin: beginning.pin,
        evaluated: Evaluated(
          key: next.evaluator.key, id: next.evaluator.evaluation, blinded: beginning.blinded))
    default: break
    }
  }

  /// From now on only the new PIN is used.
  func promote(_ pending: PendingPin) {
    pinKeyID = pending.evaluated.key
    pendingPin = nil
  }
}
