import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Signs ES256 (RFC 7518 section 3.4) with a P-256 key of the provider.
public struct P256Signer: Signer, Sendable, RedactedDescription {
  public let algorithm = SignatureAlgorithm.es256
  /// The public key.
  public let subject: SubjectPublicKey
  /// The id under which the key is published.
  public let id: String
  public var keyID: String? { id }

  private let key: P256.Signing.PrivateKey

  /// - Parameter scalar: 32 bytes. Throws for any other length, zero, or a number beyond the order
  ///   of the group.
  public init(scalar: [UInt8]) throws {
    key = try P256.Signing.PrivateKey(rawRepresentation: scalar)
    subject = try SubjectPublicKey(p256: Array(key.publicKey.x963Representation))
    id = Digest.keyID(subject.rawKey)
  }

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }

  /// The id, and the key as an uncompressed point (X9.63).
  public var published: PublishedKey {
    PublishedKey(id: id, key: Base64URL.encode(subject.rawKey))
  }
}
