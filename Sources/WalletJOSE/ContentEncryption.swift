internal import Crypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How the content of a JWE is encrypted (RFC 7518 section 5.3), named as in `enc`.
public enum ContentEncryption: String, Sendable, CaseIterable {
  case a128gcm = "A128GCM"
  case a256gcm = "A256GCM"

  /// The length of the key, in bytes.
  var keyLength: Int {
    switch self {
    case .a128gcm: 16
    case .a256gcm: 32
    }
  }

  /// The bytes that RFC 7518 section 5.3 fixes: 96 bits of nonce, 128 bits of tag.
  static let nonceLength = 12
  static let tagLength = 16

  /// The sealed content and what it takes to open it, besides the key.
  struct Sealed {
    var nonce: [UInt8]
    var ciphertext: [UInt8]
    var tag: [UInt8]
  }

  /// Encrypts under a nonce of the system's random generator. The key must not be used again.
  func seal(
    _ content: [UInt8], authenticating data: [UInt8], key: SymmetricKey
  ) throws(JOSEError) -> Sealed {
    do {
      let box = try AES.GCM.seal(content, using: key, authenticating: data)
      return Sealed(nonce: Array(box.nonce), ciphertext: Array(box.ciphertext), tag: Array(box.tag))
    } catch { throw .encryptionRefused }
  }

  /// Decrypts what has a nonce and a tag of the lengths above.
  func open(
    _ sealed: Sealed, authenticating data: [UInt8], key: SymmetricKey
  ) throws(JOSEError) -> [UInt8] {
    do {
      let box = try AES.GCM.SealedBox(
        nonce: AES.GCM.Nonce(data: sealed.nonce), ciphertext: sealed.ciphertext, tag: sealed.tag)
      return Array(try AES.GCM.open(box, using: key, authenticating: data))
    } catch { throw .decryptionFailed }
  }
}
