internal import CSodium

/// libsodium, initialised once.
enum Sodium {
  /// False if the system's random source cannot be opened; no operation may run then.
  static let isReady: Bool = sodium_init() >= 0
}

/// Why a cryptographic operation failed.
public enum CryptoError: Error, Equatable, Sendable {
  /// libsodium could not start, or there is no guarded memory or memory for a key derivation.
  case outOfMemory
  /// A sealed message does not open: another key, other associated data, or damaged bytes.
  case notAuthentic
  /// A key, nonce, salt, seed or PIN has the wrong length.
  case wrongLength
}
