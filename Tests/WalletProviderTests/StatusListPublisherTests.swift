import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// Status lists as verifiers get them.
class StatusListPublisherTests: StoreTestCase {
  func testAListSaysWhenItWasMadeAndUntilWhenItCounts() async throws {
    let bed = try StatusTestBed()
    let reference = try await bed.assign(bed.assignment("batch"))[0]
    let publisher = try bed.publisher()
    let published = try await publisher.list(StatusTestBed.id(reference.uri))
    let list = try bed.read(try XCTUnwrap(published).token, uri: reference.uri)
    let now = bed.harness.clock.now / 1000
    XCTAssertEqual(list.issuedAt, now / 900 * 900)
    XCTAssertEqual(list.expires, list.issuedAt + 86_400)
    XCTAssertEqual(list.timeToLive, 900)
    XCTAssertEqual(list.count, 1 << 17)
    XCTAssertEqual(list.age(at: now, fetchedAt: now), .fresh)
    XCTAssertEqual(
      publisher.secondsLeft(of: try XCTUnwrap(published)), list.issuedAt + 900 - now)
    for unknown in ["unknown", "", "a b", String(repeating: "x", count: 1_000)] {
      let none = try await publisher.list(unknown)
      XCTAssertNil(none)
    }
  }

  func testAListOfALongTimeToLiveCountsUntilTheNextOneIsThere() async throws {
    var settings = StatusListSettings()
    settings.timeToLive = 86_400_000
    settings.entries = 1 << 20
    let bed = try StatusTestBed(settings: settings)
    let reference = try await bed.assign(bed.assignment("batch"))[0]
    let list = try await bed.list(reference.uri)
    XCTAssertEqual(list.expires, list.issuedAt + 2 * 86_400)
    XCTAssertEqual(list.count, 1 << 20)
  }

  func testAReplicaMakesAListOncePerTimeToLiveHoweverManyAsk() async throws {
    let bed = try StatusTestBed()
    let reference = try await bed.assign(bed.assignment("batch"))[0]
    let id = StatusTestBed.id(reference.uri)
    let store = CountingStore(inner: bed.harness.store)
    let publisher = try bed.publisher(store: store)
    let lists = try await withThrowingTaskGroup(of: PublishedStatusList?.self) { group in
      for _ in 0..<32 { group.addTask { try await publisher.list(id) } }
      return try await group.reduce(into: [PublishedStatusList?]()) { $0.append($1) }
    }
    XCTAssertTrue(lists.allSatisfy { $0 == lists[0] && $0 != nil })
    let made = store.transactions
    bed.harness.clock.advance(bed.settings.timeToLive - bed.harness.clock.now % 900_000 - 1)
    let same = try await publisher.list(id)
    XCTAssertEqual(same, lists[0])
    XCTAssertEqual(store.transactions, made)
    bed.harness.clock.advance(1)
    let next = try await publisher.list(id)
    XCTAssertNotEqual(next, lists[0])
    XCTAssertEqual(store.transactions, 2 * made)
  }

  /// Two replicas make the same list, whenever in the period they make it: `iat` does not go back
  /// for a verifier that asks one and then the other.
  func testReplicasPublishTheSame() async throws {
    let bed = try StatusTestBed()
    let references = try await bed.assign(bed.assignment("batch"))
    try await bed.revoke(.wallet("wallet"))
    bed.harness.clock.advance(900_000 - bed.harness.clock.now % 900_000)
    let first = try await bed.list(references[0].uri)
    bed.harness.clock.advance(899_999)
    let second = try await bed.list(references[0].uri)
    XCTAssertEqual(first, second)
    bed.harness.clock.advance(1)
    let third = try await bed.list(references[0].uri)
    XCTAssertEqual(third.issuedAt, first.issuedAt + 900)
  }

  func testManyRevokedEntriesAreReadInPages() async throws {
    let bed = try StatusTestBed()
    let entries = try await bed.assign(bed.assignment("first"))
    let uri = entries[0].uri
    let now = bed.harness.clock.now
    try await bed.harness.store.transaction { rows in
      let assigned = Set(entries.map(\.index))
      for index in Int64(0)..<2_500 where !assigned.contains(index * 52) {
        try rows.insert(
          StoredStatusEntry(
            list: StatusTestBed.id(uri), index: index * 52, issuance: "\(index)", copy: 0,
            wallet: "w", account: "a", expiresAt: now, revokedAt: now - 900_000))
      }
    }
    let list = try await bed.list(uri)
    let shown = try (0..<list.count).filter { try !list.status(at: Int64($0)).isUsable }
    let own = Set(entries.map(\.index))
    XCTAssertEqual(
      shown.map(Int64.init), (Int64(0)..<2_500).map { $0 * 52 }.filter { !own.contains($0) })
  }

  func testAListWithAnEntryThatTheProviderDidNotWriteIsNotPublished() async throws {
    let bed = try StatusTestBed()
    let references = try await bed.assign(bed.assignment("batch"))
    try await bed.revoke(.wallet("wallet"))
    bed.waitForLists()
    try bed.harness.storeLocation.execute(
      "UPDATE status_entry SET list_index = list_index + 1 WHERE copy = 3")
    await assertFails { try await bed.list(references[0].uri) }
  }
}

final class StatusListPublisherOnPostgreSQLTests: StatusListPublisherTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() { XCTAssertEqual(Self.kind, .postgreSQL) }
}
