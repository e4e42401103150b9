// SPDX-License-Identifier: Apache-2.0
import CWalletCore

/// What the library asks of the platform: any number of calls at once, on Swift's executors. The task
/// of a call that is no longer waited for is cancelled: close its prompt. Anything but a
/// `PlatformError` that is thrown counts as `unavailable`.
public protocol Platform: Sendable {
  // Keys that sign: P-256, and never leave the hardware.

  /// The SubjectPublicKeyInfo (DER) of the key, which is made if there is none.
  func publicKey(_ identifier: String) async throws -> [UInt8]
  /// ECDSA with SHA-256 (DER); `keyMissing` if there is no such key.
  func sign(_ payload: [UInt8], with identifier: String) async throws -> [UInt8]
  /// A missing key is a success, here and below.
  func deleteSigningKey(_ identifier: String) async throws

  // Keys that encrypt secrets of at most 1 KiB. Where `isBiometric` the user is recognised first.

  /// In a form of the platform's own; makes the key if there is none.
  func encrypt(_ secret: [UInt8], with identifier: String, isBiometric: Bool) async throws
    -> [UInt8]
  /// `keyMissing`, never a new key; `keyInvalidated` where the key no longer opens this.
  func decrypt(_ box: [UInt8], with identifier: String, isBiometric: Bool) async throws -> [UInt8]
  func deleteEncryptionKey(_ identifier: String) async throws

  // The device.

  /// `WALLET_CORE_PLATFORM_...`: whose users expect which rules.
  var rules: Int32 { get }
  /// A directory for the library alone, not backed up.
  func storagePath() async throws -> String
  /// 0, or `WALLET_CORE_BIOMETRICS_...` if they are enrolled.
  func biometrics() async -> UInt8
  /// Whether it has a lock and is not known to be tampered with.
  func isSecure() async -> Bool
  func isOnline() async -> Bool
  /// `WALLET_CORE_CAMERA_...`
  func camera() async -> UInt8
}

/// Why the platform did not do what it was asked.
public struct PlatformError: Error {
  let status: Int32
  let bytes: [UInt8]

  /// - Parameter status: `WALLET_CORE_BRIDGE_...`, or a code of the host's own
  public init(_ status: Int, bytes: [UInt8] = []) {
    self.status = Int32(status)
    self.bytes = bytes
  }

  public static let unavailable = PlatformError(WALLET_CORE_BRIDGE_UNAVAILABLE)
  public static let keyMissing = PlatformError(WALLET_CORE_BRIDGE_KEY_MISSING)
  public static let keyInvalidated = PlatformError(WALLET_CORE_BRIDGE_KEY_INVALIDATED)
}
