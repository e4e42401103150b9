// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// The platform that the library calls: any number of calls at once, on Swift's executors. When the
/// library no longer waits for a call, its task is cancelled: close the prompt. An error other than
/// a `PlatformError` counts as `unavailable`.
public protocol Platform: Sendable {
  // Signing keys: P-256 keys that never leave the hardware.

  /// Returns the SubjectPublicKeyInfo (DER) of the key; makes the key if there is none.
  func publicKey(_ identifier: String) async throws -> [UInt8]
  /// Signs with ECDSA and SHA-256 (DER). Throws `keyMissing` if there is no such key.
  func sign(_ payload: [UInt8], with identifier: String) async throws -> [UInt8]
  /// Deletes the key. A missing key is a success, here and below.
  func deleteSigningKey(_ identifier: String) async throws

  // Encryption keys for secrets of at most 1 KiB. If `isBiometric`, the user is recognised first.

  /// Encrypts in a format that the platform chooses; makes the key if there is none.
  func encrypt(_ secret: [UInt8], with identifier: String, isBiometric: Bool) async throws
    -> [UInt8]
  /// Decrypts. Throws `keyMissing` and never makes a key; `keyInvalidated` if the key no longer
  /// fits.
  func decrypt(_ box: [UInt8], with identifier: String, isBiometric: Bool) async throws -> [UInt8]
  func deleteEncryptionKey(_ identifier: String) async throws

  // The device.

  /// The platform whose rules its users expect.
  var rules: wallet_core_platform { get }
  /// A directory for the library alone, not backed up.
  func storagePath() async throws -> String
  /// The biometrics, nil if none are enrolled.
  func biometrics() async -> wallet_core_biometrics?
  /// Whether the device has a screen lock and is not known to be tampered with.
  func isSecure() async -> Bool
  func isOnline() async -> Bool
  func camera() async -> wallet_core_camera
}

/// Why the platform did not answer a call.
public struct PlatformError: Error {
  let status: wallet_core_bridge_status
  let bytes: [UInt8]

  /// - Parameter status: `WALLET_CORE_BRIDGE_...`, or one of the host's own codes.
  public init(_ status: wallet_core_bridge_status, bytes: [UInt8] = []) {
    self.status = status
    self.bytes = bytes
  }

  public static let unavailable = PlatformError(WALLET_CORE_BRIDGE_UNAVAILABLE)
  public static let keyMissing = PlatformError(WALLET_CORE_BRIDGE_KEY_MISSING)
  public static let keyInvalidated = PlatformError(WALLET_CORE_BRIDGE_KEY_INVALIDATED)
}
