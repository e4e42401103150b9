import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import XCTest

/// Many replicas on one database.
final class PostgreSQLReplicaTests: StoreTestCase {
  override class var kind: StoreKind { .postgreSQL }

  private let path = NSTemporaryDirectory() + "provider-replicas-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: path) }

  private func directory(
    _ store: PostgreSQLProviderStore, _ settings: ProviderSettings = ProviderSettings(),
    publish: Bool = true, at path: String? = nil
  ) async throws -> DataDirectory {
    try await DataDirectory(
      path: path ?? self.path, settings: settings, publish: publish, sharing: store,
      pollingEvery: .zero)
  }

  func testReplicasStartingTogetherMakeTheTablesOnce() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let url = try database.url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask { try await PostgreSQLProviderStore(url).ping() }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(
      try database.execute("SELECT version FROM schema_version ORDER BY version"),
      ["1", "2", "3", "4", "5"])
  }

  func testRefusesADatabaseOfANewerProgram() throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    _ = try PostgreSQLProviderStore(try database.url)
    try database.execute("INSERT INTO schema_version (version) VALUES (1000)")
    XCTAssertThrowsError(try PostgreSQLProviderStore(try database.url)) {
      XCTAssertTrue("\($0)".contains("newer wallet-provider"), "\($0)")
    }
  }

  func testFailedMigrationLeavesTheDatabaseUnchanged() throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    try database.execute("CREATE TABLE proofed_document (mine INT)")
    XCTAssertThrowsError(try PostgreSQLProviderStore(try database.url)) {
      XCTAssertTrue("\($0)".contains("42P07"), "\($0)")
    }
    XCTAssertEqual(
      try database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"),
      ["proofed_document"])
  }

  func testAllReplicasServeTheLatestConfiguration() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let store = try PostgreSQLProviderStore(try database.url)
    let old = try await directory(store)
    XCTAssertEqual(old.configuration.claims.configurationVersion, 1)
    var settings = ProviderSettings()
    settings.inactiveTimeout = 400_000
    let new = try await directory(store, settings)
    XCTAssertEqual(new.configuration.claims.configurationVersion, 2)
    for _ in 1...3 {
      let served = try await old.configurationSource.published
      XCTAssertEqual(served, new.configuration)
    }
    let asked = try await directory(store, publish: false)
    XCTAssertEqual(asked.configuration, new.configuration)
    let again = try await directory(store, settings)
    XCTAssertEqual(again.configuration, new.configuration)
    XCTAssertFalse(FileManager.default.fileExists(atPath: path + "/configuration.jwt"))
  }

  func testReplicasStartingTogetherPublishOneConfiguration() async throws {
    let url = try PostgreSQLServer.shared().makeDatabase().url
    let path = path
    let published = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...6 {
        group.addTask {
          let store = try PostgreSQLProviderStore(url)
          return try await DataDirectory(path: path, settings: ProviderSettings(), sharing: store)
            .configuration.compact
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    XCTAssertEqual(published.count, 1)
  }

  func testProviderThatMovesToADatabaseContinuesItsVersions() async throws {
    let store = try PostgreSQLProviderStore(try PostgreSQLServer.shared().makeDatabase().url)
    var settings = ProviderSettings()
    for timeout: Int64 in [310_000, 320_000, 330_000] {
      settings.inactiveTimeout = timeout
      _ = try DataDirectory(path: path, settings: settings)
    }
    let same = try await directory(store, settings)
    XCTAssertEqual(same.configuration.claims.configurationVersion, 3)
    let next = try await directory(store)
    XCTAssertEqual(next.configuration.claims.configurationVersion, 4)
  }

  func testRefusesADatabaseOfAnotherProvider() async throws {
    let store = try PostgreSQLProviderStore(try PostgreSQLServer.shared().makeDatabase().url)
    _ = try await directory(store)
    let other = path + "-other"
    defer { try? FileManager.default.removeItem(atPath: other) }
    do {
      _ = try await directory(store, at: other)
      XCTFail("was not refused")
    } catch { XCTAssertTrue("\(error)".contains("another provider"), "\(error)") }
    // No unwanted provider was made either.
    XCTAssertFalse(FileManager.default.fileExists(atPath: other + "/keys"))
    XCTAssertFalse(FileManager.default.fileExists(atPath: other + "/provider-id"))
    _ = try DataDirectory(path: other, settings: ProviderSettings())
    do {
      _ = try await directory(store, at: other)
      XCTFail("was not refused")
    } catch { XCTAssertTrue("\(error)".contains("another provider"), "\(error)") }
    // The same id with other keys is refused too.
    try FileManager.default.removeItem(atPath: other + "/provider-id")
    try FileManager.default.copyItem(atPath: path + "/provider-id", toPath: other + "/provider-id")
    do {
      _ = try await directory(store, at: other)
      XCTFail("was not refused")
    } catch { XCTAssertTrue("\(error)".contains("same keys"), "\(error)") }
  }

  func testReplicaWithoutAKeyIsRefusedAndPublishesNothing() async throws {
    let store = try PostgreSQLProviderStore(try PostgreSQLServer.shared().makeDatabase().url)
    let first = try await directory(store)
    // The authority may be kept elsewhere.
    for role in KeyRole.allCases where role != .issuerAuthority {
      let file = "\(path)/keys/\(role.rawValue).key"
      try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
      do {
        _ = try await directory(store)
        XCTFail("was not refused")
      } catch { XCTAssertTrue("\(error)".contains("there is no key \(file)"), "\(error)") }
      try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
    }
    let again = try await directory(store)
    XCTAssertEqual(again.configuration, first.configuration)
  }

  func testServesTheLastConfigurationWhileTheDatabaseIsUnreachable() async throws {
    let server = try PostgreSQLServer.shared()
    let store = try PostgreSQLProviderStore(try server.makeDatabase().url)
    let directory = try await directory(store)
    server.stop()
    defer { try? server.start() }
    let served = try await directory.configurationSource.published
    XCTAssertEqual(served, directory.configuration)
  }

  func testProcessesStartingTogetherServeTheSameAndShareAccounts() async throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    let arguments = [
      "--data", path, "--database", database.text, "--proofing-hosts", "id.example.org",
    ]
    let servers = try await withThrowingTaskGroup(of: UncheckedServer.self) { group in
      for _ in 1...3 {
        group.addTask { UncheckedServer(server: try ServerProcess(arguments)) }
      }
      return try await group.reduce(into: []) { $0.append($1.server) }
    }
    var configurations: Set<String> = []
    for server in servers {
      configurations.insert(try Program.curl(try server.url() + Route.configuration).output)
      let ready = try Program.curl("-w", "%{http_code}", try server.url() + "/health/ready")
      XCTAssertTrue(ready.output.hasSuffix("200"), ready.output)
    }
    XCTAssertEqual(configurations.count, 1)
    let environment = ["--data", path]
    let variable = "WALLET_PROVIDER_DATABASE=" + database.text
    let made = try Program.run(
      "/usr/bin/env",
      [
        variable, Program.provider, "account", "create", "--label", "m@example.org",
        "--family-name",
        "Sample", "--given-name", "Maria", "--birth-date", "1990-12-31",
      ] + environment)
    XCTAssertEqual(made.status, 0, made.errors)
    let listed = try Program.run(
      "/usr/bin/env", [variable, Program.provider, "account", "list"] + environment)
    XCTAssertTrue(listed.output.hasSuffix("open m@example.org\n"), listed.output + listed.errors)
    let client = try Program.run(
      "/usr/bin/env", [variable, Program.provider, "client-configuration"] + environment)
    let embedded = try WireJSON.decode(ClientConfiguration.self, from: Array(client.output.utf8))
    let claims = try [embedded.configuration, XCTUnwrap(configurations.first)].map {
      try SignedMessage(parsing: $0).unverifiedContent(ConfigurationClaims.self)
    }
    XCTAssertTrue(claims[0].isSame(as: claims[1]), "\(claims)")
    for server in servers { XCTAssertEqual(server.end(), 0) }
  }

  func testTestingProviderMovesTheTimeOfTheDatabase() throws {
    let harness = try ProviderHarness()
    let database = try harness.database()
    let server = try ServerProcess(
      ["--data", harness.path, "--database", database.text, "--control-tcp", "0"],
      program: Program.testingProvider, lines: 2)
    let control = try server.url(1)
    let moved = try Program.curl("-d", #"{"advance_ms":86400000}"#, control + "/clock").output
    let number = moved.split { !$0.isNumber }.first.flatMap { Int64($0) }
    let time = try XCTUnwrap(number)
    XCTAssertEqual(Double(time), Double(SystemWallClock().now + 86_400_000), accuracy: 60_000)
    let wallet = TestWallet(harness)
    let asked = try wallet.prepareRegistrationChallenge()
    let answer = try Program.curl(
      "--header", "Content-Type: application/json", "-d",
      String(decoding: asked.body, as: UTF8.self),
      try server.url() + asked.path
    ).output
    let outcome = try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: Array(answer.utf8)), to: asked.body,
      claims: asked.claims)
    let challenge = try wallet.challenge(in: outcome, of: asked)
    // It begins with the time at which it expires.
    let expires = try XCTUnwrap(Base64URL.decode(challenge)).prefix(8)
      .reduce(Int64(0)) { $0 << 8 | Int64($1) }
    XCTAssertEqual(Double(expires), Double(time + 120_000), accuracy: 60_000)
    let counts = try Program.curl(control + "/counts").output
    XCTAssertTrue(counts.contains(#""confirmed":0"#), counts)
  }

  func testProgramPrintsNoPasswordWhenItCannotConnect() throws {
    let result = try Program.run(
      "/usr/bin/env",
      [
        "WALLET_PROVIDER_DATABASE=postgresql://user:geheim@127.0.0.1:1/name", Program.provider,
        "serve", "--port", "0", "--data", path,
      ])
    XCTAssertEqual(result.status, 1)
    XCTAssertTrue(result.errors.contains("PostgreSQL"), result.errors)
    XCTAssertFalse((result.errors + result.output).contains("geheim"), result.errors)
  }
}

/// A process that is handed from one task to another.
private struct UncheckedServer: @unchecked Sendable {
  // Handed over once and not kept by the task that made it.
  let server: ServerProcess
}
