import Foundation
import WalletProtocol
import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
import XCTest

/// Administration from the command line while a server runs.
class AdministrationProcessTests: StoreTestCase {
  private func harness() throws -> ProviderHarness {
    var settings = ProviderSettings()
    settings.proofingHosts = ["id.example.org"]
    return try ProviderHarness(settings: settings, clock: TestClock(SystemWallClock().now))
  }

  /// The options that name the provider of `harness`.
  private func providerOptions(_ harness: ProviderHarness) throws -> [String] {
    let database = Self.kind == .postgreSQL ? ["--database", try harness.database().text] : []
    return ["--data", harness.path] + database
  }

  private func run(_ harness: ProviderHarness, _ arguments: String...) throws -> ProgramResult {
    let options = try providerOptions(harness)
    return try Program.run(
      Program.provider, Array(arguments.prefix(2)) + options + arguments.dropFirst(2))
  }

  private func object(_ line: some StringProtocol) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try XCTUnwrap(json as? [String: Any])
  }

  func testListsBlocksUnblocksAndDeletesWalletsWhileAServerRuns() async throws {
    let harness = try harness()
    let server = try ServerProcess(try providerOptions(harness) + ["--log-level", "trace"])
    let wallet = try await TestWallet.confirmed(harness)
    _ = try await wallet.check("123655")
    let id = wallet.id
    let listed = try run(harness, "wallet", "list")
    XCTAssertTrue(listed.output.hasPrefix("\(id) active 1 20"), listed.output)
    XCTAssertEqual(listed.errors, "")
    let shown = try run(harness, "wallet", "show", id)
    XCTAssertTrue(
      shown.output.hasPrefix("wallet: \(id)\nstate: active\nwrong attempts: 1\nregistered: 20"),
      shown.output)

    var log = ""
    func act(_ act: String, _ expected: String) throws {
      let result = try run(harness, "wallet", act, id)
      XCTAssertEqual(result.status, 0, result.errors)
      XCTAssertEqual(result.output, "")
      XCTAssertTrue(result.errors.contains("act=wallet-\(act) result=done"), result.errors)
      log += result.errors
      guard act != "delete" else { return }
      let object = try object(try run(harness, "wallet", "show", "--json", id).output)
      XCTAssertEqual(object["state"] as? String, expected)
    }
    try act("block", "blocked-permanently")
    let blocked = try await wallet.check("123654")
    XCTAssertEqual(blocked, .blockedPermanently(counted: false))
    try act("unblock", "active")
    let right = try await wallet.checkRight()
    XCTAssertEqual(right, wallet.share)
    try act("delete", "")
    for act in ["show", "block", "unblock", "delete"] {
      let result = try run(harness, "wallet", act, id)
      XCTAssertEqual(result.status, 64)
      XCTAssertTrue(result.errors.contains("Error: there is no such wallet"), result.errors)
      log += act == "show" ? "" : result.errors
    }
    XCTAssertTrue(log.contains("act=wallet-delete result=unknown"), log)
    XCTAssertEqual(server.end(), 0)
    XCTAssertFalse(log.contains(id), log)
    XCTAssertFalse(server.lastLog().contains(id))
  }

  func testRevokesThePIDsOfAnAccountAndSaysHowMany() async throws {
    let harness = try harness()
    let bed = try StatusTestBed(harness)
    let account = try await harness.accounts.create(try TestPerson.person()).account
    try await bed.assign(bed.assignment("first", account: account))
    let first = try run(harness, "account", "revoke", account)
    XCTAssertEqual(first.status, 0, first.errors)
    XCTAssertEqual(first.output, "revoked: 10\n")
    XCTAssertTrue(first.errors.contains("act=account-revoke result=done"), first.errors)
    XCTAssertFalse(first.errors.contains(account), first.errors)
    let entries = try await bed.entries("first")
    XCTAssertTrue(entries.allSatisfy { $0.revokedAt != nil })
    let second = try run(harness, "account", "revoke", "--json", account)
    XCTAssertEqual(try object(second.output)["revoked"] as? Int, 0)
    let shown = try run(harness, "account", "show", account)
    XCTAssertTrue(shown.output.contains("state: open\n"), shown.output)
    let unknown = try run(harness, "account", "revoke", "unknown")
    XCTAssertEqual(unknown.status, 64)
    XCTAssertTrue(unknown.errors.contains("act=account-revoke result=unknown"), unknown.errors)
  }

  func testPrintsListsAsJSONLinesInPages() async throws {
    let harness = try harness()
    var ids: [String] = []
    for _ in 1...3 { ids.append(try await TestWallet.confirmed(harness).id) }
    ids.sort()
    let first = try run(harness, "wallet", "list", "--json", "--limit", "2")
    let lines = first.output.split(separator: "\n")
    XCTAssertEqual(try lines.map { try object($0)["id"] as? String }, [ids[0], ids[1]])
    XCTAssertEqual(Set(try object(lines[0]).keys), ["id", "state", "wrong_attempts", "registered"])
    XCTAssertEqual(first.errors, "there may be more: --after=\(ids[1])\n")
    let rest = try run(harness, "wallet", "list", "--json", "--after", ids[1])
    XCTAssertEqual(try object(rest.output)["id"] as? String, ids[2])
    XCTAssertEqual(rest.errors, "")
    let none = try run(harness, "wallet", "list", "--state", "blocked")
    XCTAssertEqual(none.output, "")
    for bad in [["--limit", "0"], ["--state", "loud"]] {
      XCTAssertEqual(try run(harness, "wallet", "list", bad[0], bad[1]).status, 64)
    }

    let code = try await harness.accounts.create(try TestPerson.person())
    let account = try object(try run(harness, "account", "list", "--json").output)
    XCTAssertEqual(account["id"] as? String, code.account)
    XCTAssertEqual(account["state"] as? String, "open")
    XCTAssertEqual(account["latest_code"] as? String, "issued")
    let after = try run(harness, "account", "list", "--after", code.account)
    XCTAssertEqual(after.output, "")
    let made = try run(harness, "account", "code", "--json", code.account)
    XCTAssertEqual(try object(made.output)["account"] as? String, code.account)
    XCTAssertTrue(made.errors.contains("act=account-code result=done"), made.errors)
    XCTAssertEqual(try run(harness, "account", "close", code.account).status, 0)
    XCTAssertEqual(try run(harness, "account", "reopen", code.account).status, 0)
    XCTAssertEqual(try run(harness, "account", "reopen", code.account).status, 64)
  }

  func testFindsAndFreesADocumentWithoutNamingItInTheLog() async throws {
    let harness = try harness()
    let wallet = try await TestWallet.confirmed(harness)
    let code = try await harness.accounts.create(try TestPerson.person())
    let session = try await wallet.claimed(code)
    let status = try await wallet.submit(try TestPerson.claims(), session.id)
    XCTAssertEqual(status.state, .proofed)
    let document = [
      "--issuer", "636014", "--number", "D1234567", "--family-name", "mustermann", "--birth-date",
      "1990-12-31",
    ]
    func find(_ arguments: [String], input: String? = nil) throws -> ProgramResult {
      let options = try providerOptions(harness)
      return try Program.run(
        Program.provider, ["account", "find-document"] + options + arguments, input: input)
    }
    let found = try find(document)
    XCTAssertEqual(found.output, "\(code.account) proofed erika.mustermann@example.org\n")
    XCTAssertEqual(found.errors, "")
    let json = """
      {"issuer":"636014","number":"D1234567","family_name":"Mustermann","birth_date":"1990-12-31"}
      """
    let freed = try find(["--from", "-", "--json", "--free"], input: json)
    XCTAssertEqual(freed.status, 0, freed.errors)
    XCTAssertEqual(try object(freed.output)["id"] as? String, code.account)
    XCTAssertTrue(freed.errors.contains("act=account-free-document result=done"), freed.errors)
    let gone = try find(document)
    XCTAssertEqual(gone.status, 64)
    XCTAssertTrue(gone.errors.contains("no account was proofed with this document"), gone.errors)
    for bad in [["--issuer", "636014"], ["--from", "-", "--number", "D1234567"]] {
      let refused = try find(bad, input: json)
      XCTAssertEqual(refused.status, 64, refused.errors)
    }
    for text in [freed.errors, gone.errors] {
      XCTAssertFalse(text.contains("D1234567") || text.contains("ustermann"), text)
      XCTAssertFalse(text.contains(code.account), text)
    }
  }

  func testAcceptsAnIdWithALeadingHyphenAfterADoubleHyphen() async throws {
    let harness = try harness()
    let stored = try await harness.stored(try await TestWallet.confirmed(harness))
    var wallet = try XCTUnwrap(stored)
    wallet.id = "-AAAAAAAAAAAAAAAAAAAAA"
    wallet.hardwareKeyHash = [1]
    try await harness.store.transaction { [wallet] in try $0.insert(wallet) }
    let shown = try run(harness, "wallet", "show", "--", wallet.id)
    XCTAssertTrue(shown.output.hasPrefix("wallet: \(wallet.id)\n"), shown.output + shown.errors)
    let listed = try run(harness, "wallet", "list", "--after=\(wallet.id)", "--limit", "1")
    XCTAssertFalse(listed.output.contains(wallet.id))
  }

  func testLogsAKeyRotation() throws {
    let harness = try harness()
    let made = try run(harness, "keys", "rotate", "sealing")
    XCTAssertTrue(made.errors.contains("act=keys-rotate result=done"), made.errors)
    XCTAssertFalse(made.errors.contains(made.output.prefix { $0 != "\n" }), made.errors)
    let refused = try run(harness, "keys", "rotate", "sealing")
    XCTAssertEqual(refused.status, 1)
    XCTAssertFalse(refused.errors.contains("act="), refused.errors)
  }

  func testAdministrationLogFollowsTheSettings() throws {
    let harness = try harness()
    let result = try Program.run(
      Program.provider, ["wallet", "block"] + (try providerOptions(harness)) + ["nobody"],
      environment: ["WALLET_PROVIDER_LOG_FORMAT": "json"])
    let entry = try object(try XCTUnwrap(result.errors.split(separator: "\n").first))
    XCTAssertEqual(entry["message"] as? String, "administration")
    XCTAssertEqual(entry["level"] as? String, "notice")
    XCTAssertEqual(
      entry["metadata"] as? [String: String], ["act": "wallet-block", "result": "unknown"])
  }
}

final class AdministrationProcessOnPostgreSQLTests: AdministrationProcessTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() throws {
    XCTAssertTrue(try ProviderHarness().store is PostgreSQLProviderStore)
  }
}
