public import WalletModel

/// The identifiers of every platform key that was ever asked for, in a file beside the database, so
/// that a wipe deletes them also where the database is damaged or gone. Identifiers are no secrets.
extension SealedStore {
  private static let notes = "platform-keys"
  private static let longestNotes = 64 * 1024

  /// Notes a platform key; on disk when this returns. To be called before the key is made.
  public func notePlatformKey(_ identifier: String) throws(WalletError) {
    let noted = try Self.notedPlatformKeys(in: directory)
    guard !noted.contains(identifier) else { return }
    let lines = (noted + [identifier]).map { $0 + "\n" }.joined()
    try directory.replaceFile(Self.notes, with: Array(lines.utf8))
  }

  /// What was noted; lines that are no identifier are passed over.
  public static func notedPlatformKeys(
    in directory: StorageDirectory
  ) throws(WalletError) -> [String] {
    guard let bytes = try directory.readFile(notes, limit: longestNotes) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      .filter(isIdentifier)
  }

  /// Forgets the notes, once the keys are deleted.
  public static func forgetPlatformKeys(in directory: StorageDirectory) throws(WalletError) {
    try directory.deleteFile(notes)
  }

  /// What the bridges take: at most 64 characters of a-z, 0-9, '.', '_' and '-'.
  private static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
