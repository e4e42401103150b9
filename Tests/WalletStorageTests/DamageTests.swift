import Foundation
import Glibc
import WalletCrypto
import WalletModel
import WalletStorage
import XCTest

final class DamageTests: XCTestCase {
  private var scratch: Scratch!
  private var key: Secret!

  override func setUpWithError() throws {
    scratch = try Scratch(for: self)
    key = try Secret.random(count: AuthenticatedBox.keyLength)
    let store = try SealedStore.open(in: StorageDirectory(path: scratch.path))
    try store.transaction(label: "test") {
      try $0.setKeyring("k", [1, 2, 3])
      try $0.setMarker("registered", 1)
      try $0.setAccount("a", Secret(text: "account"), key: key)
      try $0.setAccount("b", Secret(text: "other"), key: key)
      try $0.setVault("a", Secret(text: "vault"), key: key)
    }
    store.close()
  }

  override func tearDown() {
    scratch = nil
    key = nil
  }

  private func open() throws -> SealedStore {
    try SealedStore.open(in: StorageDirectory(path: scratch.path))
  }

  func testADamagedHeaderIsCorruptAndTheFileIsLeftAsItIs() throws {
    var content = try scratch.read("wallet.db")
    content.replaceSubrange(0..<16, with: Array("not a database!!".utf8))
    try scratch.write("wallet.db", content)
    for _ in 0..<2 { assertThrows(.storageCorrupt, try open()) }
    XCTAssertEqual(try scratch.read("wallet.db"), content)
  }

  func testATruncatedFileIsCorruptAndLeftAsItIs() throws {
    let content = try scratch.read("wallet.db")
    for count in [0, 1, 16, 99, 100, 512, 4095, 4096, 4097, content.count / 2, content.count - 1] {
      let part = Array(content.prefix(count))
      try scratch.write("wallet.db", part)
      assertThrows(.storageCorrupt, try open(), "\(count) bytes")
      XCTAssertEqual(try scratch.read("wallet.db"), part)
    }
  }

  func testADamagedFileKeepsTheLogThatACrashLeftBesideIt() throws {
    let store = try open()
    try store.transaction(label: "test") { try $0.setMarker("registered", 2) }
    let crashed = try scratch.copy()
    let log = try crashed.read("wallet.db-wal")
    XCTAssertGreaterThan(log.count, 0)
    try crashed.write("wallet.db", Array("no database at all".utf8))
    assertThrows(
      .storageCorrupt, try SealedStore.open(in: StorageDirectory(path: crashed.path)))
    XCTAssertEqual(try crashed.read("wallet.db-wal"), log)
    XCTAssertEqual(try crashed.read("wallet.db"), Array("no database at all".utf8))
  }

  func testAnotherProgramsDatabaseIsCorruptAndLeftAsItIs() throws {
    try FileManager.default.removeItem(atPath: scratch.file("wallet.db"))
    runSQL("CREATE TABLE letters(text)", on: scratch.file("wallet.db"))
    let content = try scratch.read("wallet.db")
    assertThrows(.storageCorrupt, try open())
    XCTAssertEqual(try scratch.read("wallet.db"), content)
  }

  func testALostTableIsCorrupt() throws {
    runSQL("DROP TABLE vault", on: scratch.file("wallet.db"))
    assertThrows(.storageCorrupt, try open())
  }

  func testANewerSchemaIsUnavailableNotCorrupt() throws {
    runSQL("PRAGMA user_version = 5", on: scratch.file("wallet.db"))
    let content = try scratch.read("wallet.db")
    assertThrows(.storageUnavailable, try open())
    XCTAssertEqual(try scratch.read("wallet.db"), content)
  }

  func testAnEarlierSchemaIsRefusedByNameAndLeftAsItIs() throws {
    runSQL("PRAGMA user_version = 3", on: scratch.file("wallet.db"))
    let content = try scratch.read("wallet.db")
    XCTAssertThrowsError(try open()) {
      let error = $0 as? WalletError
      XCTAssertEqual(error?.kind, .storageCorrupt)
      XCTAssertTrue(error?.message.contains("earlier version") ?? false)
    }
    XCTAssertEqual(try scratch.read("wallet.db"), content)
  }

