internal import CSodium

/// Hashing to the group and to its scalars (RFC 9380 section 5.3.1, expand_message_xmd with
/// SHA-512, and RFC 9497 section 4.1).
enum HashToGroup {
  /// Writes the group element of `message` into `element`.
  static func element(
    of message: UnsafeRawBufferPointer, into element: GuardedBytes
  ) throws(ObliviousPRFError) {
    let uniform = try expanded("HashToGroup-") { $0.update(message) }
    let status = element.withPointer { element in
      uniform.withPointer { crypto_core_ristretto255_from_hash(element, $0) }
    }
    // The hash of some message is the identity element with a probability of 2 to the power of
    // -252.
    let isIdentity = element.withPointer { sodium_is_zero($0, ObliviousPRF.elementLength) == 1 }
    guard status == 0, !isIdentity else { throw .invalidInput }
  }

  /// Returns the scalar of a message that is no secret, as those of a proof are. In ordinary memory:
  /// each allocation of guarded memory takes several system calls, and this needs four.
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

  /// Returns 64 uniform bytes, derived from the message that `addMessage` adds. `prefix` and the
  /// context keep the bytes of different uses apart.
  private static func expanded(
    _ prefix: String, addMessage: (SHA512Stream) -> Void
  ) throws(ObliviousPRFError) -> GuardedBytes {
    let separator = separator(prefix)
    let first = try GuardedBytes(count: SHA512Stream.length)
    let hash = try SHA512Stream()
    hash.update([UInt8](repeating: 0, count: blockLength))
    addMessage(hash)
    hash.update(length: SHA512Stream.length)
    hash.update([0])
    hash.update(separator)
    first.withMutableBytes { hash.finish(into: $0) }

    // The wanted 64 bytes are one block of the hash.
    let block = try GuardedBytes(count: SHA512Stream.length)
    let second = try SHA512Stream()
    first.withBytes { second.update($0) }
    second.update([1])
    second.update(separator)
    block.withMutableBytes { second.finish(into: $0) }
    return block
  }
}
