internal import WalletModel
internal import WalletProtocol
internal import WalletStorage

/// The note of a wipe that is under way, with the platform keys that the database names.
///
/// Written before the first file is deleted, so that the wipe is completed even if the process is
/// killed. Deleted when the files are gone and the keys are deleted or noted as orphans in
/// `PlatformKeyNotes`: it must not be found by a wallet that is made later.
package struct PendingWipe: Codable, Equatable {
  static let fileName = "wipe.json"

  var signingKeyIdentifier: String?
  var accountKeyIdentifier: String?
  var biometricKeyIdentifier: String?

  /// The keys to delete.
  var keyIdentifiers: [String] {
    [signingKeyIdentifier, accountKeyIdentifier, biometricKeyIdentifier].compactMap { $0 }
  }

  static func load(from directory: StorageDirectory) throws(WalletError) -> PendingWipe? {
    guard let bytes = try directory.readFile(fileName, limit: 4096) else { return nil }
    // An unreadable note still means that a wipe was started.
    return (try? WireJSON.decode(PendingWipe.self, from: bytes)) ?? PendingWipe()
  }

  func save(in directory: StorageDirectory) throws(WalletError) {
    guard let bytes = try? WireJSON.encode(self) else {
      throw WalletError(.internalDefect, "The wipe note could not be encoded.")
    }
    try directory.replaceFile(Self.fileName, with: bytes)
  }

  static func remove(from directory: StorageDirectory) throws(WalletError) {
    try directory.deleteFile(fileName)
  }
}
