import Crypto
import Foundation
import WalletProtocol

/// Encrypts as a relying party does, with any header. Shares no code with the core.
enum ForeignJWE {
  /// - Parameter header: `enc` is A128GCM unless it says otherwise.
  static func sealed(
    _ content: [UInt8], for recipient: SubjectPublicKey, header: [String: JSONValue]
  ) throws -> String {
    let ephemeral = P256.KeyAgreement.PrivateKey()
    let cipher = header["enc"]?.string ?? "A128GCM"
    let point = ephemeral.publicKey.rawRepresentation
    let own: [String: JSONValue] = [
      "alg": .string("ECDH-ES"), "enc": .string(cipher),
      "epk": .object([
        "kty": .string("EC"), "crv": .string("P-256"),
        "x": .string(Base64URL.encode(point.prefix(32))),
        "y": .string(Base64URL.encode(point.suffix(32))),
      ]),
    ]
    let protected = Base64URL.encode(JSONValue.object(own.merging(header) { $1 }).encoded)
    let length = cipher == "A256GCM" ? 32 : 16
    let secret = try ephemeral.sharedSecretFromKeyAgreement(
      with: P256.KeyAgreement.PublicKey(x963Representation: recipient.rawKey))
    // The Concat KDF (RFC 7518 section 4.6.2) without information on the parties.
    func number(_ value: Int) -> [UInt8] { [0, 0, UInt8(value >> 8), UInt8(value & 0xFF)] }
    let info = number(cipher.utf8.count) + Array(cipher.utf8) + number(0) + number(0)
    let digest = SHA256.hash(
      data: number(1) + secret.withUnsafeBytes(Array.init) + info + number(length * 8))
    let box = try AES.GCM.seal(
      content, using: SymmetricKey(data: Array(digest.prefix(length))),
      authenticating: Array(protected.utf8))
    return [
      protected, "", Base64URL.encode(box.nonce), Base64URL.encode(box.ciphertext),
      Base64URL.encode(box.tag),
    ].joined(separator: ".")
  }
}
