import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
import XCTest

/// Databases of other versions.
final class MigrationTests: XCTestCase {
  /// Nothing tells the rows of such a database from rows that somebody else wrote.
  func testRefusesADatabaseWhoseRowsAreNotAuthenticated() async throws {
    let harness = try ProviderHarness()
    _ = try await TestWallet.confirmed(harness)
    // As an earlier version noted its last step, or as somebody who wants his rows to be taken over.
    try harness.storeLocation.execute(
      "DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES ('6: secrets')")
    let path = harness.directory.databasePath
    XCTAssertThrowsError(try SQLiteProviderStore(path: path)) {
      XCTAssertTrue("\($0)".contains("of version 6, whose rows are not authenticated"), "\($0)")
    }
    let checked = try Program.run(
      Program.provider, ["check", "--port", "0", "--data", harness.path])
    XCTAssertEqual(checked.status, 1)
    XCTAssertTrue(
      checked.output.contains("wrong database: its tables are of version 6, whose rows are not"),
      checked.output)
    // Without any step the tables are in the way, and they stay as they are.
    try harness.storeLocation.execute("DELETE FROM grdb_migrations")
    XCTAssertThrowsError(try SQLiteProviderStore(path: path)) {
      XCTAssertTrue("\($0)".contains("already exists"), "\($0)")
    }
  }

  func testRefusesAPostgreSQLDatabaseWhoseRowsAreNotAuthenticated() throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    _ = try PostgreSQLProviderStore(try database.url)
    for (statement, refusal) in [
      ("DELETE FROM schema_version WHERE version > 1", "of version 1, whose rows are not auth"),
      ("DELETE FROM schema_version", "42P07"),
    ] {
      try database.execute(statement)
      XCTAssertThrowsError(try PostgreSQLProviderStore(try database.url)) {
        XCTAssertTrue("\($0)".contains(refusal), "\($0)")
      }
    }
  }

  /// A column that is NULL is not part of what is authenticated, so rows of before stay readable.
  func testTakesOverADatabaseWithoutTheBeginningOfAWait() async throws {
    for kind in [StoreKind.sqlite, .postgreSQL] {
      let version =
        kind == .sqlite
        ? "grdb_migrations WHERE identifier LIKE '8:%'" : "schema_version WHERE version > 2"
      try await onStore(kind) { harness in
        let wallet = try await TestWallet.confirmed(harness)
        let session = try await wallet.newSession()
        try harness.storeLocation.execute(
          "ALTER TABLE proofing_session DROP COLUMN waits_since; DELETE FROM \(version)")
        try harness.restart()
        let status = try await wallet.submit(try TestPerson.claims(), session.id)
        XCTAssertEqual(status.state, .proofed)
      }
    }
  }

  private func onStore(
    _ kind: StoreKind, _ work: (ProviderHarness) async throws -> Void
  ) async throws {
    StoreTestCase.current = kind
    defer { StoreTestCase.current = .sqlite }
    try await work(try ProviderHarness())
  }

  func testRefusesADatabaseOfANewerProgram() throws {
    let harness = try ProviderHarness()
    try harness.storeLocation.execute("INSERT INTO grdb_migrations VALUES ('1000: later')")
    XCTAssertThrowsError(try SQLiteProviderStore(path: harness.directory.databasePath)) {
      XCTAssertTrue("\($0)".contains("newer program"), "\($0)")
    }
  }
}
