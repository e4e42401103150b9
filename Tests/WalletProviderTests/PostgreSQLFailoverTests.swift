import Foundation
import Synchronization
import TestSupport
import WalletProvider
import XCTest

@testable import WalletProviderPostgreSQL

/// A server that waits for a synchronous standby, and several servers.
final class PostgreSQLFailoverTests: StoreTestCase {
  override class var kind: StoreKind { .postgreSQL }

  private static let reload = "SELECT pg_reload_conf()"

  private func store(_ database: TestDatabase) throws -> PostgreSQLProviderStore {
    var limits = DatabaseLimits()
    limits.connections = 1
    // The test ends the wait, not a limit.
    limits.transaction = 10 * Patience.milliseconds
    return try PostgreSQLProviderStore(
      try database.url, authentication: try .forTests(), limits: limits)
  }

  /// Sets a parameter of the whole server for the time of the test.
  private func set(_ parameter: String, to value: String, _ database: TestDatabase) throws {
    addTeardownBlock {
      try database.execute("ALTER SYSTEM RESET \(parameter)")
      try database.execute(Self.reload)
      let isReset = try await eventuallySuspending {
        let sources = try? database.execute(
          "SELECT source FROM pg_settings WHERE name = '\(parameter)'")
        return sources == ["default"]
      }
      XCTAssertTrue(isReset)
    }
    try database.execute("ALTER SYSTEM SET \(parameter) = '\(value)'")
    try database.execute(Self.reload)
  }

  /// The process of the provider's connection whose commit waits for a standby.
  private func waitingProcess(_ database: TestDatabase) -> String? {
    try? database.execute(
      """
      SELECT pid FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'wallet-provider' AND wait_event = 'SyncRep'
      """
    ).first
  }

  private func account(_ id: String) -> StoredAccount {
    StoredAccount(id: id, sealingKey: "k", sealedPerson: [], createdAt: 0)
  }

  /// PostgreSQL reports success if the wait for the standby is cancelled, with a warning only: the
  /// change is on the primary's disk, and lost if the standby takes over.
  func testACommitWhoseWaitForTheStandbyIsCancelledIsNotAnswered() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let store = try store(database)
    // The warning is sent whatever the level of messages that the database sets.
    try database.execute(
      """
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET client_min_messages = error',
        current_database()); END $$
      """)
    try set("synchronous_standby_names", to: "absent", database)
    for number in 1... {
      let hasEnded = Mutex(false)
      let row = account("\(number)")
      let work = Task {
        defer { hasEnded.withLock { $0 = true } }
        try await store.transaction { try $0.insert(row) }
      }
      let isOn = try await eventuallySuspending {
        hasEnded.withLock { $0 } || self.waitingProcess(database) != nil
      }
      XCTAssertTrue(isOn)
      guard let process = waitingProcess(database) else {
        // The server had not read its settings yet.
        try await work.value
        continue
      }
      try database.execute("SELECT pg_cancel_backend(\(process))")
      do {
        try await work.value
        XCTFail("the commit was answered")
      } catch {
        XCTAssertTrue("\(error)".contains("standby"), "\(error)")
      }
      break
    }
  }

  /// Among several servers only the primary is of use; libpq tells it by this setting too.
  func testAServerThatIsReadOnlyIsNotTaken() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    try database.execute(
      """
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
        current_database()); END $$
      """)
    do {
      _ = try store(database)
      XCTFail("a read-only server was taken")
    } catch {
      XCTAssertTrue("\(error)".contains("cannot connect to PostgreSQL"), "\(error)")
      XCTAssertTrue("\(error)".contains("read-only"), "\(error)")
    }
  }

  func testTheNextServerOfTheURLIsTakenWhereTheFirstIsAbsent() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let several = TestDatabase(text: database.text.replacing("@", with: "@127.0.0.1:1,"))
    let store = try store(several)
    try await store.ping()
  }

  /// Two servers under one name, which only their ports tell apart: the second is the one that is taken.
  func testAConnectionTellsItsServerFromAnotherOfItsName() throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let url = database.text.replacing("@", with: "@127.0.0.1:1,")
    let server = try Connection(DatabaseURL(url), limits: DatabaseLimits()).server
    let parts = try XCTUnwrap(database.text.split(separator: "@").last).split(separator: "/")
    let port = try XCTUnwrap(parts.first?.split(separator: ":").last)
    XCTAssertEqual(server, DatabaseServer(host: "127.0.0.1", address: "127.0.0.1", port: "\(port)"))
    let order = HostOrder.parameters(of: url, last: server)
    XCTAssertEqual(order.first { $0.0 == "port" }?.1, "1,\(port)")

    // Without names libpq tells the address instead.
    let name = try XCTUnwrap(parts.last)
    let addresses =
      "postgresql:///\(name)?user=postgres&hostaddr=127.0.0.1,127.0.0.1&port=1,\(port)"
    let sameServer = try Connection(DatabaseURL(addresses), limits: DatabaseLimits()).server
    XCTAssertEqual(sameServer, server)
  }
}
