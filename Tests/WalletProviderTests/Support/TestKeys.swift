import CSodium
import Crypto
import Foundation
import WalletProtocol

/// A key derived from a PIN; the derivation does not matter to the provider.
struct TestPinKey: Signer {
  private let key: Curve25519.Signing.PrivateKey
  let algorithm = SignatureAlgorithm.edDSA
  let keyID: String? = nil

  init(pin: String, salt: [UInt8]) throws {
    let seed = SHA256.hash(data: Data(pin.utf8) + salt)
    key = try Curve25519.Signing.PrivateKey(rawRepresentation: Array(seed))
  }

  var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

  func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
}

/// The key to which a share is sealed in one request.
struct ShareKey {
  let publicKey: [UInt8]
  private let secretKey: [UInt8]

  init() {
    var publicKey = [UInt8](repeating: 0, count: 32)
    var secretKey = publicKey
    crypto_box_keypair(&publicKey, &secretKey)
    self.publicKey = publicKey
    self.secretKey = secretKey
  }

  func open(_ text: String) -> [UInt8]? {
    guard let box = Base64URL.decode(text), box.count >= crypto_box_sealbytes() else { return nil }
    var message = [UInt8](repeating: 0, count: box.count - crypto_box_sealbytes())
    let status = crypto_box_seal_open(&message, box, UInt64(box.count), publicKey, secretKey)
    return status == 0 ? message : nil
  }
}

func sealed(_ message: [UInt8], to publicKey: [UInt8]) -> [UInt8] {
  var box = [UInt8](repeating: 0, count: message.count + crypto_box_sealbytes())
  _ = crypto_box_seal(&box, message, UInt64(message.count), publicKey)
  return box
}

func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] { Array(SHA256.hash(data: Array(bytes))) }

func sha256Text(_ bytes: some Sequence<UInt8>) -> String { Base64URL.encode(sha256(bytes)) }
