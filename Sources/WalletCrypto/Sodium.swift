internal import CSodium

/// libsodium, initialised once.
enum Sodium {
  /// False where the system's random source cannot be opened; nothing may be done then.
  static let isReady: Bool = sodium_init() >= 0
}

/// Why a cryptographic operation was not done.
public enum CryptoError: Error, Equatable, Sendable {
  /// libsodium could not start, or guarded memory or the memory of a key derivation was refused.
  case outOfMemory
  /// Something that was sealed does not open: another key, other associated data, or damaged.
  case notAuthentic
  /// A key, nonce, salt or seed does not have its one length.
  case wrongLength
}
