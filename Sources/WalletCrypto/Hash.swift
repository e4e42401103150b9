internal import CSodium

/// SHA-256, which identifies what was signed.
public enum Hash {
  /// Returns the 32-byte SHA-256 of `bytes`.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
  }

  /// Returns the SHA-256 of a secret, in guarded memory, because the hash must stay secret too.
  public static func sha256(_ secret: Secret) throws -> Secret {
    try Secret.filled(count: Int(crypto_hash_sha256_BYTES)) { digest in
      defer { Sodium.wipeStack() }
      _ = secret.withPointer { crypto_hash_sha256(digest, $0, UInt64(secret.count)) }
    }
  }
}
