import Synchronization
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

/// A store that counts its transactions.
private final class CountingStore: ProviderStore {
  private let inner: any ProviderStore
  private let count = Mutex(0)

  init(inner: any ProviderStore) { self.inner = inner }

  var transactions: Int { count.withLock { $0 } }

  var clock: any ProviderClock { inner.clock }

  func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    count.withLock { $0 += 1 }
    return try await inner.transaction(body)
  }

  func ping() async throws { try await inner.ping() }
}
