import ServerTestSupport
import WalletOPRF
import WalletProtocol
import WalletSignatures
import XCTest

@testable import WalletEvaluator

/// The messages of one wallet, as the provider forwards them.
final class TestWallet {
  let hardware: TestHardwareKey
  let pin = TestPinKey()
  let audience: String
  let id = SecureRandom.identifier()
  var sequence: UInt64 = 0

  init(_ hardware: TestHardwareKey = .makeP256(), audience: String = "provider") {
    self.hardware = hardware
    self.audience = audience
  }

  static func blinded() throws -> String {
    Base64URL.encode(try SecretScalar.random().publicValue().serialized)
  }

  /// A `challenge`; its parts can be replaced by wrong ones.
  func challenge(
    for instruction: InstructionName, key: String?, blinded: String?, sequence: UInt64? = nil,
    audience: String? = nil, hardwareKey: [UInt8]? = nil, signer: TestHardwareKey? = nil,
    as outer: InstructionName = .challenge
  ) throws -> InstructionEnvelope {
    self.sequence += 1
    let payload = try WireJSON.encode(
      ChallengePayload(instruction: instruction, key: key, blinded: blinded))
    let claims = InstructionClaims(
      audience: audience ?? self.audience, wallet: id, instruction: outer,
      payloadHash: Base64URL.encode(Digest.sha256(payload)), challenge: nil,
      sequence: sequence ?? self.sequence, hardwareKey: hardwareKey.map { Base64URL.encode($0) })
    return InstructionEnvelope(
      signature: try SignedMessage.sign(claims, type: .instruction, signer: signer ?? hardware),
      payload: Base64URL.encode(payload))
  }

  /// The `challenge` of a registration.
  func registration(_ blinded: String) throws -> InstructionEnvelope {
    try challenge(for: .register, key: nil, blinded: blinded, hardwareKey: hardware.der)
  }

  /// The inner message of a PIN instruction.
  func message(
    _ instruction: InstructionName = .checkPin, evaluation: String?, blinded: String?,
    newBlinded: String? = nil, hardwareKey: [UInt8]? = nil, signer: TestPinKey? = nil,
    type: SignedMessageType = .pinInstruction, payloadHash: String = "hash",
    audience: String? = nil, challenge: String? = "challenge"
  ) throws -> String {
    let claims = InstructionClaims(
      audience: audience ?? self.audience, wallet: id, instruction: instruction,
      payloadHash: payloadHash, challenge: challenge, sequence: sequence,
      hardwareKey: Base64URL.encode(hardwareKey ?? hardware.der), evaluation: evaluation,
      blinded: blinded, newBlinded: newBlinded)
    return try SignedMessage.sign(claims, type: type, signer: signer ?? pin)
  }

  /// The proof by a new PIN key in `prepare_pin_change`.
  func newKeyProof(
    _ made: Made, by key: TestPinKey, challenge: String = "challenge"
  ) throws -> String {
    let proof = NewPinKeyProof(
      audience: audience, wallet: id, challenge: challenge, change: "change",
      evaluation: made.half.evaluation, blinded: made.blinded)
    return try SignedMessage.sign(proof, type: .newPinKeyProof, signer: key)
  }

  /// What the wallet signs with both keys for the adoption of a PIN key; its parts can be replaced
  /// by wrong ones.
  func adoption(
    _ instruction: InstructionName = .register, message: String, payload: String? = nil,
    publicKey: String, committed: String? = nil, audience: String? = nil,
    challenge: String? = "challenge", signer: TestHardwareKey? = nil
  ) throws -> PinKeyAdoption {
    let opening = SecureRandom.bytes(PinKeyAdoption.openingLength)
    let key = Base64URL.decode(committed ?? publicKey) ?? []
    let claims = InstructionClaims(
      audience: audience ?? self.audience, wallet: id, instruction: instruction,
      payloadHash: "hash", challenge: challenge, sequence: sequence,
      pinKeyCommitment: Base64URL.encode(Digest.sha256(opening + key)))
    return PinKeyAdoption(
      signature: try SignedMessage.sign(claims, type: .instruction, signer: signer ?? hardware),
      message: message, payload: payload, publicKey: publicKey,
      opening: Base64URL.encode(opening))
  }

  /// What the wallet signs for the adoption of the key of a new PIN; its parts can be replaced by
  /// wrong ones.
  func change(
    to newPin: TestPinKey, _ made: Made, proof: String? = nil, signer: TestPinKey? = nil,
    instruction: InstructionName = .preparePinChange, type: SignedMessageType = .pinInstruction,
    hardwareKey: [UInt8]? = nil, audience: String? = nil, challenge: String? = "challenge",
    publicKey: String? = nil, payload: [UInt8]? = nil
  ) throws -> PinKeyAdoption {
    let content = try WireJSON.encode(
      PinChangePayload(
        shareRecipient: "recipient", change: "change",
        newPinPublicKey: publicKey ?? newPin.publicKey,
        proof: try proof ?? newKeyProof(made, by: newPin)))
    let message = try message(
      instruction, evaluation: nil, blinded: nil, hardwareKey: hardwareKey, signer: signer,
      type: type, payloadHash: Base64URL.encode(Digest.sha256(payload ?? content)),
      audience: audience, challenge: challenge)
    return try adoption(
      .preparePinChange, message: message, payload: Base64URL.encode(content),
      publicKey: newPin.publicKey)
  }

  /// An evaluation and the blinded PIN that was evaluated.
  struct Made {
    var blinded: String
    var half: HalfEvaluation
  }
}
