import WalletModel
import WalletStorage
import XCTest

final class PlatformKeyNotesTests: XCTestCase {
  private func lines(_ scratch: Scratch) throws -> String {
    String(decoding: try scratch.read("platform-keys"), as: UTF8.self)
  }

  func testTheKeysOfAWalletAreOrphansOnceItsDatabaseIsGone() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    let store = try SealedStore.open(in: directory)
    for name in ["a.1", "b.1", "a.1"] { try store.notePlatformKey(name) }
    XCTAssertEqual(try PlatformKeyNotes.load(from: directory).current, ["a.1", "b.1"])
    XCTAssertEqual(try PlatformKeyNotes.load(from: directory).orphans, [])
    store.close()
    try SealedStore.destroy(in: directory)
    XCTAssertEqual(try PlatformKeyNotes.load(from: directory).current, [])
    XCTAssertEqual(try PlatformKeyNotes.load(from: directory).orphans, ["a.1", "b.1"])
  }

  func testTheNextWalletDoesNotTakeOverTheKeysOfTheOneBefore() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    try scratch.write("platform-keys", Array("a.1\n- b.1\n".utf8))
    let store = try SealedStore.open(in: directory)
    try store.notePlatformKey("a.2")
    XCTAssertEqual(try lines(scratch), "- a.1\n- b.1\na.2\n")
    var notes = try PlatformKeyNotes.load(from: directory)
    XCTAssertEqual(notes.current, ["a.2"])
    XCTAssertEqual(notes.orphans, ["a.1", "b.1"])
    notes.removeOrphan("a.1")
    try notes.save(in: directory)
    XCTAssertEqual(try lines(scratch), "- b.1\na.2\n")
  }

  func testEmptyNotesLeaveNoFile() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    var notes = PlatformKeyNotes()
    notes.addOrphan("a.1")
    try notes.save(in: directory)
    XCTAssertEqual(try lines(scratch), "- a.1\n")
    notes.removeOrphan("a.1")
    try notes.save(in: directory)
    XCTAssertEqual(try scratch.names(), ["wallet.lock"])
  }

  func testLinesThatAreNotIdentifiersAreIgnored() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    let long = String(repeating: "x", count: 65)
    try scratch.write(
      "platform-keys", Array("a.1\n../etc\n- \n-\n- B\n\(long)\n- - b.1\n\u{0}\n- b.2".utf8))
    // A hyphen is a valid identifier.
    XCTAssertEqual(try PlatformKeyNotes.load(from: directory).orphans, ["a.1", "-", "b.2"])
  }

  func testAPlatformThatNeverDeletesAKeyDoesNotFillTheFile() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    var notes = PlatformKeyNotes()
    let limit = PlatformKeyNotes.orphanLimit
    for number in 0..<100 { notes.addOrphan("wallet_core.signing.\(number)") }
    notes.markAsOrphans((100..<limit + 100).map { "wallet_core.signing.\($0)" })
    try notes.save(in: directory)
    let kept = try PlatformKeyNotes.load(from: directory).orphans
    XCTAssertEqual(kept, (100..<limit + 100).map { "wallet_core.signing.\($0)" })
    XCTAssertNoThrow(try SealedStore.open(in: directory).notePlatformKey("a.1"))
  }

  func testTooManyKeysOfAWalletAreRefusedUntilTheUnusedOnesAreOrphans() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    let store = try SealedStore.open(in: directory)
    // The longest identifiers, so that the file is as long as it can get.
    let limit = PlatformKeyNotes.currentLimit
    let names = (0..<3 * limit).map { number in
      String(repeating: "x", count: 59) + String(10_000 + number)
    }
    var notes = PlatformKeyNotes()
    let former = names.suffix(limit - 1)
    notes.markAsOrphans(Array(former))
    try notes.save(in: directory)
    try store.notePlatformKeys(Array(names.prefix(limit)))
    try store.notePlatformKey(names[0])
    XCTAssertThrowsError(try store.notePlatformKey(names[limit])) { error in
      let error = error as? WalletError
      XCTAssertEqual(error?.kind, .bridgeFailed)
      XCTAssertTrue(error?.message.contains("delete_key") ?? false, "\(error?.message ?? "")")
    }
    XCTAssertLessThan(try scratch.read("platform-keys").count, 1024 * 1024)
    XCTAssertEqual(try PlatformKeyNotes.load(from: directory).current.count, limit)
    try store.orphanPlatformKeys(Array(names[1..<limit]))
    try store.notePlatformKey(names[limit])
    notes = try PlatformKeyNotes.load(from: directory)
    XCTAssertEqual(notes.current, [names[0], names[limit]])
    XCTAssertEqual(notes.orphans, Array(former) + Array(names[1..<limit]))
    // Without the wallet all of them are orphans, and none is lost.
    let file = notes.content
    XCTAssertEqual(
      Set(PlatformKeyNotes(reading: file, isOrphaned: true).orphans),
      Set(notes.orphans + notes.current))
  }
}
