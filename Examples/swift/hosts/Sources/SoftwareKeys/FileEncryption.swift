// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import WalletHost

/// AES-256-GCM. A box is the nonce, the ciphertext and the tag.
enum FileEncryption {
  private static let nonceLength = 12, tagLength = 16, keyLength = 32

  static func newKey() throws -> [UInt8] { try random(keyLength) }

  static func seal(_ secret: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let nonce = try random(nonceLength)
    var text = secret
    var tag = [UInt8](repeating: 0, count: tagLength)
    var length: Int32 = 0
    guard key.count == keyLength,
      EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1,
      EVP_EncryptUpdate(context, &text, &length, secret, Int32(secret.count)) == 1,
      EVP_EncryptFinal_ex(context, nil, &length) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
    else { throw PlatformError.unavailable }
    return nonce + text + tag
  }

  static func open(_ box: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let sealed = [UInt8](box.dropFirst(nonceLength).dropLast(tagLength))
    var secret = sealed
    var tag = [UInt8](box.suffix(tagLength))
    var length: Int32 = 0
    guard key.count == keyLength, box.count >= nonceLength + tagLength,
      EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, box) == 1,  // begins with the nonce
      EVP_DecryptUpdate(context, &secret, &length, sealed, Int32(sealed.count)) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1,
      EVP_DecryptFinal_ex(context, nil, &length) == 1
    else { throw PlatformError.keyInvalidated }
    return secret
  }

  private static func random(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(count)) == 1 else { throw PlatformError.unavailable }
    return bytes
  }
}
