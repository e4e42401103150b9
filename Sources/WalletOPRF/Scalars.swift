internal import CSodium

/// A scalar that is no secret, such as a part of a proof.
struct PublicScalar: Hashable, Sendable {
  let serialized: [UInt8]

  /// Reads a scalar; anything but the one serialised form is refused (RFC 9497 section 4.1,
  /// DeserializeScalar).
  init(serialized: [UInt8]) throws(ObliviousPRFError) {
    guard serialized.count == ObliviousPRF.scalarLength,
      Self(reducing: serialized + [UInt8](repeating: 0, count: 32)).serialized == serialized
    else { throw .invalidInput }
    self.serialized = serialized
  }

  /// The number of 64 bytes, reduced by the order of the group.
  init(reducing wide: [UInt8]) {
    var reduced = [UInt8](repeating: 0, count: ObliviousPRF.scalarLength)
    crypto_core_ristretto255_scalar_reduce(&reduced, wide)
    serialized = reduced
  }
}

/// A secret scalar other than zero: a key, half a key, or a blind. In guarded memory, wiped with
/// its last reference.
public final class SecretScalar: Sendable {
  private let bytes: GuardedBytes

  private init(_ bytes: GuardedBytes) { self.bytes = bytes }

  /// Returns a random scalar.
  public static func random() throws(ObliviousPRFError) -> SecretScalar {
    let bytes = try GuardedBytes(count: ObliviousPRF.scalarLength)
    bytes.withPointer { crypto_core_ristretto255_scalar_random($0) }
    return SecretScalar(bytes)
  }

  /// Copies 32 bytes; anything but the one serialised form of a scalar other than zero is refused.
  public init(serialized: UnsafeRawBufferPointer) throws(ObliviousPRFError) {
    guard serialized.count == ObliviousPRF.scalarLength, Self.isCanonical(serialized) else {
      throw .invalidInput
    }
    bytes = try GuardedBytes(count: ObliviousPRF.scalarLength)
    bytes.withMutableBytes { $0.copyMemory(from: serialized) }
  }

  /// Whether 32 bytes are a scalar other than zero: reducing it changes nothing. On the stack, which is
  /// wiped, because guarded memory is scarce.
  private static func isCanonical(_ serialized: UnsafeRawBufferPointer) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { memory in
      guard let reduced = memory.baseAddress else { return false }
      defer { sodium_memzero(reduced, 96) }
      let wide = reduced + 32
      sodium_memzero(wide, 64)
      UnsafeMutableRawBufferPointer(start: wide, count: 32).copyMemory(from: serialized)
      crypto_core_ristretto255_scalar_reduce(reduced, wide)
      return sodium_memcmp(reduced, wide, 32) == 0 && sodium_is_zero(reduced, 32) == 0
    }
  }

  /// Calls `body` with the 32 bytes, which are valid only during the call.
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  { try bytes.withBytes(body) }

  /// Returns the public value: the generator multiplied by the scalar.
  public func publicValue() throws(ObliviousPRFError) -> GroupElement {
    var product = [UInt8](repeating: 0, count: ObliviousPRF.elementLength)
    guard bytes.withPointer({ crypto_scalarmult_ristretto255_base(&product, $0) }) == 0 else {
      throw .invalidInput
    }
    return try GroupElement(computed: product)
  }

  /// Returns `element`, multiplied by the scalar (RFC 9497 section 3.3.2, BlindEvaluate, without
  /// the proof). Neither element is secret.
  public func evaluate(_ element: GroupElement) throws(ObliviousPRFError) -> GroupElement {
    var product = [UInt8](repeating: 0, count: ObliviousPRF.elementLength)
    let status = bytes.withPointer {
      crypto_scalarmult_ristretto255(&product, $0, element.serialized)
    }
    guard status == 0 else { throw .invalidInput }
    return try GroupElement(computed: product)
  }

  /// Returns a secret element, multiplied by the scalar, which hides it.
  func publicProduct(
    with element: UnsafePointer<UInt8>
  ) throws(ObliviousPRFError) -> GroupElement {
    var product = [UInt8](repeating: 0, count: ObliviousPRF.elementLength)
    let status = bytes.withPointer { crypto_scalarmult_ristretto255(&product, $0, element) }
    guard status == 0 else { throw .invalidInput }
    return try GroupElement(computed: product)
  }

  /// Writes the inverse modulo the order of the group, 32 bytes.
  func writeInverse(into inverse: UnsafeMutablePointer<UInt8>) throws(ObliviousPRFError) {
    let status = bytes.withPointer { crypto_core_ristretto255_scalar_invert(inverse, $0) }
    guard status == 0 else { throw .invalidInput }
  }

  /// Returns this scalar minus `factor` times `other`. The result is not secret: it is part of a
  /// proof.
  func minus(_ factor: PublicScalar, times other: SecretScalar) throws(ObliviousPRFError)
    -> PublicScalar
  {
    var difference = [UInt8](repeating: 0, count: ObliviousPRF.scalarLength)
    let isDone = withUnsafeTemporaryAllocation(
      of: UInt8.self, capacity: ObliviousPRF.scalarLength
    ) { product in
      guard let product = product.baseAddress else { return false }
      defer { sodium_memzero(product, ObliviousPRF.scalarLength) }
      other.bytes.withPointer {
        crypto_core_ristretto255_scalar_mul(product, factor.serialized, $0)
      }
      bytes.withPointer { crypto_core_ristretto255_scalar_sub(&difference, $0, product) }
      return true
    }
    guard isDone else { throw .outOfMemory }
    return try PublicScalar(serialized: difference)
  }
}
