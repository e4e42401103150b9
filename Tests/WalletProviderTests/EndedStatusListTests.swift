import WalletProvider
import XCTest

/// Entries and lists that nobody needs any more are deleted, and nothing else.
class EndedStatusListTests: StoreTestCase {
  private static let day: Int64 = 86_400_000

  func testEntriesStayWhileTheirListAcceptsOthers() async throws {
    let bed = try StatusTestBed()
    try await bed.assign(bed.assignment("batch", life: Self.day))
    bed.harness.clock.advance(80 * Self.day)
    try await bed.harness.provider.deleteEndedRows()
    let entries = try await bed.entries("batch")
    XCTAssertEqual(entries.count, 10, "otherwise their indices could be assigned again")
  }

  func testAClosedListLosesEndedEntriesAndThenItself() async throws {
    let bed = try StatusTestBed()
    let gone = try await bed.assign(bed.assignment("gone", life: Self.day))
    let revoked = try await bed.assign(
      bed.assignment("revoked", wallet: "other", life: Self.day))
    try await bed.revoke(.wallet("other"))
    bed.harness.clock.advance(89 * Self.day)
    let lasting = try await bed.assign(bed.assignment("lasting", life: 10 * Self.day))
    bed.harness.clock.advance(Self.day)

    try await bed.harness.provider.deleteEndedRows()
    let lists = try await bed.lists()
    XCTAssertEqual(lists.map(\.closed), [true], "it is 90 days old")
    let left = [
      try await bed.entries("gone").count, try await bed.entries("revoked").count,
      try await bed.entries("lasting").count,
    ]
    XCTAssertEqual(left, [0, 10, 10])
    let shown = try await bed.revoked(gone + revoked + lasting)
    XCTAssertEqual(
      shown, gone.map { _ in false } + revoked.map { _ in true } + lasting.map { _ in false },
      "a batch that becomes valid again at once would show what belongs together")

    // Three days after the end of its last PID.
    bed.harness.clock.advance(12 * Self.day - 1)
    try await bed.harness.provider.deleteEndedRows()
    let still = try await bed.entries("revoked").count
    XCTAssertEqual(still, 10)
    bed.harness.clock.advance(1)
    try await bed.harness.provider.deleteEndedRows()
    let none = try await bed.lists()
    XCTAssertEqual(none, [])
    let entries = try await bed.entries("revoked") + bed.entries("lasting")
    XCTAssertEqual(entries, [])
    let published = try await bed.publisher().list(StatusTestBed.id(gone[0].uri))
    XCTAssertNil(published)
  }

  func testManyEndedEntriesAreDeleted() async throws {
    let bed = try StatusTestBed()
    for number in 0..<25 {
      try await bed.assign(bed.assignment("\(number)", copies: 50, life: Self.day))
    }
    bed.harness.clock.advance(90 * Self.day)
    try await bed.harness.provider.deleteEndedRows()
    let lists = try await bed.lists()
    XCTAssertEqual(lists, [])
    let entries = try await bed.harness.store.transaction {
      try $0.found(StoredStatusEntry.self, limit: 10)
    }
    XCTAssertEqual(entries, [])
  }

  func testAListThatTheProviderDidNotWriteIsLeft() async throws {
    let bed = try StatusTestBed()
    try await bed.assign(bed.assignment("batch", life: Self.day))
    try bed.harness.storeLocation.execute(
      "UPDATE status_list SET closed = \(Self.kind == .sqlite ? "1" : "TRUE")")
    bed.harness.clock.advance(30 * Self.day)
    try await bed.harness.provider.deleteEndedRows()
    let entries = try await bed.entries("batch")
    XCTAssertEqual(entries.count, 10)
  }
}

final class EndedStatusListOnPostgreSQLTests: EndedStatusListTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() { XCTAssertEqual(Self.kind, .postgreSQL) }
}
