internal import Crypto

/// SHA-256, the only hash function of what other parties sign.
public enum JOSEDigest {
  /// Returns the 32-byte SHA-256 of `bytes`.
  public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: Array(bytes))
    return Array(hash.finalize())
  }
}
