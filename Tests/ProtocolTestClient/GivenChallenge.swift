public import WalletProtocol
import WalletOPRF

/// What the provider gave for one instruction.
public struct GivenChallenge: Sendable {
  public var challenge: String
  /// Of the blinded PIN that was sent, if one was sent.
  public var evaluation: NamedEvaluation?
  /// Goes back unchanged; only for a registration.
  public var registration: String?

  public init(
    _ challenge: String, evaluation: NamedEvaluation? = nil, registration: String? = nil
  ) {
    self.challenge = challenge
    self.evaluation = evaluation
    self.registration = registration
  }

  /// Takes an outcome; nil if it is no challenge.
  ///
  /// - Parameter blinded: base64url of the blinded PIN that was sent; nil if none was.
  public init?(_ outcome: InstructionOutcome, blinded: String?) {
    guard case .challenge(let challenge, _, let evaluation, let registration) = outcome else {
      return nil
    }
    self.init(
      challenge, evaluation: NamedEvaluation(evaluation, blinded: blinded),
      registration: registration)
  }
}

/// An evaluation, as the messages of a PIN key name it.
public struct NamedEvaluation: Sendable {
  public var id: String
  /// The id of the PIN key that was used.
  public var key: String
  /// Base64url of the blinded PIN.
  public var blinded: String

  public init(id: String, key: String, blinded: String) {
    self.id = id
    self.key = key
    self.blinded = blinded
  }

  /// - Returns: nil if one of both is missing.
  public init?(_ evaluation: PinEvaluation?, blinded: String?) {
    guard let evaluation, let blinded else { return nil }
    self.init(
      id: evaluation.evaluator.evaluation, key: evaluation.evaluator.key, blinded: blinded)
  }

  /// Base64url of a random group element. Neither evaluator nor provider can tell it from the blinded
  /// PIN of a wallet.
  public static func randomBlinded() throws -> String {
    Base64URL.encode(try SecretScalar.random().publicValue().serialized)
  }
}
