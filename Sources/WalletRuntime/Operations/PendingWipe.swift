internal import WalletModel
internal import WalletProtocol
internal import WalletStorage

/// The note of a wipe that is under way, with the platform keys that the database names.
///
/// Written before the first file is deleted, so that a kill in between ends in a wallet that is
/// gone. Deleted when the files are gone and the keys are too, or stand among the orphans of
/// `PlatformKeyNotes`: a wallet made after that must not meet it.
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
    // An unreadable note still says that a wipe was wanted.
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
