public import WalletModel

/// The identifiers of every platform key that was ever asked for, in a file beside the database, so
/// that they are deleted also where the database is damaged or gone. Identifiers are no secrets.
public struct PlatformKeyNotes: Equatable, Sendable {
  /// Keys of the wallet that is there.
  public private(set) var current: [String] = []
  /// Keys of wallets and cards that are gone, the oldest first; to be deleted as soon as the platform
  /// can.
  public private(set) var orphans: [String] = []

  public init() {}

  private static let name = "platform-keys"
  private static let longest = 64 * 1024
  /// So many are kept, the latest, of a platform that never deletes one.
  private static let orphanLimit = 256
  /// Begins the line of an orphan.
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

  /// Reads the file's content; lines that are no identifier are passed over.
  ///
  /// - Parameter isOrphaned: there is no wallet, so all keys are orphans.
  package init(reading content: [UInt8], isOrphaned: Bool) {
    for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
      let isMarked = line.hasPrefix(Self.orphanMark)
      let identifier = String(isMarked ? line.dropFirst(Self.orphanMark.count) : line)
      guard Self.isIdentifier(identifier) else { continue }
      if isMarked || isOrphaned {
        addOrphan(identifier)
      } else {
        current.append(identifier)
      }
    }
  }

  /// The file's content.
  package var content: [UInt8] {
    Array((orphans.map { Self.orphanMark + $0 } + current).map { $0 + "\n" }.joined().utf8)
  }

  /// Makes the file say this; on disk when this returns. Writes nothing where it says so already.
  public func save(in directory: StorageDirectory) throws(WalletError) {
    let content = content
    guard !content.isEmpty else { return try directory.deleteFile(Self.name) }
    if let stored = try? directory.readFile(Self.name, limit: Self.longest), stored == content {
      return
    }
    try directory.replaceFile(Self.name, with: content)
  }

  mutating func addCurrent(_ identifier: String) {
    if !current.contains(identifier) { current.append(identifier) }
  }

  public mutating func addOrphan(_ identifier: String) {
    guard !orphans.contains(identifier) else { return }
    orphans.append(identifier)
    if orphans.count > Self.orphanLimit { orphans.removeFirst() }
  }

  /// Makes a key of the wallet an orphan, which the wallet itself outlives.
  public mutating func disown(_ identifier: String) {
    current.removeAll { $0 == identifier }
    addOrphan(identifier)
  }

  /// Forgets a key that was deleted.
  public mutating func removeOrphan(_ identifier: String) { orphans.removeAll { $0 == identifier } }

  /// Forgets a key that was deleted, whatever wallet it was of.
  mutating func remove(_ identifier: String) {
    current.removeAll { $0 == identifier }
    removeOrphan(identifier)
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

extension SealedStore {
  /// Notes a platform key; on disk when this returns. To be called before the key is made.
  public func notePlatformKey(_ identifier: String) throws(WalletError) {
    var notes = try PlatformKeyNotes.load(from: directory)
    notes.addCurrent(identifier)
    try notes.save(in: directory)
  }

  /// Forgets one note, after its key was deleted.
  public func forgetPlatformKey(_ identifier: String) throws(WalletError) {
    var notes = try PlatformKeyNotes.load(from: directory)
    notes.remove(identifier)
    try notes.save(in: directory)
  }
}
