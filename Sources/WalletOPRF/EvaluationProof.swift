/// The proof that an element was multiplied by the key that belongs to a known public value. It
/// shows that two discrete logarithms are equal (RFC 9497 section 2.2), here for one element.
public struct EvaluationProof: Hashable, Sendable {
  private let challenge: PublicScalar
  private let response: PublicScalar

  /// The length of a serialised proof in bytes.
  public static let length = 2 * ObliviousPRF.scalarLength

  /// The 64 bytes: both scalars, one after the other.
  public var serialized: [UInt8] { challenge.serialized + response.serialized }

  /// Reads a proof; anything but two scalars in their one serialised form is refused.
  public init(serialized: [UInt8]) throws(ObliviousPRFError) {
    guard serialized.count == Self.length else { throw .invalidInput }
    challenge = try PublicScalar(serialized: Array(serialized.prefix(ObliviousPRF.scalarLength)))
    response = try PublicScalar(serialized: Array(serialized.suffix(ObliviousPRF.scalarLength)))
  }

  /// Proves that `evaluated` is `blinded`, multiplied by `key` (RFC 9497 section 2.2.1,
  /// GenerateProof).
  public init(
    key: SecretScalar, blinded: GroupElement, evaluated: GroupElement
  ) throws(ObliviousPRFError) {
    try self.init(key: key, blinded: blinded, evaluated: evaluated, nonce: .random())
  }

  /// Makes the proof with a given random scalar, which must be used once only. For tests with known
  /// answers.
  package init(
    key: SecretScalar, blinded: GroupElement, evaluated: GroupElement, nonce: SecretScalar
  ) throws(ObliviousPRFError) {
    let publicValue = try key.publicValue()
    let composite = try Composite(publicValue, blinded, evaluated)
    challenge = try composite.challenge(
      publicValue, nonce.publicValue(), nonce.evaluate(composite.blinded))
    response = try nonce.minus(challenge, times: key)
  }

  /// Returns whether the proof holds: `evaluated` is `blinded`, multiplied by the secret scalar that
  /// belongs to `publicValue` (RFC 9497 section 2.2.2, VerifyProof).
  ///
  /// - Throws: `ObliviousPRFError.outOfMemory`.
  public func holds(
    publicValue: GroupElement, blinded: GroupElement, evaluated: GroupElement
  ) throws(ObliviousPRFError) -> Bool {
    do {
      let composite = try Composite(publicValue, blinded, evaluated)
      let first = try GroupElement.generator(times: response).plus(publicValue.times(challenge))
      let second = try composite.blinded.times(response).plus(composite.evaluated.times(challenge))
      return try composite.challenge(publicValue, first, second) == challenge
    } catch {
      guard error == .invalidInput else { throw error }
      // No honest proof has a sum that is the identity element or a part that is zero.
      return false
    }
  }
}

/// The pair of elements that a proof is about, weighted by their hash (RFC 9497 section 2.2.1,
/// ComputeComposites, for one pair).
private struct Composite {
  let blinded: GroupElement
  let evaluated: GroupElement

  init(
    _ publicValue: GroupElement, _ blinded: GroupElement, _ evaluated: GroupElement
  ) throws(ObliviousPRFError) {
    let seed = try PublicHash.sha512(
      Self.prefixed(publicValue.serialized)
        + Self.prefixed(Array("Seed-".utf8) + ObliviousPRF.context))
    let weight = try HashToGroup.scalar(
      of: Self.prefixed(seed) + [0, 0] + Self.prefixed(blinded.serialized)
        + Self.prefixed(evaluated.serialized) + Array("Composite".utf8))
    self.blinded = try blinded.times(weight)
    self.evaluated = try evaluated.times(weight)
  }

  /// The challenge of a proof with these commitments.
  func challenge(
    _ publicValue: GroupElement, _ first: GroupElement, _ second: GroupElement
  ) throws(ObliviousPRFError) -> PublicScalar {
    let parts = [publicValue, blinded, evaluated, first, second]
    return try HashToGroup.scalar(
      of: parts.flatMap { Self.prefixed($0.serialized) } + Array("Challenge".utf8))
  }

  private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
  }
}
