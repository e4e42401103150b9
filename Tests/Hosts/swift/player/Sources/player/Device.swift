import CWalletCore
import Foundation
import SoftwareKeys
import Synchronization
import WalletHost

/// A phone: software keys, and a fingerprint sensor that the instructions operate.
final class Device: Platform {
  struct World {
    var rules = WALLET_CORE_PLATFORM_ANDROID
    var biometrics: wallet_core_biometrics? = WALLET_CORE_BIOMETRICS_FINGERPRINT
    var camera = WALLET_CORE_CAMERA_USABLE
    var isSecure = true
    var isOnline = true
    var hasKeyStore = true
    var forgetsToSign = false
  }

  let world = Mutex(World())
  let sensor: Sensor
  private let keys: SoftwareKeys

  init(in directory: URL) throws {
    keys = try SoftwareKeys(in: directory)
    sensor = Sensor(keys: directory)
  }

  private func store() throws -> SoftwareKeys {
    guard world.withLock({ $0.hasKeyStore }) else { throw PlatformError.unavailable }
    return keys
  }

  func publicKey(_ identifier: String) async throws -> [UInt8] {
    try await store().publicKey(identifier)
  }

  func sign(_ payload: [UInt8], with identifier: String) async throws -> [UInt8] {
    if world.withLock({ $0.forgetsToSign }) {
      say(unanswered: "sign")
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    return try await store().sign(payload, with: identifier)
  }

  func deleteSigningKey(_ identifier: String) async throws {
    try await store().deleteSigningKey(identifier)
  }

  func encrypt(
    _ secret: [UInt8], with identifier: String, isBiometric: Bool
  ) async throws -> [UInt8] {
    let store = try store()
    if isBiometric { try await sensor.recognise(for: identifier) }
    return try await store.encrypt(secret, with: identifier, isBiometric: isBiometric)
  }

  func decrypt(
    _ box: [UInt8], with identifier: String, isBiometric: Bool
  ) async throws -> [UInt8] {
    let store = try store()
    if isBiometric { try await sensor.recognise(for: identifier) }
    return try await store.decrypt(box, with: identifier, isBiometric: isBiometric)
  }

  func deleteEncryptionKey(_ identifier: String) async throws {
    try await store().deleteEncryptionKey(identifier)
  }

  var rules: wallet_core_platform { world.withLock { $0.rules } }
  func storagePath() -> String { keys.storagePath() }
  func biometrics() -> wallet_core_biometrics? { world.withLock { $0.biometrics } }
  func isSecure() -> Bool { world.withLock { $0.isSecure } }
  func isOnline() -> Bool { world.withLock { $0.isOnline } }
  func camera() -> wallet_core_camera { world.withLock { $0.camera } }
}
