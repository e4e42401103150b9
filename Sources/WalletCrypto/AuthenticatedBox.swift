internal import CSodium

/// XChaCha20-Poly1305 (libsodium, IETF variant) with a random 24-byte nonce before the ciphertext.
public enum AuthenticatedBox {
  /// The length of keys in bytes.
  public static let keyLength = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)
  private static let nonceLength = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)
  private static let tagLength = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

  /// Encrypts `plaintext` and binds it to `associatedData`.
  public static func seal(
    _ plaintext: Secret, key: Secret, associatedData: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard key.count == keyLength else { throw .wrongLength }
    let length = nonceLength + plaintext.count + tagLength
    return [UInt8](unsafeUninitializedCapacity: length) { box, initialised in
      guard let nonce = box.baseAddress else { return }
      randombytes_buf(nonce, nonceLength)
      plaintext.withPointer { bytes in
        key.withPointer { key in
          _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
            nonce + nonceLength, nil, bytes, UInt64(plaintext.count), associatedData,
            UInt64(associatedData.count), nil, nonce, key)
        }
      }
      initialised = length
    }
  }

  /// Opens what `seal` made with the same key and associated data.
  public static func open(
    _ box: [UInt8], key: Secret, associatedData: [UInt8]
  ) throws -> Secret {
    guard key.count == keyLength else { throw CryptoError.wrongLength }
    let length = box.count - nonceLength - tagLength
    guard length >= 0 else { throw CryptoError.notAuthentic }
    return try Secret.filled(count: length) { plaintext in
      let isOpen = box.withUnsafeBytes { decrypt($0, key, associatedData, into: plaintext) }
      guard isOpen else { throw CryptoError.notAuthentic }
    }
  }

  /// Opens a box into `batch`; one that does not open is missing there.
  ///
  /// - Returns: False if the batch is full; then nothing was done.
  public static func open(
    _ box: UnsafeRawBufferPointer, key: Secret, associatedData: [UInt8], into batch: SecretBatch
  ) throws(CryptoError) -> Bool {
    guard key.count == keyLength else { throw .wrongLength }
    let length = box.count - nonceLength - tagLength
    guard length >= 0 else {
      batch.appendMissing()
      return true
    }
    return try batch.append(length) { decrypt(box, key, associatedData, into: $0) }
  }

  private static func decrypt(
    _ box: UnsafeRawBufferPointer, _ key: Secret, _ associatedData: [UInt8],
    into plaintext: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let nonce = box.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    let status = key.withPointer { key in
      crypto_aead_xchacha20poly1305_ietf_decrypt(
        plaintext, nil, nil, nonce + nonceLength, UInt64(box.count - nonceLength), associatedData,
        UInt64(associatedData.count), nonce, key)
    }
    return status == 0
  }
}
