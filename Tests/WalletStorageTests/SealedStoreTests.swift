import Foundation
import WalletCrypto
import WalletModel
import WalletPlatform
import WalletStorage
import XCTest

final class SealedStoreTests: XCTestCase {
  private let key = try? Secret.random(count: AuthenticatedBox.keyLength)

  func testAnUnregisteredStartCreatesNothing() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    XCTAssertFalse(SealedStore.exists(in: directory))
    XCTAssertEqual(try scratch.names(), ["wallet.lock"])
  }

  func testValuesOfAllTablesSurviveAReopening() throws {
    let key = try XCTUnwrap(key)
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    for round in 0..<3 {
      let store = try SealedStore.open(in: directory)
      XCTAssertTrue(SealedStore.exists(in: directory))
      if round == 0 {
        try store.transaction(label: "test") { transaction in
          try transaction.setKeyring("k", [1, 2, 3])
          try transaction.setKeyring("empty", [])
          try transaction.setMarker("m", -5)
          try transaction.setAccount("a", Secret(text: "account"), key: key)
          try transaction.setVault("v", Secret(text: "vault"), key: key)
          try transaction.setVault("empty", Secret(text: ""), key: key)
        }
      }
      try store.read { reader in
        XCTAssertEqual(try reader.keyring("k"), [1, 2, 3])
        XCTAssertEqual(try reader.keyring("empty"), [])
        XCTAssertEqual(try reader.marker("m"), -5)
        XCTAssertEqual(try reader.account("a", key: key)?.text, "account")
        XCTAssertEqual(try reader.vault("v", key: key)?.text, "vault")
        XCTAssertEqual(try reader.vault("empty", key: key)?.count, 0)
        XCTAssertEqual(try reader.vaultNames(), ["empty", "v"])
      }
      store.close()
      XCTAssertEqual(try scratch.names(), ["wallet.db", "wallet.lock"])
    }
  }

  /// Prepared statements are kept and reused.
  func testAReusedStatementKeepsNothingOfItsLastUse() throws {
    struct Stop: Error {}
    let scratch = try Scratch(for: self)
    let store = try SealedStore.open(in: StorageDirectory(path: scratch.path))
    for round: UInt8 in 1...3 {
      try store.transaction(label: "test") { transaction in
        for name in ["a", "b"] { try transaction.setKeyring(name, [round, name.utf8.first ?? 0]) }
        XCTAssertEqual(try transaction.keyring("a"), [round, UInt8(ascii: "a")])
        XCTAssertNil(try transaction.keyring("absent"))
        XCTAssertEqual(try transaction.keyring("b"), [round, UInt8(ascii: "b")])
      }
      XCTAssertThrowsError(
        try store.transaction(label: "test") { transaction in
          try transaction.setKeyring("a", [])
          try transaction.deleteKeyring("b")
          throw Stop()
        })
      XCTAssertEqual(try store.read { try $0.keyring("a") }, [round, UInt8(ascii: "a")])
      XCTAssertEqual(try store.read { try $0.keyring("b") }, [round, UInt8(ascii: "b")])
    }
    store.close()
    XCTAssertEqual(try scratch.names(), ["wallet.db", "wallet.lock"])
  }

  func testManyValuesAreReadAtOnceInTheOrderOfTheirNames() throws {
    let key = try XCTUnwrap(key)
    let store = try SealedStore.open(in: StorageDirectory(path: Scratch(for: self).path))
    // Some blocks of guarded memory are full, and one value is longer than a block.
    let texts = (0..<40).map { String(repeating: "\($0),", count: $0 == 17 ? 9000 : 10 + 20 * $0) }
    let names = texts.indices.map { "n\($0)" }
    try store.transaction(label: "test") { transaction in
      for (name, text) in zip(names, texts) where name != "n5" {
        try transaction.setAccount(name, Secret(text: text), key: key)
        try transaction.setVault(name, Secret(text: text), key: key)
      }
      try transaction.setVault("n9", Secret(text: "other"), key: Secret.random(count: 32))
    }
    func text(_ bytes: UnsafeRawBufferPointer?) -> String? {
      bytes.map { String(decoding: $0, as: UTF8.self) }
    }
    let asked = names.reversed() + ["n1", "n1"]
    var expected = texts.map(Optional.some)
    expected[5] = nil
    let inAccount = expected.reversed() + [expected[1], expected[1]]
    expected[9] = nil
    let inVault = expected.reversed() + [expected[1], expected[1]]
    try store.read { reader in
      var found: [String?] = []
      try reader.account(asked, key: key) {
        XCTAssertEqual($0, found.count)
        found.append(text($1))
        // The reader is of use meanwhile.
        XCTAssertNotNil(try reader.account("n1", key: key))
      }
      XCTAssertEqual(found, inAccount)
      found = []
      try reader.vault(asked, key: key) { found.append(text($1)) }
      XCTAssertEqual(found, inVault)
      found = []
      let sealed = try reader.sealedVault(asked)
      XCTAssertEqual(sealed.map { $0?.name }, asked.map { $0 == "n5" ? nil : $0 })
      var uses = 0
      try SealedVaultValue.openEach(
        sealed,
        withKey: { open throws(WalletError) in
          uses += 1
          try open(key)
        }
      ) { found.append(text($1)) }
      XCTAssertEqual(found, inVault)
      XCTAssertGreaterThan(uses, 1)
      XCTAssertLessThan(uses, 15)
      try reader.account([], key: key) { _, _ in XCTFail("nothing was asked for") }
    }
  }

  func testAnErrorWhileReadingManyValuesEndsIt() throws {
    let key = try XCTUnwrap(key)
    let store = try SealedStore.open(in: StorageDirectory(path: Scratch(for: self).path))
    let refusal = WalletError(.pinRefused, "No.")
    XCTAssertThrowsError(
      try store.read { try $0.account(["a", "b"], key: key) { _, _ in throw refusal } }
    ) { XCTAssertEqual($0 as? WalletError, refusal) }
    let short = try Secret.random(count: 16)
    try store.transaction(label: "test") { try $0.setVault("a", Secret(text: "1"), key: key) }
    assertThrows(
      .internalDefect, try store.read { try $0.vault(["a"], key: short) { _, _ in } })
    let sealed = try store.read { try $0.sealedVault(["a"]) }
    assertThrows(
      .locked,
      try SealedVaultValue.openEach(
        sealed, withKey: { _ throws(WalletError) in throw WalletError(.locked, "") }
      ) { _, _ in XCTFail("opened without a key") })
  }

  func testTheFilesBelongToTheOwnerAlone() throws {
    let scratch = try Scratch(for: self)
    let store = try SealedStore.open(in: StorageDirectory(path: scratch.path))
    try store.transaction(label: "test") { try $0.setMarker("m", 1) }
    for name in try scratch.names() { XCTAssertEqual(try scratch.mode(name), 0o600, name) }
    XCTAssertTrue(try scratch.names().contains("wallet.db-wal"))
  }

  func testNoSealedValueIsReadableInTheFiles() throws {
    let key = try XCTUnwrap(key)
    let scratch = try Scratch(for: self)
    let store = try SealedStore.open(in: StorageDirectory(path: scratch.path))
    try store.transaction(label: "test") {
      try $0.setAccount("a", Secret(text: "plain-account-text"), key: key)
      try $0.setVault("v", Secret(text: "plain-vault-text"), key: key)
    }
    for isClosed in [false, true] {
      if isClosed { store.close() }
      for name in try scratch.names() {
        let content = String(decoding: try scratch.read(name), as: UTF8.self)
        XCTAssertFalse(content.contains("plain-"), name)
      }
    }
  }

  func testAbsentValuesAreNilAndDeletionsLast() throws {
    let key = try XCTUnwrap(key)
    let store = try SealedStore.open(in: StorageDirectory(path: Scratch(for: self).path))
    try store.transaction(label: "test") {
      for _ in 0..<2 {
        XCTAssertNil(try $0.keyring("x"))
        XCTAssertNil(try $0.marker("x"))
        XCTAssertNil(try $0.account("x", key: key))
        XCTAssertNil(try $0.vault("x", key: key))
        try $0.setKeyring("x", [1])
        try $0.setMarker("x", 1)
        try $0.setAccount("x", Secret(text: "1"), key: key)
        try $0.setVault("x", Secret(text: "1"), key: key)
        try $0.setMarker("x", 2)
        XCTAssertEqual(try $0.marker("x"), 2)
        try $0.deleteKeyring("x")
        try $0.deleteMarker("x")
        try $0.deleteAccount("x")
        try $0.deleteVault("x")
      }
    }
    XCTAssertEqual(try store.read { try $0.vaultNames() }, [])
  }

  func testAnErrorRollsBackTheWholeTransaction() throws {
    let store = try SealedStore.open(in: StorageDirectory(path: Scratch(for: self).path))
    try store.transaction(label: "test") { try $0.setMarker("m", 1) }
    let refusal = WalletError(.pinRefused, "No.")
    XCTAssertThrowsError(
      try store.transaction(label: "test") {
        try $0.setMarker("m", 2)
        try $0.setKeyring("k", [1])
        throw refusal
      }
    ) { XCTAssertEqual($0 as? WalletError, refusal) }
    try store.read {
      XCTAssertEqual(try $0.marker("m"), 1)
      XCTAssertNil(try $0.keyring("k"))
    }
  }

  func testACrashBeforeTheCommitLeavesTheOldStateAndAfterItTheNew() throws {
    let scratch = try Scratch(for: self)
    let copies = Monitor<[String: String]>([:])
    var environment = SystemEnvironment()
    let path = scratch.path
    environment.passCrashPoint = { point in
      let target = path + "-" + point
      try? FileManager.default.copyItem(atPath: path, toPath: target)
      copies.withLock { $0[point] = target }
    }
    let directory = try StorageDirectory(path: scratch.path, environment: environment)
    let store = try SealedStore.open(in: directory)
    defer {
      for copy in copies.withLock({ $0.values }) {
        try? FileManager.default.removeItem(atPath: copy)
      }
    }
    try store.transaction(label: "test") { try $0.setMarker("m", 1) }
    let expected: [String: Int64?] = [
      "storage.test.before-commit": nil, "storage.test.after-commit": 1,
      "storage.create.after-commit": nil, "storage.create.before-commit": nil,
    ]
    XCTAssertEqual(Set(copies.withLock { $0.keys }), Set(expected.keys))
    for (point, copy) in copies.withLock({ $0 }) {
      let store = try SealedStore.open(in: StorageDirectory(path: copy))
      XCTAssertEqual(try store.read { try $0.marker("m") }, expected[point] ?? nil, point)
    }
  }

  func testATransactionCannotBeUsedInsideAnotherOrAfterItsEnd() throws {
    let store = try SealedStore.open(in: StorageDirectory(path: Scratch(for: self).path))
    var escaped: SealedStore.Transaction?
    try store.transaction(label: "test") { transaction in
      escaped = transaction
      assertThrows(.internalDefect, try store.transaction(label: "inner") { _ in })
      assertThrows(.internalDefect, try store.read { _ in })
      store.close()
      try transaction.setMarker("m", 1)
    }
    assertThrows(.internalDefect, try escaped?.marker("m"))
    assertThrows(.internalDefect, try escaped?.setMarker("m", 2))
    XCTAssertEqual(try store.read { try $0.marker("m") }, 1)
  }

  func testAClosedStoreIsUnavailable() throws {
    let store = try SealedStore.open(in: StorageDirectory(path: Scratch(for: self).path))
    store.close()
    store.close()
    assertThrows(.storageUnavailable, try store.read { _ in })
    assertThrows(.storageUnavailable, try store.transaction(label: "test") { _ in })
  }

  func testDestroyingLeavesNothingAndCanBeRepeated() throws {
    let scratch = try Scratch(for: self)
    let directory = try StorageDirectory(path: scratch.path)
    try SealedStore.destroy(in: directory)
    let store = try SealedStore.open(in: directory)
    try store.transaction(label: "test") { try $0.setMarker("m", 1) }
    let copy = try scratch.copy()
    store.close()
    try SealedStore.destroy(in: directory)
    try SealedStore.destroy(in: directory)
    XCTAssertEqual(try scratch.names(), ["wallet.lock"])
    // This also covers the files of a killed process, and an interrupted deletion.
    let left = try StorageDirectory(path: copy.path)
    try left.deleteFile("wallet.db")
    let fresh = try SealedStore.open(in: left)
    XCTAssertNil(try fresh.read { try $0.marker("m") })
    fresh.close()
    try SealedStore.destroy(in: left)
    XCTAssertEqual(try copy.names(), ["wallet.lock"])
  }
}
