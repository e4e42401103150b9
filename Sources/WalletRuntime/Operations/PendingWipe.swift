internal import WalletCrypto
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
  private static let longest = 4096

  var signingKeyIdentifier: String?
  var accountKeyIdentifier: String?
  var biometricKeyIdentifier: String?

  /// The keys to delete.
  var keyIdentifiers: [String] {
    [signingKeyIdentifier, accountKeyIdentifier, biometricKeyIdentifier].compactMap { $0 }
  }

  /// What the file says.
  enum Stored {
    case none
    case begun(PendingWipe)
    /// The file was changed by something else. It proves nothing, so nothing may be deleted because
    /// of it.
    case damaged
  }

  /// The note as it is stored: with a checksum, because a note that was changed by one bit would
  /// otherwise delete a wallet.
  package struct Sealed: Codable, Equatable {
    package var wipe: PendingWipe
    package var checksum: String

    init(_ wipe: PendingWipe) throws(WalletError) {
      self.wipe = wipe
      checksum = try Self.checksum(of: wipe)
    }

    /// Whether the note is the one that was written.
    var isWhole: Bool { (try? Self.checksum(of: wipe)) == checksum }

    private static func checksum(of wipe: PendingWipe) throws(WalletError) -> String {
      guard let bytes = try? WireJSON.encode(wipe) else {
        throw WalletError(.internalDefect, "The wipe note could not be encoded.")
      }
      return Base64URL.encode(Hash.sha256(Array("wallet_core wipe 1".utf8) + bytes))
    }
  }

  static func load(from directory: StorageDirectory) throws(WalletError) -> Stored {
    do throws(WalletError) {
      guard let bytes = try directory.readFile(fileName, limit: longest) else { return .none }
      guard let sealed = try? WireJSON.decode(Sealed.self, from: bytes), sealed.isWhole else {
        return .damaged
      }
      return .begun(sealed.wipe)
    } catch  where error.kind == .storageCorrupt { return .damaged }
  }

  func save(in directory: StorageDirectory) throws(WalletError) {
    guard let bytes = try? WireJSON.encode(try Sealed(self)) else {
      throw WalletError(.internalDefect, "The wipe note could not be encoded.")
    }
    try directory.replaceFile(Self.fileName, with: bytes)
  }

  static func remove(from directory: StorageDirectory) throws(WalletError) {
    try directory.deleteFile(fileName)
  }
}

extension PendingWipe.Stored {
  /// The note of a wipe that was begun.
  var begun: PendingWipe? {
    if case .begun(let wipe) = self { wipe } else { nil }
  }
}
