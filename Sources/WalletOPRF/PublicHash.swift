internal import CSodium

/// SHA-512 of bytes that are no secret.
enum PublicHash {
  private static let isReady = sodium_init() >= 0

  static func sha512(_ message: [UInt8]) throws(ObliviousPRFError) -> [UInt8] {
    guard isReady else { throw .outOfMemory }
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
    _ = crypto_hash_sha512(&hash, message, UInt64(message.count))
    return hash
  }
}
