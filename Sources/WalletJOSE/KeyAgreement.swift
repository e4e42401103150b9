internal import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A P-256 key that content is encrypted for, ephemeral: it serves one request and is never stored.
public struct KeyAgreementKey: Sendable, RedactedDescription {
  /// The public half, for the sender.
  public let publicKey: SubjectPublicKey

  private let key: P256.KeyAgreement.PrivateKey

  /// Makes a key.
  public init() throws(JOSEError) {
    try self.init(P256.KeyAgreement.PrivateKey())
  }

  /// Takes a scalar of 32 bytes, for known answers.
  ///
  /// - Throws: `keyRefused` for another length, zero, or a number beyond the group's order.
  package init(scalar: [UInt8]) throws(JOSEError) {
    let key: P256.KeyAgreement.PrivateKey
    do { key = try P256.KeyAgreement.PrivateKey(rawRepresentation: scalar) } catch {
      throw .keyRefused
    }
    try self.init(key)
  }

  private init(_ key: P256.KeyAgreement.PrivateKey) throws(JOSEError) {
    do { publicKey = try SubjectPublicKey(p256: Array(key.publicKey.x963Representation)) } catch {
      throw .keyRefused
    }
    self.key = key
  }

  /// Agrees on the key of a JWE with ECDH-ES in direct mode (RFC 7518 section 4.6).
  ///
  /// - Parameters:
  ///   - other: the public half of the other side; `keyRefused` if it is not on the curve.
  ///   - parties: what `apu` and `apv` hold.
  func agree(
    with other: SubjectPublicKey, for encryption: ContentEncryption, parties: AgreementParties
  ) throws(JOSEError) -> SymmetricKey {
    guard other.algorithm == .es256 else { throw .keyRefused }
    do {
      let point = try P256.KeyAgreement.PublicKey(x963Representation: other.rawKey)
      let secret = try key.sharedSecretFromKeyAgreement(with: point)
      return Self.derive(secret, for: encryption, parties: parties)
    } catch { throw .keyRefused }
  }

  /// The Concat KDF (RFC 7518 section 4.6.2). One round of SHA-256 gives 32 bytes, which is enough
  /// for each `enc` that is supported.
  private static func derive(
    _ secret: SharedSecret, for encryption: ContentEncryption, parties: AgreementParties
  ) -> SymmetricKey {
    let algorithm = lengthFirst(Array(encryption.rawValue.utf8))
    let partyInfo = lengthFirst(parties.producer) + lengthFirst(parties.recipient)
    let bits = bigEndian(encryption.keyLength * 8)
    var hash = SHA256()
    hash.update(data: bigEndian(1))
    secret.withUnsafeBytes { hash.update(bufferPointer: $0) }
    hash.update(data: algorithm + partyInfo + bits)
    // From digest to key without an array, which nobody would wipe.
    return hash.finalize().withUnsafeBytes {
      SymmetricKey(data: $0.prefix(encryption.keyLength))
    }
  }

  private static func lengthFirst(_ bytes: [UInt8]) -> [UInt8] { bigEndian(bytes.count) + bytes }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init)
  }
}

/// What the key of a JWE is bound to beside the two keys (RFC 7518 sections 4.6.1.2 and 4.6.1.3).
/// Empty is the same as absent.
public struct AgreementParties: Sendable, Equatable {
  /// `apu`, decoded.
  public var producer: [UInt8]
  /// `apv`, decoded.
  public var recipient: [UInt8]

  public init(producer: [UInt8] = [], recipient: [UInt8] = []) {
    self.producer = producer
    self.recipient = recipient
  }
}
