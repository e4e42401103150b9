import WalletOPRF
import WalletProtocol

@testable import WalletCrypto

/// A PIN of the worked examples, with the two halves of its key. Blinds and the random scalars of
/// proofs are fixed, so that every evaluation has the same bytes.
struct ExamplePin {
  let digits: String
  let salt: [UInt8]
  let stretched: Secret
  /// The id of the key at the evaluator.
  let keyID: String
  let evaluator: SecretScalar
  let provider: SecretScalar
  /// The 64 bytes of the function.
  let output: Secret
  let secrets: PinSecrets

  /// - Parameter prefix: what the names of this PIN's seeds begin with.
  init(_ digits: String, prefix: String) throws {
    self.digits = digits
    salt = Array(ExampleParties.seed("\(prefix)salt").prefix(16))
    let pin = try Array(digits.utf8).withUnsafeBytes { try Pin(copying: $0) }
    stretched = try PinKey.stretch(
      pin, salt: Secret(copying: salt), parameters: .floor
    ).secret
    keyID = ExampleParties.bytes("\(prefix)PIN key", count: 16)
    evaluator = try Self.scalar("\(prefix)evaluator's half")
    provider = try Self.scalar("\(prefix)provider's half")
    let input = stretched.disclosed()
    let blind = try Self.scalar("blind of check_pin")
    let evaluated = try provider.evaluate(
      evaluator.evaluate(Self.blinded(input, by: blind)))
    var bytes = [UInt8](repeating: 0, count: ObliviousPRF.outputLength)
    try input.withUnsafeBytes { input in
      try bytes.withUnsafeMutableBytes {
        try ObliviousPRF.finalize(input, blind: blind, evaluated: evaluated, into: $0)
      }
    }
    output = try Secret(copying: bytes)
    secrets = try PinSecrets(output: output)
  }

  var key: Ed25519.SigningKey { secrets.key }

  /// Base64url of the PIN, blinded with the blind of that name.
  func blinded(_ name: String) throws -> String {
    Base64URL.encode(try element(name).serialized)
  }

  /// The evaluation of the PIN, blinded with the blind of that name.
  ///
  /// - Parameter grant: the evaluator's grant, for a new key.
  func evaluation(_ name: String, grant: String? = nil) throws -> PinEvaluation {
    let blinded = try element(name)
    let half = try evaluator.evaluate(blinded)
    let element = try provider.evaluate(half)
    let halfProof = try EvaluationProof(
      key: evaluator, blinded: blinded, evaluated: half,
      nonce: Self.scalar("proof of the evaluator, \(name)"))
    let proof = try EvaluationProof(
      key: provider, blinded: half, evaluated: element,
      nonce: Self.scalar("proof of the provider, \(name)"))
    return PinEvaluation(
      evaluator: HalfEvaluation(
        key: keyID, evaluation: Self.evaluationID(name),
        element: Base64URL.encode(half.serialized), proof: Base64URL.encode(halfProof.serialized),
        grant: grant),
      element: Base64URL.encode(element.serialized), proof: Base64URL.encode(proof.serialized),
      publicValue: grant == nil ? nil : try publicValue(provider))
  }

  /// The PIN key by this evaluation; nil if one of its proofs does not hold.
  func verifiedKey(
    of evaluation: PinEvaluation, blindOf name: String
  ) throws -> Ed25519.SigningKey? {
    let blinded = try element(name)
    let half = try GroupElement(serialized: Self.bytes(evaluation.evaluator.element))
    let last = try GroupElement(serialized: Self.bytes(evaluation.element))
    guard
      try EvaluationProof(serialized: Self.bytes(evaluation.evaluator.proof)).holds(
        publicValue: evaluator.publicValue(), blinded: blinded, evaluated: half),
      try EvaluationProof(serialized: Self.bytes(evaluation.proof)).holds(
        publicValue: provider.publicValue(), blinded: half, evaluated: last)
    else { return nil }
    var output = [UInt8](repeating: 0, count: ObliviousPRF.outputLength)
    try stretched.withBytes { input in
      try output.withUnsafeMutableBytes {
        try ObliviousPRF.finalize(
          input, blind: Self.scalar("blind of \(name)"), evaluated: last, into: $0)
      }
    }
    return try PinSecrets(output: Secret(copying: output)).key
  }

  private static func bytes(_ text: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(text) else { throw WireError.encodingRefused }
    return bytes
  }

  func publicValue(_ half: SecretScalar) throws -> String {
    Base64URL.encode(try half.publicValue().serialized)
  }

  static func evaluationID(_ name: String) -> String {
    ExampleParties.bytes("evaluation of \(name)", count: 16)
  }

  /// The number of a seed: its bytes in little-endian order without the four highest bits, which
  /// makes it less than the order of the group.
  private static func scalar(_ name: String) throws -> SecretScalar {
    var bytes = ExampleParties.seed(name)
    bytes[31] &= 0x0f
    return try bytes.withUnsafeBytes { try SecretScalar(serialized: $0) }
  }

  private func element(_ name: String) throws -> GroupElement {
    try Self.blinded(stretched.disclosed(), by: Self.scalar("blind of \(name)"))
  }

  private static func blinded(_ input: [UInt8], by blind: SecretScalar) throws -> GroupElement {
    try input.withUnsafeBytes { try ObliviousPRF.blinded($0, by: blind) }
  }
}
