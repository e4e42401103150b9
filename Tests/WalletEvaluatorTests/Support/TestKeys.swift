import Crypto
import WalletProtocol

/// A PIN key. The evaluator cannot see how it was derived, so it is random here.
struct TestPinKey: Signer, Sendable {
  private let key = Curve25519.Signing.PrivateKey()
  let algorithm = SignatureAlgorithm.edDSA
  let keyID: String? = nil

  var publicKey: String { Base64URL.encode(Array(key.publicKey.rawRepresentation)) }

  func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
}
