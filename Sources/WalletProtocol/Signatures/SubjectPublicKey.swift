/// A public key of a hardware key, which is either P-256 or Ed25519, from its SubjectPublicKeyInfo.
///
/// Only one DER encoding of each type is accepted (RFC 5480 uncompressed P-256, RFC 8410 Ed25519).
/// So a key has one spelling, and its hash identifies it.
public struct SubjectPublicKey: Sendable, Equatable {
  /// The algorithm that the key signs with.
  public let algorithm: SignatureAlgorithm
  /// 32 bytes for Ed25519, 65 bytes (X9.63 uncompressed) for P-256.
  public let rawKey: [UInt8]
  /// The SubjectPublicKeyInfo.
  public let der: [UInt8]

  // The DER up to the key: SEQUENCE { SEQUENCE { algorithm, for P-256 also the curve }, BIT STRING
  // }.
  private static let ed25519Prefix: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]
  private static let p256Prefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// Reads a SubjectPublicKeyInfo.
  public init(der: [UInt8]) throws(WireError) {
    if der.count == 44, der.starts(with: Self.ed25519Prefix) {
      algorithm = .edDSA
      rawKey = Array(der.dropFirst(Self.ed25519Prefix.count))
    } else if der.count == 91, der.starts(with: Self.p256Prefix), der[26] == 0x04 {
      algorithm = .es256
      rawKey = Array(der.dropFirst(Self.p256Prefix.count))
    } else {
      throw .encodingRefused
    }
    self.der = der
  }

  /// Wraps a raw Ed25519 key of 32 bytes.
  public init(ed25519 rawKey: [UInt8]) throws(WireError) {
    try self.init(der: Self.ed25519Prefix + rawKey)
  }

  /// Wraps a P-256 point of 65 bytes (X9.63 uncompressed).
  public init(p256 point: [UInt8]) throws(WireError) {
    try self.init(der: Self.p256Prefix + point)
  }
}
