// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import WalletHost

/// A P-256 key in memory. libcrypto wipes it at the end.
struct P256Key: ~Copyable {
  private let key: OpaquePointer

  init() throws {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      EVP_PKEY_keygen(context, &made) == 1, let made
    else { throw PlatformError.unavailable }
    key = made
  }

  init(privateKey der: [UInt8]) throws {
    let read = der.withUnsafeBufferPointer { der in
      var position = der.baseAddress
      return d2i_AutoPrivateKey(nil, &position, der.count)
    }
    guard let read else { throw PlatformError.unavailable }
    key = read
  }

  deinit { EVP_PKEY_free(key) }

  func privateKey() throws -> [UInt8] { try der(i2d_PrivateKey) }

  func publicKey() throws -> [UInt8] { try der(i2d_PUBKEY) }

  func sign(_ payload: [UInt8]) throws -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(key)))
    var length = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
      EVP_DigestSign(context, &signature, &length, payload, payload.count) == 1
    else { throw PlatformError.unavailable }
    return [UInt8](signature.prefix(length))
  }

  private func der(
    _ write: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) throws -> [UInt8] {
    let length = write(key, nil)
    guard length > 0 else { throw PlatformError.unavailable }
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { bytes, count in
      var position = bytes.baseAddress
      count = Int(write(key, &position))
    }
  }
}
