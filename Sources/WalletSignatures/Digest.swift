import Crypto
import WalletProtocol

/// SHA-256, the only hash function of the messages.
package enum Digest {
  package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: Array(bytes))
    return Array(hash.finalize())
  }

  /// Whether `hash` is that of `bytes`, in time that does not depend on where it differs.
  package static func isSHA256(_ hash: [UInt8], of bytes: some Sequence<UInt8>) -> Bool {
    SHA256.hash(data: Array(bytes)) == hash
  }

  /// The id of a key: the first 9 bytes of the hash of its public half, as 12 characters.
  package static func keyID(_ publicKey: [UInt8]) -> String {
    Base64URL.encode(sha256(publicKey).prefix(9))
  }
}
