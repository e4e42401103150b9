internal import CSodium

/// SHA-256, which identifies what was signed.
public enum Hash {
  /// Returns the 32-byte SHA-256 of `bytes`.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
  }
}
