internal import CSodium

/// libsodium, initialised once.
enum Sodium {
  /// False if the system's random source cannot be opened; no operation may run then.
  static let isReady: Bool = sodium_init() >= 0

  /// The number of stack bytes that `wipeStack` overwrites; more than any operation here uses.
  private static let stackDepth = 16 * 1024

  /// Overwrites the stack below the caller, where libsodium leaves keys, points and parts of what
  /// it signed or sealed. Call it in the function that called libsodium.
  @inline(__always)
  static func wipeStack() { sodium_stackzero(stackDepth) }
}

/// Why a cryptographic operation failed.
public enum CryptoError: Error, Equatable, Sendable {
  /// libsodium could not start, or there is no guarded memory or memory for a key derivation.
  case outOfMemory
  /// A sealed message does not open: the key or the associated data is a different one, or the
  /// bytes are damaged. Or a message cannot be sealed to the recipient's public key.
  case notAuthentic
  /// A key, nonce, salt, seed or PIN has the wrong length.
  case wrongLength
}
