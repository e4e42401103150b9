import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
import XCTest

/// Databases of other versions.
final class MigrationTests: XCTestCase {
  /// No evaluator knows the PINs of such a database, and the rows of the oldest are not
  /// authenticated.
  func testRefusesADatabaseOfAnEarlierVersionAndSaysToStartAnew() async throws {
    let harness = try ProviderHarness()
    _ = try await TestWallet.confirmed(harness)
    let path = harness.directory.databasePath
    for (version, steps) in [
      (6, ["6: secrets"]), (7, ["7: authenticated rows"]),
      (8, ["7: authenticated rows", "8: the beginning of a wait"]),
    ] {
      // As an earlier version noted its steps, or as somebody who wants his rows to be taken over.
      try harness.storeLocation.execute("DELETE FROM grdb_migrations")
      for step in steps {
        try harness.storeLocation.execute("INSERT INTO grdb_migrations VALUES ('\(step)')")
      }
      XCTAssertThrowsError(try SQLiteProviderStore(path: path)) {
        XCTAssertTrue("\($0)".contains("tables of version \(version), which an earlier"), "\($0)")
        XCTAssertTrue("\($0)".contains("start anew with a new database"), "\($0)")
      }
      let started = try Program.run(
        Program.provider, ["serve", "--port", "0", "--data", harness.path])
      XCTAssertEqual(started.status, 1)
      XCTAssertTrue(started.errors.contains("start anew with a new database"), started.errors)
      let checked = try Program.run(
        Program.provider, ["check", "--port", "0", "--data", harness.path])
      XCTAssertEqual(checked.status, 1)
      XCTAssertTrue(
        checked.output.contains(
          "wrong database: its tables are of version \(version), which this program does not take"
            + " over: start anew"),
        checked.output)
    }
    // Without any step the tables are in the way, and they stay as they are.
    try harness.storeLocation.execute("DELETE FROM grdb_migrations")
    XCTAssertThrowsError(try SQLiteProviderStore(path: path)) {
      XCTAssertTrue("\($0)".contains("already exists"), "\($0)")
    }
  }

  func testRefusesAPostgreSQLDatabaseOfAnEarlierVersionAndSaysToStartAnew() throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    _ = try PostgreSQLProviderStore(try database.url)
    for (statement, refusal) in [
      ("DELETE FROM schema_version WHERE version > 3", "of version 3, which an earlier"),
      ("DELETE FROM schema_version WHERE version > 2", "of version 2, which an earlier"),
      ("DELETE FROM schema_version WHERE version > 1", "start anew with a new database"),
      ("DELETE FROM schema_version", "42P07"),
    ] {
      try database.execute(statement)
      XCTAssertThrowsError(try PostgreSQLProviderStore(try database.url)) {
        XCTAssertTrue("\($0)".contains(refusal), "\($0)")
      }
    }
  }

  /// The tables of status lists came with version 10, and 5 on PostgreSQL.
  func testADatabaseWithoutStatusListsGetsTheirTablesAndKeepsItsRows() async throws {
    for kind in [StoreKind.sqlite, .postgreSQL] {
      StoreTestCase.current = kind
      defer { StoreTestCase.current = .sqlite }
      let bed = try StatusTestBed()
      let wallet = try await TestWallet.confirmed(bed.harness)
      let step =
        kind == .sqlite
        ? "DELETE FROM grdb_migrations WHERE identifier LIKE '10:%'"
        : "DELETE FROM schema_version WHERE version > 4"
      try bed.harness.storeLocation.execute(
        "DROP TABLE status_list; DROP TABLE status_entry;"
          + "ALTER TABLE wallet DROP COLUMN pin_proven_at; \(step)")
      try bed.harness.restart()
      let share = try await wallet.checkRight()
      XCTAssertEqual(share, wallet.share)
      let references = try await bed.assign(bed.assignment("batch"))
      XCTAssertEqual(references.count, 10)
    }
  }

  func testRefusesADatabaseOfANewerProgram() throws {
    let harness = try ProviderHarness()
    try harness.storeLocation.execute("INSERT INTO grdb_migrations VALUES ('1000: later')")
    XCTAssertThrowsError(try SQLiteProviderStore(path: harness.directory.databasePath)) {
      XCTAssertTrue("\($0)".contains("newer program"), "\($0)")
    }
  }
}
