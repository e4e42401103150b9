// SPDX-License-Identifier: Apache-2.0
import CWalletCore
import Foundation
import WalletHost

/// A platform with keys in files, for computers without a key store. On a phone use the Secure
/// Enclave instead, as in the README.
public actor SoftwareKeys: Platform {
  public nonisolated let directory: URL
  public nonisolated let rules: wallet_core_platform

  /// - Parameter directory: for the keys and the wallet's storage. It is made if it is missing, and
  ///   closed to other users.
  public init(in directory: URL, rules: wallet_core_platform = WALLET_CORE_PLATFORM_IOS) throws {
    self.directory = directory
    self.rules = rules
    let onlyOwner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: true, attributes: onlyOwner)
    // A directory that existed has its own permissions.
    try FileManager.default.setAttributes(onlyOwner, ofItemAtPath: directory.path)
  }

  public func publicKey(_ identifier: String) throws -> [UInt8] {
    let file = file("signing", identifier)
    if let key = try load(file) { return try P256Key(privateKey: key).publicKey() }
    let key = try P256Key()
    try save(key.privateKey(), file)
    return try key.publicKey()
  }

  public func sign(_ payload: [UInt8], with identifier: String) throws -> [UInt8] {
    guard let key = try load(file("signing", identifier)) else { throw PlatformError.keyMissing }
    return try P256Key(privateKey: key).sign(payload)
  }

  public func deleteSigningKey(_ identifier: String) throws {
    try delete(file("signing", identifier))
  }

  public func encrypt(
    _ secret: [UInt8], with identifier: String, isBiometric: Bool
  ) throws -> [UInt8] {
    let file = file("encryption", identifier)
    if let key = try load(file) { return try FileEncryption.seal(secret, key) }
    let key = try FileEncryption.newKey()
    try save(key, file)
    return try FileEncryption.seal(secret, key)
  }

  public func decrypt(_ box: [UInt8], with identifier: String, isBiometric: Bool) throws -> [UInt8]
  {
    guard let key = try load(file("encryption", identifier)) else { throw PlatformError.keyMissing }
    return try FileEncryption.open(box, key)
  }

  public func deleteEncryptionKey(_ identifier: String) throws {
    try delete(file("encryption", identifier))
  }

  public nonisolated func storagePath() -> String {
    let storage = directory.appending(path: "storage")
    // If it cannot be made, the library reports it.
    try? FileManager.default.createDirectory(at: storage, withIntermediateDirectories: true)
    return storage.path
  }

  // There is no sensor and no camera, and only the directory's permissions protect the keys.
  public nonisolated func biometrics() -> wallet_core_biometrics? { nil }
  public nonisolated func isSecure() -> Bool { true }
  public nonisolated func isOnline() -> Bool { true }
  public nonisolated func camera() -> wallet_core_camera { WALLET_CORE_CAMERA_MISSING }

  // Identifiers hold only a-z, 0-9, '.', '_' and '-', so they are valid file names.
  private func file(_ store: String, _ identifier: String) -> URL {
    directory.appending(path: "\(store)-\(identifier).key")
  }

  private func load(_ file: URL) throws -> [UInt8]? {
    do { return [UInt8](try Data(contentsOf: file)) } catch CocoaError.fileReadNoSuchFile {
      return nil
    }
  }

  /// Writes all of the key or nothing, and independently of the umask: the directory keeps other
  /// users from the draft, and the draft has its final permissions before it is renamed.
  private func save(_ key: [UInt8], _ file: URL) throws {
    let draft = file.appendingPathExtension("new")
    try delete(draft)
    guard
      FileManager.default.createFile(
        atPath: draft.path, contents: Data(key), attributes: [.posixPermissions: 0o600])
    else { throw PlatformError.unavailable }
    try FileManager.default.moveItem(at: draft, to: file)
  }

  private func delete(_ file: URL) throws {
    do { try FileManager.default.removeItem(at: file) } catch CocoaError.fileNoSuchFile {}
  }
}
