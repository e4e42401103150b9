public import Crypto
internal import Foundation
public import WalletProtocol

/// A hardware key of either kind.
public enum TestHardwareKey: Signer, Sendable {
  case ed25519(Curve25519.Signing.PrivateKey)
  case p256(P256.Signing.PrivateKey)

  public static func makeEd25519() -> TestHardwareKey { .ed25519(Curve25519.Signing.PrivateKey()) }
  public static func makeP256() -> TestHardwareKey { .p256(P256.Signing.PrivateKey()) }

  public var algorithm: SignatureAlgorithm {
    if case .ed25519 = self { .edDSA } else { .es256 }
  }

  public var keyID: String? { nil }

  /// SubjectPublicKeyInfo.
  public var der: [UInt8] {
    switch self {
    case .ed25519(let key):
      (try? SubjectPublicKey(ed25519: Array(key.publicKey.rawRepresentation)).der) ?? []
    case .p256(let key): Array(key.publicKey.derRepresentation)
    }
  }

  public func sign(_ message: [UInt8]) throws -> [UInt8] {
    switch self {
    case .ed25519(let key): Array(try key.signature(for: message))
    case .p256(let key): Array(try key.signature(for: message).rawRepresentation)
    }
  }
}
