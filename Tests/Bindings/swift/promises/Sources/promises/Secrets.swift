import CWalletCore
import Foundation
import SoftwareKeys
import Synchronization
import WalletHost

/// Checks that only the owner can read key files, whatever the umask of the process.
@MainActor
func checkKeyFiles(in directory: URL) async throws {
  let before = umask(0)
  defer { umask(before) }
  try FileManager.default.createDirectory(
    at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
  let keys = try SoftwareKeys(in: directory)
  _ = try await keys.publicKey("one")
  let box = try await keys.encrypt([1, 2, 3], with: "two", isBiometric: false)
  holds(
    "a key in a file opens what it sealed",
    try await keys.decrypt(box, with: "two", isBiometric: false) == [1, 2, 3])

  func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
  holds("an existing directory of keys is closed to others", try mode(directory.path) == 0o700)
  let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  holds("each key is in one file", files == ["encryption-two.key", "signing-one.key"])
  for file in files {
    holds("\(file) is closed to others", try mode(directory.appending(path: file).path) == 0o600)
  }
}

/// Checks that plaintexts of the library are wiped after `encrypt` and `decrypt`.
@MainActor
func checkWiping(in directory: URL) async throws {
  let watched = Watched(try SoftwareKeys(in: directory))
  let bridge = wallet_core_encryption_key_bridge(watched)
  let secret = [UInt8]("a secret of the library, 32 bytes".utf8)
  let protection = WALLET_CORE_PROTECTION_NONE
  // The library did not make these calls and ignores the replies.
  bridge.encrypt?(bridge.context, .max, "three", protection, secret, secret.count)
  holds("a secret is wiped after it was encrypted", await watched.isWiped(secret))
  let box = try await watched.keys.encrypt(secret, with: "three", isBiometric: false)
  bridge.decrypt?(bridge.context, .max, "three", protection, box, box.count)
  holds("a secret is wiped after it was decrypted and handed over", await watched.isWiped(secret))
  bridge.destroy?(bridge.context)
}

/// A platform that records the addresses of its secrets.
private final class Watched: Platform {
  let keys: SoftwareKeys
  private let seen = Mutex<UInt?>(nil)

  init(_ keys: SoftwareKeys) { self.keys = keys }

  private func see(_ secret: [UInt8]) {
    let address = secret.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    seen.withLock { $0 = address }
  }

  /// Whether the recorded secret is soon wiped at its address.
  func isWiped(_ secret: [UInt8]) async -> Bool {
    defer { seen.withLock { $0 = nil } }
    return await soon {
      let address = self.seen.withLock { $0 }
      return interposer.withLock {
        $0.wiped.contains { $0.address == address && $0.bytes == secret }
      }
    }
  }

  func publicKey(_ identifier: String) async throws -> [UInt8] {
    try await keys.publicKey(identifier)
  }
  func sign(_ payload: [UInt8], with identifier: String) async throws -> [UInt8] {
    try await keys.sign(payload, with: identifier)
  }
  func deleteSigningKey(_ identifier: String) async throws {
    try await keys.deleteSigningKey(identifier)
  }
  func encrypt(
    _ secret: [UInt8], with identifier: String, isBiometric: Bool
  ) async throws -> [UInt8] {
    see(secret)
    return try await keys.encrypt(secret, with: identifier, isBiometric: isBiometric)
  }
  func decrypt(
    _ box: [UInt8], with identifier: String, isBiometric: Bool
  ) async throws -> [UInt8] {
    let secret = try await keys.decrypt(box, with: identifier, isBiometric: isBiometric)
    see(secret)
    return secret
  }
  func deleteEncryptionKey(_ identifier: String) async throws {
    try await keys.deleteEncryptionKey(identifier)
  }
  var rules: wallet_core_platform { keys.rules }
  func storagePath() -> String { keys.storagePath() }
  func biometrics() -> wallet_core_biometrics? { keys.biometrics() }
  func isSecure() -> Bool { keys.isSecure() }
  func isOnline() -> Bool { keys.isOnline() }
  func camera() -> wallet_core_camera { keys.camera() }
}
