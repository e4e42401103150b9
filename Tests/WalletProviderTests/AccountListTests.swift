import WalletProtocol
import WalletProvider
import XCTest

/// The account list of a provider with many accounts, or with a lost key.
class AccountListTests: StoreTestCase {
  func testListsAnUnreadableAccountWithoutItsLabel() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let good = try await harness.accounts.create(try TestPerson.person()).account
    let bad = try await harness.accounts.create(try TestPerson.person()).account
    try await harness.store.transaction { rows in
      guard var account = try rows.account(id: bad) else { throw StoreFailure("gone") }
      account.sealingKey = "lost"
      try rows.update(account)
    }
    let found = try await harness.accounts.accounts()
    XCTAssertEqual(found.first { $0.id == bad }.map { $0.label }, .some(nil))
    XCTAssertNotNil(found.first { $0.id == good }?.label)
    guard Self.kind == .sqlite else { return }
    let list = try Program.run(Program.provider, ["account", "list", "--data", harness.path])
    XCTAssertEqual(list.status, 0, list.errors)
    XCTAssertTrue(list.output.contains("\(bad) unreadable\n"), list.output)
    XCTAssertTrue(list.output.contains("\(good) open "), list.output)
  }

  /// What a program prints on the directory and store of the harness.
  private func print(_ arguments: String..., of harness: ProviderHarness) throws -> String {
    var environment: [String: String] = [:]
    if case .database(let url) = harness.storeLocation {
      environment["WALLET_PROVIDER_DATABASE"] = url.text
    }
    let result = try Program.run(
      Program.provider, arguments + ["--data", harness.path], environment: environment)
    XCTAssertEqual(result.status, 0, result.errors)
    return result.output
  }

  /// A row that somebody else wrote must not hide the others: support looks here for them.
  func testListsAccountsWhoseRowsTheProviderDidNotWriteAsUnreadable() async throws {
    let changes: [(part: UnreadablePart, change: String)] = [
      (.account, "UPDATE account SET closed = NOT closed WHERE id = '%@'"),
      (.account, "UPDATE account SET authentication_key = 'x' WHERE id = '%@'"),
      (.code, "UPDATE enrolment_code SET attempts_left = 1000000 WHERE account = '%@'"),
      (.code, "UPDATE proofing_session SET expires_at = expires_at + 1 WHERE account = '%@'"),
    ]
    for (part, change) in changes {
      let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
      let wallet = try await TestWallet.confirmed(harness)
      var ids: [String] = []
      for _ in 1...3 {
        let code = try await harness.accounts.create(try TestPerson.person())
        _ = try await wallet.claimed(code)
        ids.append(code.account)
      }
      let bad = ids[1]
      try harness.storeLocation.execute(String(format: change, bad))
      let found = try await harness.accounts.accounts()
      XCTAssertEqual(found.map(\.id), ids.sorted(), change)
      for account in found {
        XCTAssertEqual(account.unreadable, account.id == bad ? [part] : [], change)
        XCTAssertEqual(account.label == nil, account.id == bad && part == .account, change)
      }
      let list = try print("account", "list", of: harness)
      XCTAssertTrue(list.contains("\(bad) unreadable\n"), list)
      for id in ids where id != bad { XCTAssertTrue(list.contains("\(id) open "), list) }
      let json = try print("account", "list", "--json", of: harness)
      XCTAssertTrue(json.contains("\"unreadable\":[\"\(part.rawValue)\"]"), json)
    }
  }

  func testListsAnAccountWhoseKeyWasRetiredAsUnreadable() async throws {
    let bed = try KeyTestBed()
    let good = try await bed.harness.accounts.create(try TestPerson.person()).account
    let former = try bed.list(.sealing)[0][0]
    try bed.id("rotate", "sealing")
    try bed.id("promote", "sealing", "--now")
    try bed.id("reseal")
    try bed.id("retire", "sealing", "--now", "--", former)
    // A server that was not restarted seals and authenticates with the former key.
    let bad = try await bed.harness.accounts.create(try TestPerson.person()).account
    let list = try print("account", "list", of: bed.harness)
    XCTAssertTrue(list.contains("\(bad) unreadable\n"), list)
    XCTAssertTrue(list.contains("\(good) open "), list)
    let json = try print("account", "list", "--json", of: bed.harness)
    XCTAssertTrue(
      json.contains(#"{"id":"\#(bad)","state":"unreadable","unreadable":["account"]}"#), json)
  }

  func testShowsWhatOfAnAccountIsUnreadable() async throws {
    let harness = try ProviderHarness(
      clock: TestClock(SystemWallClock().now), replacementWait: 3_600_000)
    let (owner, other) = (
      try await TestWallet.confirmed(harness), try await TestWallet.confirmed(harness)
    )
    let session = try await owner.proofedSession()
    let stored = try await harness.session(session.id)
    let id = try XCTUnwrap(stored?.account)
    let issued = try await harness.accounts.issueCode(account: id)
    let code = try XCTUnwrap(issued)
    let waiting = try await other.claimed(code)
    _ = try await other.submit(try TestPerson.claims(), waiting.id)
    let before = try print("account", "show", id, of: harness)
    XCTAssertTrue(before.contains("replacement: waits until "), before)
    try harness.storeLocation.execute(
      "UPDATE proofing_session SET replaces_at = replaces_at + 1 WHERE id = '\(waiting.id)'")
    let shown = try print("account", "show", id, of: harness)
    XCTAssertTrue(shown.contains("label: erika.mustermann@example.org\n"), shown)
    XCTAssertTrue(shown.contains("latest code: unreadable\nreplacement: unreadable\n"), shown)
  }

  func testReadsALongListInPages() async throws {
    let harness = try ProviderHarness()
    let ids = (1000..<2100).map { "account-\($0)" }
    try await harness.store.transaction { rows in
      for id in ids {
        try rows.insert(StoredAccount(id: id, sealingKey: "k", sealedPerson: [], createdAt: 0))
      }
    }
    let store = CountingStore(inner: harness.store)
    let administration = AccountAdministration(
      identity: harness.directory.identity, store: store, settings: ProofingSettings())
    let some = try await administration.accounts(after: ids[0], limit: 1_050)
    XCTAssertEqual(some.map(\.id), Array(ids[1...1_050]))
    XCTAssertEqual(store.transactions, 3)
    let all = try await administration.accounts(limit: 100_000)
    XCTAssertEqual(all.map(\.id), ids)
  }
}
