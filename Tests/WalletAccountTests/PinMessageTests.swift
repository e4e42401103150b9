import WalletCrypto
import WalletProtocol
import XCTest

@testable import WalletAccount

/// The messages that are written into guarded memory are byte for byte those of `WalletProtocol`.
final class PinMessageTests: XCTestCase {
  private let hardwareKey = Random.bytes(44)
  private let recipient = Random.bytes(32)
  private let challenge = Base64URL.encode(Random.bytes(32))
  private let change = Base64URL.encode(Random.bytes(16))
  /// With characters that JSON escapes.
  private let wallet = #"wallet "\secret":"" é/"# + "\n"
  private let audience = "https://provider.example/\u{1}"
  private let key = Result { try Ed25519.SigningKey(seed: .random(count: 32)) }
  private let newKey = Result { try Ed25519.SigningKey(seed: .random(count: 32)) }

  private let evaluation = EvaluationReference(
    id: #"evaluation "\1""#, blinded: Random.bytes(32))
  private let newBlinded = Random.bytes(32)

  private func assertIsThatOfTheProtocol(
    _ name: InstructionName, payload: Secret, expected: some Encodable, line: UInt = #line
  ) throws {
    // What is no attempt at the PIN names no evaluation; only the beginning of a change has two.
    let evaluation = name == .preparePinChange ? nil : evaluation
    let newBlinded = name == .beginPinChange ? newBlinded : nil
    let payloadBytes = try WireJSON.encode(expected)
    XCTAssertEqual(payload.disclosed(), payloadBytes, line: line)
    let key = try key.get()
    let opening =
      [.register, .preparePinChange].contains(name)
      ? try Secret.random(count: PinKeyAdoption.openingLength) : nil
    let message = PinMessage(
      audience: audience, wallet: wallet, instruction: name, challenge: challenge, sequence: 7,
      hardwareKey: hardwareKey, evaluation: evaluation, newBlinded: newBlinded,
      opening: opening)
    let claims = InstructionClaims(
      audience: audience, wallet: wallet, instruction: name,
      payloadHash: Base64URL.encode(Hash.sha256(payloadBytes)), challenge: challenge, sequence: 7,
      hardwareKey: Base64URL.encode(hardwareKey), evaluation: evaluation?.id,
      blinded: evaluation.map { Base64URL.encode($0.blinded) },
      newBlinded: newBlinded.map { Base64URL.encode($0) })
    let sealed = SealedInstruction(
      signature: try SignedMessage.sign(claims, type: .pinInstruction, signer: key),
      payload: Base64URL.encode(payloadBytes),
      pinPublicKey: name == .register ? Base64URL.encode(key.publicKey) : nil,
      pinKeyOpening: opening.map { Base64URL.encode($0.disclosed()) })
    XCTAssertEqual(
      String(decoding: try message.json(payload: payload, pinKey: key).disclosed(), as: UTF8.self),
      String(decoding: try WireJSON.encode(sealed), as: UTF8.self), line: line)
  }

  func testARegistration() throws {
    for attestation in [nil, Base64URL.encode(Random.bytes(6000))] {
      try assertIsThatOfTheProtocol(
        .register,
        payload: PinMessage.payload(
          shareRecipient: recipient, attestation: attestation, registrationState: "id.state"),
        expected: PinPayload(
          shareRecipient: Base64URL.encode(recipient), attestation: attestation,
          registrationState: "id.state"))
    }
  }

  func testACheckOfThePin() throws {
    try assertIsThatOfTheProtocol(
      .checkPin, payload: PinMessage.payload(shareRecipient: recipient),
      expected: PinPayload(shareRecipient: Base64URL.encode(recipient)))
  }

  func testADecisionOnAReplacement() throws {
    let session = Base64URL.encode(Random.bytes(16))
    for decision in ReplacementDecision.allCases {
      try assertIsThatOfTheProtocol(
        .decideReplacement,
        payload: PinMessage.payload(
          shareRecipient: recipient, session: session, decision: decision),
        expected: ReplacementPayload(
          shareRecipient: Base64URL.encode(recipient), session: session, decision: decision))
    }
  }

  func testTheAuthorisationOfAUse() throws {
    let act = Random.bytes(32)
    let slots = [SlotReference(useKey: "use-1", box: "AAEC"), SlotReference(useKey: "b", box: "")]
    for slots in [slots, []] {
      try assertIsThatOfTheProtocol(
        .authorizeUse,
        payload: PinMessage.payload(
          shareRecipient: recipient, purpose: .presentation, act: act, slots: slots),
        expected: UsePayload(
          shareRecipient: Base64URL.encode(recipient), purpose: .presentation,
          act: Base64URL.encode(act), slots: slots))
    }
  }

  func testTheBeginningOfAChangeOfThePin() throws {
    try assertIsThatOfTheProtocol(
      .beginPinChange, payload: PinMessage.payload(shareRecipient: recipient, change: change),
      expected: PinChangeBeginning(shareRecipient: Base64URL.encode(recipient), change: change))
  }

  func testThePreparationOfAChangeOfThePin() throws {
    let newKey = try newKey.get()
    let proof = NewPinKeyProof(
      audience: audience, wallet: wallet, challenge: challenge, change: change,
      evaluation: evaluation.id, blinded: Base64URL.encode(evaluation.blinded))
    try assertIsThatOfTheProtocol(
      .preparePinChange,
      payload: PinMessage.payload(
        shareRecipient: recipient, change: change, newKey: newKey, audience: audience,
        wallet: wallet, challenge: challenge, evaluation: evaluation),
      expected: PinChangePayload(
        shareRecipient: Base64URL.encode(recipient), change: change,
        newPinPublicKey: Base64URL.encode(newKey.publicKey),
        proof: try SignedMessage.sign(proof, type: .newPinKeyProof, signer: newKey)))
  }
}
