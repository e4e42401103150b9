internal import CSodium

/// An element of the group ristretto255 other than the identity, in its one serialised form
/// (RFC 9496 section 4.3.2). Not secret.
public struct GroupElement: Hashable, Sendable {
  /// The 32 bytes.
  public let serialized: [UInt8]

  /// Reads an element; anything but the one serialised form of an element other than the identity
  /// is refused (RFC 9497 section 4.1, DeserializeElement).
  public init(serialized: [UInt8]) throws(ObliviousPRFError) {
    guard serialized.count == ObliviousPRF.elementLength, serialized.contains(where: { $0 != 0 }),
      crypto_core_ristretto255_is_valid_point(serialized) == 1
    else { throw .invalidInput }
    self.serialized = serialized
  }

  /// Takes what libsodium has computed of valid elements, which it writes in the one serialised form.
  /// Only the identity is refused.
  init(computed bytes: [UInt8]) throws(ObliviousPRFError) {
    guard bytes.contains(where: { $0 != 0 }) else { throw .invalidInput }
    serialized = bytes
  }

  /// Returns the element multiplied by a public scalar.
  func times(_ scalar: PublicScalar) throws(ObliviousPRFError) -> GroupElement {
    var product = [UInt8](repeating: 0, count: ObliviousPRF.elementLength)
    guard crypto_scalarmult_ristretto255(&product, scalar.serialized, serialized) == 0 else {
      throw .invalidInput
    }
    return try GroupElement(computed: product)
  }

  /// Returns the sum of both.
  func plus(_ other: GroupElement) throws(ObliviousPRFError) -> GroupElement {
    var sum = [UInt8](repeating: 0, count: ObliviousPRF.elementLength)
    guard crypto_core_ristretto255_add(&sum, serialized, other.serialized) == 0 else {
      throw .invalidInput
    }
    return try GroupElement(computed: sum)
  }

  /// Returns the generator multiplied by a public scalar.
  static func generator(times scalar: PublicScalar) throws(ObliviousPRFError) -> GroupElement {
    var product = [UInt8](repeating: 0, count: ObliviousPRF.elementLength)
    guard crypto_scalarmult_ristretto255_base(&product, scalar.serialized) == 0 else {
      throw .invalidInput
    }
    return try GroupElement(computed: product)
  }
}
