import Foundation
import ProtocolTestClient
import WalletCrypto
import WalletProtocol
import XCTest

/// An attacker with the phone who is the provider too: he has its half of the key, sends the evaluator
/// whatever he likes, and finishes each evaluation himself.
struct LyingProvider {
  let provider: TestProvider
  let draft: InstructionDraft
  let wallet: String
  /// The id of the wallet's PIN key.
  let key: String
  private let half: [UInt8]
  /// The wallet's PIN public key.
  let publicKey: [UInt8]
  private let search: Theft.Search
  private(set) var sequence: UInt64 = 1_000_000

  init(_ theft: Theft, of provider: TestProvider) throws {
    self.provider = provider
    let search = try theft.search()
    let registration = try XCTUnwrap(search.loot.registration)
    let known = try KnownProvider(document: Array(provider.clientConfiguration()))
    draft = InstructionDraft(
      configuration: known.configuration, hardwareKey: try XCTUnwrap(search.loot.hardwareKey))
    wallet = try XCTUnwrap(registration["walletID"] as? String)
    key = try XCTUnwrap((registration["pinKey"] as? [String: Any])?["key"] as? String)
    half = try XCTUnwrap(search.providerHalves.first)
    let message = try XCTUnwrap(theft.pinMessages.first { $0.pinPublicKey != nil })
    publicKey = try XCTUnwrap(message.pinPublicKey.flatMap { Base64URL.decode($0) })
    self.search = search
  }

  /// Sends any message to the evaluator.
  func ask(_ request: EvaluatorRequest) throws -> EvaluatorAnswer {
    let object = try JSONSerialization.jsonObject(with: Data(WireJSON.encode(request)))
    let answer = try provider.control("/evaluator", try XCTUnwrap(object as? [String: Any]))
    return try WireJSON.decode(
      EvaluatorAnswer.self, from: Array(JSONSerialization.data(withJSONObject: answer)))
  }

  /// A request of the wallet, signed with its hardware key.
  mutating func challenge(
    _ blinded: String, for name: InstructionName = .checkPin, key other: String? = nil,
    sequence given: UInt64? = nil, by draft: InstructionDraft? = nil
  ) throws -> InstructionEnvelope {
    sequence += 1
    let body = try (draft ?? self.draft).challenge(
      name, wallet: wallet, sequence: given ?? sequence,
      key: name == .register ? nil : other ?? key, blinded: blinded)
    return try WireJSON.decode(InstructionEnvelope.self, from: body)
  }

  /// A message of a PIN key about an evaluation.
  func message(
    _ evaluation: HalfEvaluation, _ blinded: String, by signer: Ed25519.SigningKey,
    instruction: InstructionName = .checkPin, newBlinded: String? = nil
  ) throws -> String {
    let claims = InstructionClaims(
      audience: draft.configuration.providerID, wallet: wallet, instruction: instruction,
      payloadHash: "", challenge: "", sequence: sequence,
      hardwareKey: Base64URL.encode(
        try SubjectPublicKey(ed25519: draft.hardwareKey.publicKey).der),
      evaluation: evaluation.evaluation, blinded: blinded, newBlinded: newBlinded)
    return try SignedMessage.sign(claims, type: .pinInstruction, signer: signer)
  }

  /// The key that the right PIN becomes.
  mutating func pinKey(_ pin: PinGuess) throws -> Ed25519.SigningKey {
    let blinded = try pin.blinded()
    let answer = try ask(.evaluate(request: challenge(blinded.element)))
    guard case .evaluated(let evaluation, _) = answer else { throw TestFailure("\(answer)") }
    return try blinded.secrets(evaluation, halves: [half]).key
  }

  /// Begins a change of the PIN with the evaluator: what the owner does who changes his PIN, or whose
  /// PIN gets a new key, while the provider forwards nothing more of it.
  mutating func beginChange(_ pin: PinGuess) throws -> (half: HalfEvaluation, blinded: String) {
    let (blinded, new) = (try pin.blinded(), try pin.blinded())
    let answer = try ask(.evaluate(request: challenge(blinded.element, for: .beginPinChange)))
    guard case .evaluated(let evaluation, _) = answer else { throw TestFailure("\(answer)") }
    let key = try blinded.secrets(evaluation, halves: [half]).key
    let message = try message(
      evaluation, blinded.element, by: key, instruction: .beginPinChange, newBlinded: new.element)
    let proven = try ask(.prove(key: self.key, message: message))
    guard case .proven(_, let next?) = proven else { throw TestFailure("\(proven)") }
    return (next, new.element)
  }

  /// A key of his own for the evaluator, with the signature of the hardware key.
  ///
  /// - Parameter signer: Signs in the place of the PIN key in force.
  func adoption(
    of own: Ed25519.SigningKey, _ made: (half: HalfEvaluation, blinded: String),
    signer: Ed25519.SigningKey
  ) throws -> PinKeyAdoption {
    let (audience, opening) = (draft.configuration.providerID, [UInt8](repeating: 7, count: 32))
    let hardwareKey = Base64URL.encode(
      try SubjectPublicKey(ed25519: draft.hardwareKey.publicKey).der)
    let proof = NewPinKeyProof(
      audience: audience, wallet: wallet, challenge: "challenge", change: "change",
      evaluation: made.half.evaluation, blinded: made.blinded)
    let payload = try WireJSON.encode(
      PinChangePayload(
        shareRecipient: "", change: "change", newPinPublicKey: Base64URL.encode(own.publicKey),
        proof: try SignedMessage.sign(proof, type: .newPinKeyProof, signer: own)))
    let claims = InstructionClaims(
      audience: audience, wallet: wallet, instruction: .preparePinChange,
      payloadHash: Base64URL.encode(Hash.sha256(payload)), challenge: "challenge",
      sequence: sequence, hardwareKey: hardwareKey)
    var outer = claims
    outer.pinKeyCommitment = Base64URL.encode(Hash.sha256(opening + own.publicKey))
    return PinKeyAdoption(
      signature: try SignedMessage.sign(outer, type: .instruction, signer: draft.hardwareKey),
      message: try SignedMessage.sign(claims, type: .pinInstruction, signer: signer),
      payload: Base64URL.encode(payload), publicKey: Base64URL.encode(own.publicKey),
      opening: Base64URL.encode(opening))
  }

  /// The outcome of a guess by the evaluator.
  enum Outcome: Equatable {
    case wrong, right
    case blocked(AttemptStanding)
  }

  /// Has a guess evaluated, and compares its key with what he knows.
  mutating func evaluate(_ guess: PinGuess) throws -> Outcome {
    let blinded = try guess.blinded()
    switch try ask(.evaluate(request: challenge(blinded.element))) {
    case .evaluated(let evaluation, _):
      let secrets = try blinded.secrets(evaluation, halves: [half])
      return try search.confirms(guess, secrets) ? .right : .wrong
    case .blocked(let standing): return .blocked(standing)
    case let answer: throw TestFailure("\(answer)")
    }
  }

  /// Opens a new key for the same hardware key, and compares the guess's key with what he knows.
  mutating func open(_ guess: PinGuess) throws -> Outcome {
    let blinded = try guess.blinded()
    let answer = try ask(.open(request: challenge(blinded.element, for: .register)))
    guard case .evaluated(let evaluation, _) = answer else { throw TestFailure("\(answer)") }
    XCTAssertNotEqual(evaluation.key, key)
    let secrets = try blinded.secrets(evaluation, halves: [half])
    return try search.confirms(guess, secrets) ? .right : .wrong
  }
}
