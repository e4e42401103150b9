public import WalletModel

/// The identifiers of all platform keys that were requested and not yet deleted, in a file beside
/// the database. With this file the keys can be deleted even if the database is damaged or gone.
/// Identifiers are not secret.
public struct PlatformKeyNotes: Equatable, Sendable {
  /// The keys of the current wallet.
  public private(set) var current: [String] = []
  /// The keys of wallets and cards that are gone, oldest first. They are deleted as soon as the
  /// platform can delete them.
  public private(set) var orphans: [String] = []

  public init() {}

  private static let name = "platform-keys"
  /// The longest file that is read, in bytes. It is more than the limits below allow, so that the
  /// notes of an earlier version can be read too.
  private static let longest = 1 << 20
  /// The most keys of the current wallet that are noted. A wallet uses four, and one for each copy
  /// of a card.
  package static let currentLimit = 4096
  /// The most orphans that are noted: all keys of a wallet, and as many that were left before. If the platform never deletes a key, only the latest orphans
  /// stay noted.
  package static let orphanLimit = 2 * currentLimit
  /// The prefix of the line of an orphan.
  private static let orphanMark = "- "

  /// Reads the notes. Without a database there is no wallet, and all keys are orphans.
  public static func load(
    from directory: StorageDirectory
  ) throws(WalletError) -> PlatformKeyNotes {
    guard let bytes = try directory.readFile(name, limit: longest) else {
      return PlatformKeyNotes()
    }
    return PlatformKeyNotes(reading: bytes, isOrphaned: !SealedStore.exists(in: directory))
  }

  /// Reads the content of the file. Lines that are not identifiers are ignored.
  ///
  /// - Parameter isOrphaned: Whether there is no wallet, so that all keys are orphans.
  package init(reading content: [UInt8], isOrphaned: Bool) {
    var known: (current: Set<String>, orphans: Set<String>) = ([], [])
    for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
      let isMarked = line.hasPrefix(Self.orphanMark)
      let identifier = String(isMarked ? line.dropFirst(Self.orphanMark.count) : line)
      guard Self.isIdentifier(identifier) else { continue }
      if isMarked || isOrphaned {
        if known.orphans.insert(identifier).inserted { orphans.append(identifier) }
      } else if known.current.insert(identifier).inserted {
        current.append(identifier)
      }
    }
    dropOldestOrphans()
  }

  /// The content of the file.
  package var content: [UInt8] {
    Array((orphans.map { Self.orphanMark + $0 } + current).map { $0 + "\n" }.joined().utf8)
  }

  /// Writes the notes; they are on disk when this returns. Writes nothing if the file is unchanged.
  public func save(in directory: StorageDirectory) throws(WalletError) {
    let content = content
    guard !content.isEmpty else { return try directory.deleteFile(Self.name) }
    if let stored = try? directory.readFile(Self.name, limit: Self.longest), stored == content {
      return
    }
    try directory.replaceFile(Self.name, with: content)
  }

  /// - Throws: `bridgeFailed` if there are too many keys, so that the file cannot grow for ever.
  mutating func addCurrent(_ identifier: String) throws(WalletError) {
    guard !current.contains(identifier) else { return }
    guard current.count < Self.currentLimit else {
      throw WalletError(
        .bridgeFailed,
        "\(current.count) keys of this wallet are noted; a further one is made once the bridges'"
          + " delete_key has deleted the unused ones, at the next start.")
    }
    current.append(identifier)
  }

  public mutating func addOrphan(_ identifier: String) { markAsOrphans([identifier]) }

  /// Makes keys orphans, also those of the current wallet.
  public mutating func markAsOrphans(_ identifiers: [String]) {
    let marked = Set(identifiers)
    current.removeAll(where: marked.contains)
    let known = Set(orphans)
    orphans += identifiers.filter { !known.contains($0) }
    dropOldestOrphans()
  }

  private mutating func dropOldestOrphans() {
    orphans.removeFirst(max(0, orphans.count - Self.orphanLimit))
  }

  /// Removes an orphan that was deleted.
  public mutating func removeOrphan(_ identifier: String) { orphans.removeAll { $0 == identifier } }

  /// Removes a key that was deleted, current or orphaned.
  mutating func remove(_ identifier: String) {
    current.removeAll { $0 == identifier }
    removeOrphan(identifier)
  }

  /// Whether the bridges accept `text` as an identifier: at most 64 characters of a-z, 0-9, '.',
  /// '_' and '-'.
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

extension SealedStore {
  /// Notes a platform key; the note is on disk when this returns. Call it before the key is made.
  ///
  /// - Throws: Also `bridgeFailed` if too many keys are noted.
  public func notePlatformKey(_ identifier: String) throws(WalletError) {
    try notePlatformKeys([identifier])
  }

  /// Notes several platform keys at once.
  public func notePlatformKeys(_ identifiers: [String]) throws(WalletError) {
    var notes = try PlatformKeyNotes.load(from: directory)
    for identifier in identifiers { try notes.addCurrent(identifier) }
    try notes.save(in: directory)
  }

  /// Removes a note after its key was deleted.
  public func forgetPlatformKey(_ identifier: String) throws(WalletError) {
    var notes = try PlatformKeyNotes.load(from: directory)
    notes.remove(identifier)
    try notes.save(in: directory)
  }

  /// Marks keys as orphans: the wallet no longer uses them, but the platform did not delete them.
  public func orphanPlatformKeys(_ identifiers: [String]) throws(WalletError) {
    var notes = try PlatformKeyNotes.load(from: directory)
    notes.markAsOrphans(identifiers)
    try notes.save(in: directory)
  }
}