  func testAFlippedByteAnywhereNeitherTrapsNorGivesAnotherSecret() throws {
    let content = try scratch.read("wallet.db")
    for index in stride(from: 0, to: content.count, by: 37) {
      var damaged = content
      damaged[index] ^= 0x55
      try scratch.write("wallet.db", damaged)
      do {
        let store = try open()
        let value = try store.read { try $0.account("a", key: key)?.text }
        XCTAssertTrue(value == nil || value == "account")
        // The same of several values at once, of which a damaged one hides no other.
        try store.read {
          try $0.account(["a", "b"], key: key) { index, bytes in
            let text = bytes.map { String(decoding: $0, as: UTF8.self) }
            XCTAssertTrue(text == nil || text == ["account", "other"][index])
          }
        }
      } catch let error as WalletError {
        XCTAssertTrue(
          [.storageCorrupt, .storageUnavailable].contains(error.kind), "\(index): \(error)")
      }
      for suffix in ["-wal", "-journal", "-shm"] { unlink(scratch.file("wallet.db" + suffix)) }
    }
  }

  func testAFlippedBitInASealedValueIsCorrupt() throws {
    runSQL(
      """
      UPDATE account SET value = CAST(substr(value, 1, length(value) - 1) ||
        CASE WHEN substr(value, -1) = x'00' THEN x'01' ELSE x'00' END AS BLOB) WHERE name = 'a'
      """, on: scratch.file("wallet.db"))
    let store = try open()
    assertThrows(.storageCorrupt, try store.read { try $0.account("a", key: key) })
    XCTAssertEqual(try store.read { try $0.account("b", key: key)?.text }, "other")
  }

  func testAValueMovedToAnotherNameOrTableIsCorrupt() throws {
    runSQL(
      """
      UPDATE account SET value = (SELECT value FROM account WHERE name = 'b') WHERE name = 'a';
      INSERT INTO account SELECT 'moved', value FROM account WHERE name = 'b';
      INSERT INTO vault SELECT name, value FROM account WHERE name = 'b';
      """, on: scratch.file("wallet.db"))
    let store = try open()
    assertThrows(.storageCorrupt, try store.read { try $0.account("a", key: key) })
    assertThrows(.storageCorrupt, try store.read { try $0.account("moved", key: key) })
    assertThrows(.storageCorrupt, try store.read { try $0.vault("b", key: key) })
    XCTAssertEqual(try store.read { try $0.vault("a", key: key)?.text }, "vault")
  }

  func testAnotherKeyDoesNotOpen() throws {
    let other = try Secret.random(count: AuthenticatedBox.keyLength)
    let store = try open()
    assertThrows(.storageCorrupt, try store.read { try $0.account("a", key: other) })
    let short = try Secret.random(count: 16)
    assertThrows(.internalDefect, try store.read { try $0.account("a", key: short) })
    assertThrows(
      .internalDefect,
      try store.transaction(label: "test") { try $0.setAccount("a", short, key: short) })
  }

  func testAFolderInTheDatabasesPlaceIsUnavailable() throws {
    try FileManager.default.removeItem(atPath: scratch.file("wallet.db"))
    XCTAssertEqual(mkdir(scratch.file("wallet.db"), 0o700), 0)
    assertThrows(.storageUnavailable, try open())
  }

  func testAFullDiskKeepsWhatWasCommitted() throws {
    for space in LimitedSpace.allCases {
      try space.use(for: self) { scratch in
        let directory = try StorageDirectory(path: scratch.path)
        let store = try SealedStore.open(in: directory)
        try store.transaction(label: "test") { try $0.setMarker("m", 1) }
        let large = [UInt8](repeating: 7, count: 512 * 1024)
        assertThrows(
          .storageFull,
          try store.transaction(label: "test") {
            try $0.setMarker("m", 2)
            try $0.setKeyring("large", large)
          }, "\(space)")
        XCTAssertEqual(try store.read { try $0.marker("m") }, 1)
        try store.transaction(label: "test") { try $0.setMarker("m", 3) }
        store.close()
        XCTAssertEqual(try SealedStore.open(in: directory).read { try $0.marker("m") }, 3)
      }
    }
  }

  func testNoSpaceForANewDatabaseLeavesNoDatabase() throws {
    for space in LimitedSpace.allCases {
      try space.use(for: self, kilobytes: 8) { scratch in
        let directory = try StorageDirectory(path: scratch.path)
        assertThrows(.storageFull, try SealedStore.open(in: directory), "\(space)")
        XCTAssertFalse(SealedStore.exists(in: directory))
        XCTAssertEqual(try scratch.names(), ["wallet.lock"])
      }
    }
  }
}
