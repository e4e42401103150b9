internal import CSodium

/// Hashing to the group and to its scalars (RFC 9380 section 5.3.1, expand_message_xmd with
/// SHA-512, and RFC 9497 section 4.1).
enum HashToGroup {
  /// Writes the group element of `message`, 32 bytes, into `element`.
  ///
  /// - Parameter uniform: 64 bytes for what is between.
  static func element(
    of message: UnsafeRawBufferPointer, into element: UnsafeMutablePointer<UInt8>,
    over uniform: UnsafeMutablePointer<UInt8>, by hash: SHA512Stream
  ) throws(ObliviousPRFError) {
    let separator = separator("HashToGroup-")
    hash.begin()
    hash.update([UInt8](repeating: 0, count: blockLength))
    hash.update(message)
    hash.update(length: SHA512Stream.length)
    hash.update([0])
    hash.update(separator)
    hash.finish(into: uniform)

    // The wanted 64 bytes are one block of the hash.
    hash.begin()
    hash.update(UnsafeRawBufferPointer(start: uniform, count: SHA512Stream.length))
    hash.update([1])
    hash.update(separator)
    hash.finish(into: uniform)
    // The hash of some message is the identity element with a probability of 2 to the power of
    // -252.
    guard crypto_core_ristretto255_from_hash(element, uniform) == 0,
      sodium_is_zero(element, ObliviousPRF.elementLength) == 0
    else { throw .invalidInput }
  }

  /// Returns the scalar of a message that is no secret, as those of a proof are. In ordinary
  /// memory, because guarded memory is scarce.
  static func scalar(of message: [UInt8]) throws(ObliviousPRFError) -> PublicScalar {
    let separator = separator("HashToScalar-")
    let first = try PublicHash.sha512(
      [UInt8](repeating: 0, count: blockLength) + message
        + [0, UInt8(truncatingIfNeeded: SHA512Stream.length), 0] + separator)
    // The wanted 64 bytes are one block of the hash.
    return PublicScalar(reducing: try PublicHash.sha512(first + [1] + separator))
  }

  /// The length in bytes of the blocks that SHA-512 reads.
  private static let blockLength = 128

  /// The end of a message, which keeps the hashes of different uses apart.
  private static func separator(_ prefix: String) -> [UInt8] {
    let tag = Array(prefix.utf8) + ObliviousPRF.context
    return tag + [UInt8(truncatingIfNeeded: tag.count)]
  }
}
