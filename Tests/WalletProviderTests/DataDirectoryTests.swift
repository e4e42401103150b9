import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderSQLite
import XCTest

final class DataDirectoryTests: XCTestCase {
  private let path = NSTemporaryDirectory() + "provider-data-" + UUID().uuidString
  private let settings = ProviderSettings()

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try XCTUnwrap(attributes[.posixPermissions] as? Int)
  }

  private func open(publish: Bool = true) throws -> DataDirectory {
    try DataDirectory(path: path, settings: settings, publish: publish)
  }

  func testOnlyTheOwnerMayReadNewFiles() throws {
    let directory = try open()
    let store = try SQLiteProviderStore(path: directory.databasePath)
    // The log exists only while the database is open.
    defer { withExtendedLifetime(store) {} }
    XCTAssertEqual(try mode(path), 0o700)
    XCTAssertEqual(try mode(path + "/keys"), 0o700)
    let names = try FileManager.default.subpathsOfDirectory(atPath: path)
    XCTAssertTrue(names.contains("wallet-provider.sqlite-wal"))
    for name in names where name != "keys" {
      // Certificates are public.
      XCTAssertEqual(try mode(path + "/" + name), name.hasSuffix(".pem") ? 0o644 : 0o600, name)
    }
  }

  func testRefusesAReadableKeyFileWithTheCommandThatFixesIt() throws {
    _ = try open()
    let keys = [
      "configuration-signing", "configuration-signing-offline", "result", "certificate",
      "encryption", "sealing",
    ]
    for key in keys {
      let file = "\(path)/keys/\(key).key"
      for lax in [0o640, 0o604, 0o620] {
        try FileManager.default.setAttributes([.posixPermissions: lax], ofItemAtPath: file)
        XCTAssertThrowsError(try open()) { error in
          XCTAssertTrue("\(error)".contains("chmod 600 \(file)"), "\(error)")
        }
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }
    _ = try open()
  }

  func testFindsTheSameKeysAndIdAgain() throws {
    let first = try open()
    let second = try open()
    XCTAssertEqual(first.configuration, second.configuration)
    XCTAssertEqual(first.identity.id, second.identity.id)
  }

  func testTheOfflineKeyMayBeMovedAway() throws {
    let first = try open()
    let file = path + "/keys/configuration-signing-offline.key"
    try FileManager.default.removeItem(atPath: file)
    let second = try open()
    XCTAssertEqual(first.configuration, second.configuration)
    XCTAssertFalse(FileManager.default.fileExists(atPath: file))
    let client = try second.clientConfiguration(url: "http://127.0.0.1:1")
    XCTAssertEqual(client.configurationSigningKeys.count, 2)
    XCTAssertEqual(Set(client.configurationSigningKeys.map(\.id)).count, 2)
  }

  func testNamesAFileWithoutAKeyAndNeverReplacesIt() throws {
    _ = try open()
    for content in ["", "short\n", "!!!\n"] {
      let file = path + "/keys/result.key"
      try FileManager.default.removeItem(atPath: file)
      _ = FileManager.default.createFile(
        atPath: file, contents: Data(content.utf8), attributes: [.posixPermissions: 0o600])
      XCTAssertThrowsError(try open()) { XCTAssertTrue("\($0)".contains(file), "\($0)") }
      XCTAssertEqual(try String(contentsOfFile: file, encoding: .utf8), content)
    }
  }

  func testRefusesAPipeWithoutWaitingForIt() throws {
    _ = try open()
    let file = path + "/provider-id"
    try FileManager.default.removeItem(atPath: file)
    XCTAssertEqual(mkfifo(file, 0o600), 0)
    XCTAssertThrowsError(try open()) {
      XCTAssertEqual("\($0)", "\(file) is not a small regular file")
    }
  }

  func testConcurrentOpensOfAnEmptyDirectoryGetTheSameKeys() async throws {
    // Each process makes the tables in several steps, and any step may already be done by another
    // process.
    let path = path
    for _ in 1...20 {
      let published = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 1...8 {
          group.addTask {
            let directory = try DataDirectory(path: path, settings: ProviderSettings())
            _ = try SQLiteProviderStore(path: directory.databasePath)
            return directory.configuration.compact
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      XCTAssertEqual(published.count, 1)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  func testTheDatabaseIsDurable() async throws {
    let store = try SQLiteProviderStore(path: try open().databasePath)
    let journal = try await store.pragma("journal_mode")
    XCTAssertEqual(journal, "\"wal\"")
    let synchronous = try await store.pragma("synchronous")
    XCTAssertEqual(synchronous, "2")
  }

  func testRefusesAnInvalidDatabaseAndLeavesItUnchanged() throws {
    let file = try open().databasePath
    let content = Data(repeating: 0x41, count: 8192)
    XCTAssertTrue(
      FileManager.default.createFile(
        atPath: file, contents: content, attributes: [.posixPermissions: 0o600]))
    XCTAssertThrowsError(try SQLiteProviderStore(path: file)) { XCTAssertTrue($0 is StoreFailure) }
    XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: file)), content)
  }
}
