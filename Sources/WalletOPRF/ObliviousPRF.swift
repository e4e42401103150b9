internal import CSodium

/// The oblivious pseudo-random function of RFC 9497 in its verifiable mode (VOPRF), ciphersuite
/// ristretto255-SHA512, on libsodium's group operations. Wallet, evaluator and provider share it.
///
/// The wallet sends a blinded input. The holder of the key multiplies the input by the key, and
/// proves that the key belongs to a known public value. The wallet unblinds the result. Neither
/// side learns the other's secret. The key may be the product of two halves with two holders. Each
/// holder multiplies by its own half, and the result is that of the whole key.
public enum ObliviousPRF {
  /// The length of a serialised group element in bytes (RFC 9497 section 4.1, Ne).
  public static let elementLength = 32
  /// The length of a serialised scalar in bytes (RFC 9497 section 4.1, Ns).
  public static let scalarLength = 32
  /// The length of the result in bytes (RFC 9497 section 4.1, Nh).
  public static let outputLength = 64
  /// The largest input in bytes: its length is written in two bytes (RFC 9497 section 1.2).
  public static let maximumInputLength = 65_535

  /// RFC 9497 section 3.1: the version, the mode (1, VOPRF) and the ciphersuite.
  static let context = Array("OPRFV1-".utf8) + [1] + Array("-ristretto255-SHA512".utf8)

  /// Returns `input`, hashed into the group and multiplied by `blind` (RFC 9497 section 3.3.1,
  /// Blind).
  ///
  /// - Parameters:
  ///   - input: at most 65,535 bytes. Copies of it and of its hash are wiped.
  ///   - blind: a random scalar for this one evaluation.
  public static func blinded(
    _ input: UnsafeRawBufferPointer, by blind: SecretScalar
  ) throws(ObliviousPRFError) -> GroupElement {
    guard input.count <= maximumInputLength else { throw .invalidInput }
    let work = try Workspace()
    return try work.withPlaces { uniform, hashed throws(ObliviousPRFError) in
      try HashToGroup.element(of: input, into: hashed, over: uniform, by: work.hash)
      return try blind.publicProduct(with: hashed)
    }
  }

  /// Writes the result of the function for `input` into `output` (RFC 9497 section 3.3.2, Finalize,
  /// without the check of the proof, which the caller makes first).
  ///
  /// - Parameters:
  ///   - input: the bytes that were blinded.
  ///   - blind: the scalar that blinded them.
  ///   - evaluated: the blinded element, multiplied by the key.
  ///   - output: 64 bytes of the caller's guarded memory.
  public static func finalize(
    _ input: UnsafeRawBufferPointer, blind: SecretScalar, evaluated: GroupElement,
    into output: UnsafeMutableRawBufferPointer
  ) throws(ObliviousPRFError) {
    guard input.count <= maximumInputLength, output.count == outputLength,
      let output = output.bindMemory(to: UInt8.self).baseAddress
    else { throw .invalidInput }
    let work = try Workspace()
    try work.withPlaces { inverse, unblinded throws(ObliviousPRFError) in
      try blind.writeInverse(into: inverse)
      guard crypto_scalarmult_ristretto255(unblinded, inverse, evaluated.serialized) == 0 else {
        throw .invalidInput
      }
      let hash = work.hash
      hash.update(length: input.count)
      hash.update(input)
      hash.update(length: elementLength)
      hash.update(UnsafeRawBufferPointer(start: unblinded, count: elementLength))
      hash.update(Array("Finalize".utf8))
      hash.finish(into: output)
    }
  }
}

/// Why an operation of the function failed.
public enum ObliviousPRFError: Error, Equatable, Sendable {
  /// libsodium could not start, or there is no guarded memory.
  case outOfMemory
  /// Bytes that are no group element, the identity element, no scalar, zero, or of a wrong length.
  case invalidInput
}
