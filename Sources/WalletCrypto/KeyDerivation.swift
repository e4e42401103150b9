internal import CSodium

/// Derives secrets from secrets with BLAKE2b (RFC 7693, libsodium `crypto_generichash`), keyed.
public enum KeyDerivation {
  /// The length of a derived secret in bytes.
  public static let length = 32

  /// Returns 32 bytes for one purpose. Another purpose gives bytes that have nothing in common with
  /// them.
  ///
  /// - Parameters:
  ///   - key: 16 to 64 secret bytes.
  ///   - purpose: what the bytes are for.
  ///   - secret: further secret bytes that the result depends on.
  public static func secret(
    from key: Secret, purpose: StaticString, with secret: Secret? = nil
  ) throws -> Secret {
    guard
      (Int(crypto_generichash_KEYBYTES_MIN)...Int(crypto_generichash_KEYBYTES_MAX))
        .contains(key.count)
    else { throw CryptoError.wrongLength }
    var content: [SecretText] = [.plain(Array("\(purpose)".utf8)), .plain([0])]
    if let secret { content.append(.secret(secret)) }
    let message = try Secret(.joined(content))
    return try Secret.filled(count: length) { target in
      defer { Sodium.wipeStack() }
      let status = key.withPointer { pointer in
        message.withPointer { bytes in
          crypto_generichash(target, length, bytes, UInt64(message.count), pointer, key.count)
        }
      }
      guard status == 0 else { throw CryptoError.outOfMemory }
    }
  }
}
