import WalletCrypto
import WalletOPRF

/// Evaluator and provider in one: the two halves of a PIN key.
struct TwoHalves {
  let evaluator: SecretScalar
  let provider: SecretScalar

  init() throws {
    evaluator = try .random()
    provider = try .random()
  }

  init(evaluator: [UInt8], provider: [UInt8]) throws {
    self.evaluator = try evaluator.withUnsafeBytes { try SecretScalar(serialized: $0) }
    self.provider = try provider.withUnsafeBytes { try SecretScalar(serialized: $0) }
  }

  /// The public values that the wallet keeps.
  func values() throws -> PinKeyValues {
    PinKeyValues(
      evaluator: try evaluator.publicValue().serialized,
      provider: try provider.publicValue().serialized)
  }

  /// The evaluation of a blinded PIN, first by the evaluator's half, then by the provider's.
  func evaluation(of blinded: [UInt8]) throws -> PinEvaluationElements {
    let blinded = try GroupElement(serialized: blinded)
    let half = try evaluator.evaluate(blinded)
    let element = try provider.evaluate(half)
    return PinEvaluationElements(
      half: half.serialized,
      halfProof: try EvaluationProof(key: evaluator, blinded: blinded, evaluated: half).serialized,
      element: element.serialized,
      proof: try EvaluationProof(key: provider, blinded: half, evaluated: element).serialized)
  }
}
