import Crypto
import Foundation
import WalletProtocol

/// A hardware key of either kind.
enum TestHardwareKey: Signer, Sendable {
  case ed25519(Curve25519.Signing.PrivateKey)
  case p256(P256.Signing.PrivateKey)

  static func makeEd25519() -> TestHardwareKey { .ed25519(Curve25519.Signing.PrivateKey()) }
  static func makeP256() -> TestHardwareKey { .p256(P256.Signing.PrivateKey()) }

  var algorithm: SignatureAlgorithm {
    if case .ed25519 = self { .edDSA } else { .es256 }
  }

  var keyID: String? { nil }

  /// SubjectPublicKeyInfo.
  var der: [UInt8] {
    switch self {
    case .ed25519(let key):
      (try? SubjectPublicKey(ed25519: Array(key.publicKey.rawRepresentation)).der) ?? []
    case .p256(let key): Array(key.publicKey.derRepresentation)
    }
  }

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    switch self {
    case .ed25519(let key): Array(try key.signature(for: message))
    case .p256(let key): Array(try key.signature(for: message).rawRepresentation)
    }
  }
}

/// A PIN key. The evaluator cannot see how it was derived, so it is random here.
struct TestPinKey: Signer, Sendable {
  private let key = Curve25519.Signing.PrivateKey()
  let algorithm = SignatureAlgorithm.edDSA
  let keyID: String? = nil

  var publicKey: String { Base64URL.encode(Array(key.publicKey.rawRepresentation)) }

  func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
}
