internal import CSodium

/// XChaCha20-Poly1305 (libsodium, IETF variant) with a random 24-byte nonce before the ciphertext.
public enum AuthenticatedBox {
  /// The length of keys.
  public static let keyLength = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
  private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  /// Encrypts `plaintext` and binds it to `associatedData`.
  public static func seal(
    _ plaintext: Secret, key: Secret, associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == keyLength else { throw .wrongLength }
    let nonce = Random.bytes(nonceLength)
    var box = [UInt8](repeating: 0, count: plaintext.count + tagLength)
    plaintext.withPointer { bytes in
      key.withPointer { key in
        _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
          &box, nil, bytes, UInt64(plaintext.count), associatedData, UInt64(associatedData.count),
          nil, nonce, key)
      }
    }
    return nonce + box
  }

  /// Opens what `seal` made under the same key and associated data.
  public static func open(
    _ box: [UInt8], key: Secret, associatedData: [UInt8]
  ) throws -> Secret {
    guard key.count == keyLength else { throw CryptoError.wrongLength }
    guard box.count >= nonceLength + tagLength else { throw CryptoError.notAuthentic }
    let nonce = Array(box.prefix(nonceLength))
    let ciphertext = Array(box.dropFirst(nonceLength))
    return try Secret.filled(count: ciphertext.count - tagLength) { plaintext in
      let status = key.withPointer { key in
        crypto_aead_xchacha20poly1305_ietf_decrypt(
          plaintext, nil, nil, ciphertext, UInt64(ciphertext.count), associatedData,
          UInt64(associatedData.count), nonce, key)
      }
      guard status == 0 else { throw CryptoError.notAuthentic }
    }
  }
}
