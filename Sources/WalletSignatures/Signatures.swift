import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Signs with an Ed25519 key of the provider.
public struct Ed25519Signer: Signer, Sendable, RedactedDescription {
  public let algorithm = SignatureAlgorithm.edDSA
  /// The raw public key, 32 bytes.
  public let publicKey: [UInt8]
  /// The id under which the configuration publishes the key.
  public let id: String
  public var keyID: String? { id }

  private let key: Curve25519.Signing.PrivateKey

  /// - Parameter seed: 32 bytes (RFC 8032). Throws for any other length.
  public init(seed: [UInt8]) throws {
    key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
    publicKey = Array(key.publicKey.rawRepresentation)
    id = Digest.keyID(publicKey)
  }

  public func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }

  /// The form of the key in the configuration.
  public var published: PublishedKey { PublishedKey(id: id, key: Base64URL.encode(publicKey)) }
}

/// Verifies signatures with an Ed25519 or P-256 key.
public struct PublicKeyVerifier: Verifier {
  private enum Key: Sendable {
    case ed25519(Curve25519.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
  }

  public let algorithm: SignatureAlgorithm
  private let key: Key

  /// A verifier for a hardware key. Nil if the point is not on the curve.
  public init?(_ subject: SubjectPublicKey) {
    algorithm = subject.algorithm
    switch subject.algorithm {
    case .edDSA:
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: subject.rawKey) else {
        return nil
      }
      self.key = .ed25519(key)
    case .es256:
      guard let key = try? P256.Signing.PublicKey(x963Representation: subject.rawKey) else {
        return nil
      }
      self.key = .p256(key)
    }
  }

  /// A verifier for a raw Ed25519 key of 32 bytes. Nil for any other length.
  public init?(ed25519 rawKey: [UInt8]) {
    guard let subject = try? SubjectPublicKey(ed25519: rawKey) else { return nil }
    self.init(subject)
  }

  public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
    switch key {
    case .ed25519(let key):
      return key.isValidSignature(signature, for: message)
    case .p256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    }
  }
}
