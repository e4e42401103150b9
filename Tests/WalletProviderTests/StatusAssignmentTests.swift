import WalletProvider
import XCTest

/// Entries of status lists are assigned at random, and never twice.
class StatusAssignmentTests: StoreTestCase {
  func testABatchHasAnEntryForEachCopyAndKeepsIt() async throws {
    let bed = try StatusTestBed()
    let batch = bed.assignment("first")
    let references = try await bed.assign(batch)
    XCTAssertEqual(references.count, 10)
    XCTAssertEqual(Set(references.map(\.index)).count, 10)
    let lists = try await bed.lists()
    XCTAssertEqual(lists.count, 1)
    XCTAssertEqual(lists[0].size, 1 << 17)
    XCTAssertEqual(lists[0].assigned, 10)
    XCTAssertEqual(lists[0].uri, "https://wallet.example.org/status-lists/" + lists[0].id)
    XCTAssertTrue(references.allSatisfy { $0.uri == lists[0].uri })
    let again = try await bed.assign(batch)
    XCTAssertEqual(again, references)
    let entries = try await bed.entries("first")
    XCTAssertEqual(entries.map(\.copy), Array(0..<10))
    XCTAssertEqual(entries.map(\.index), references.map(\.index))
    let other = try await bed.assign(bed.assignment("second"))
    XCTAssertEqual(Set(other.map(\.index)).intersection(references.map(\.index)), [])
  }

  func testAnotherBatchOfTheSameIssuanceIsRefused() async throws {
    let bed = try StatusTestBed()
    try await bed.assign(bed.assignment("first"))
    for other in [
      bed.assignment("first", copies: 9), bed.assignment("first", wallet: "other"),
      bed.assignment("first", account: "other"),
    ] {
      await assertFails { try await bed.assign(other) }
    }
    for copies in [-1, 0, 65] {
      await assertFails { try await bed.assign(bed.assignment("next", copies: copies)) }
    }
  }

  func testParallelIssuersOnTwoReplicasShareOneListAndNoIndex() async throws {
    let bed = try StatusTestBed()
    let stores = [bed.harness.store, try bed.harness.secondStore()]
    let references = try await withThrowingTaskGroup(of: [StatusReference].self) { group in
      for number in 0..<24 {
        group.addTask {
          try await bed.assign(bed.assignment("batch \(number)"), in: stores[number % 2])
        }
      }
      return try await group.reduce(into: [StatusReference]()) { $0 += $1 }
    }
    XCTAssertEqual(references.count, 240)
    XCTAssertEqual(Set(references.map(\.index)).count, 240)
    XCTAssertEqual(Set(references.map(\.uri)).count, 1)
    let lists = try await bed.lists()
    XCTAssertEqual(lists.map(\.assigned), [240])
  }

  func testATakenIndexIsDrawnAgain() async throws {
    let bed = try StatusTestBed()
    let first = try await bed.assign(bed.assignment("first", copies: 2))
    let second = try await bed.harness.store.transaction { rows in
      var draws = [first[1].index, first[0].index, 5, 5, 6].makeIterator()
      return try rows.assignStatusEntries(
        bed.assignment("second", copies: 2), publicURL: StatusTestBed.url,
        settings: bed.settings, now: try rows.now
      ) { _ in draws.next() ?? first[0].index }
    }
    XCTAssertEqual(second.map(\.index), [5, 6])
    // Of a generator that always says the same, nothing is accepted.
    await assertFails {
      try await bed.harness.store.transaction { rows in
        _ = try rows.assignStatusEntries(
          bed.assignment("third", copies: 2), publicURL: StatusTestBed.url,
          settings: bed.settings, now: try rows.now
        ) { _ in 7 }
      }
    }
    let none = try await bed.entries("third")
    XCTAssertEqual(none, [], "the transaction was rolled back")
  }

  func testANewListBeginsWhenHalfOfOneIsAssignedOrItIsOld() async throws {
    let bed = try StatusTestBed()
    let first = try await bed.assign(bed.assignment("first"))
    try await bed.harness.store.transaction { rows in
      var list = try XCTUnwrap(try rows.openStatusList())
      list.assigned = list.size / 2 - 5
      try rows.update(list)
    }
    let second = try await bed.assign(bed.assignment("second"))
    XCTAssertEqual(second[0].uri, first[0].uri, "a batch has one list")
    let closed = try await bed.lists()
    XCTAssertEqual(closed.map(\.closed), [true])
    let third = try await bed.assign(bed.assignment("third"))
    XCTAssertNotEqual(third[0].uri, first[0].uri)
    bed.harness.clock.advance(90 * 86_400_000)
    let fourth = try await bed.assign(bed.assignment("fourth"))
    XCTAssertNotEqual(fourth[0].uri, third[0].uri)
    let lists = try await bed.lists()
    XCTAssertEqual(lists.map(\.closed).sorted { $0 && !$1 }, [true, true, false])
  }

  /// 10,000 indices: none twice, and of 64 equal parts of the list each has as many as chance
  /// allows. 156.25 are expected in each; a deviation of 75 is six standard deviations.
  func testTenThousandIndicesAreDistinctAndLookUniform() async throws {
    let bed = try StatusTestBed()
    var indices: [Int64] = []
    for hundred in 0..<10 {
      indices += try await bed.harness.store.transaction { rows in
        try (0..<20).flatMap { number in
          try rows.assignStatusEntries(
            bed.assignment("\(hundred) \(number)", copies: 50), publicURL: StatusTestBed.url,
            settings: bed.settings, now: try rows.now)
        }.map(\.index)
      }
    }
    XCTAssertEqual(indices.count, 10_000)
    XCTAssertEqual(Set(indices).count, 10_000)
    let parts = Dictionary(grouping: indices) { $0 / (1 << 11) }
    XCTAssertEqual(Set(parts.keys), Set(0..<64))
    for part in parts.values { XCTAssertLessThan(abs(Double(part.count) - 156.25), 75) }
    // Those of one batch are not in order.
    XCTAssertNotEqual(Array(indices.prefix(50)), indices.prefix(50).sorted())
  }

  func testRowsAreReadAsTheyWereWritten() async throws {
    let store = try StatusTestBed().harness.store
    let list = StoredStatusList(
      id: "l", uri: "https://x.example/l", size: 9, createdAt: 7, assigned: 3, closed: true)
    var entry = StoredStatusEntry(
      list: "l", index: 8, issuance: "i", copy: 2, wallet: "w", account: "a", expiresAt: 10)
    try await store.transaction { [entry] rows in
      try rows.insert(list)
      try rows.insert(entry)
    }
    entry.revokedAt = 5
    let found = try await store.transaction { [entry] rows in
      let before = try rows.statusEntries(ofIssuance: "i")
      let valid = try (
        rows.validStatusEntries(of: .wallet("w"), at: 9),
        rows.validStatusEntries(of: .account("a"), at: 10)
      )
      try rows.update(entry)
      return (
        list: try rows.statusList(id: "l"), open: try rows.openStatusList(), before: before,
        valid: valid, now: try rows.validStatusEntries(of: .wallet("w"), at: 9),
        revoked: try (
          rows.revokedStatusEntries(ofList: "l", at: 4, after: -1, limit: 9),
          rows.revokedStatusEntries(ofList: "l", at: 5, after: 7, limit: 9),
          rows.revokedStatusEntries(ofList: "l", at: 5, after: 8, limit: 9)
        ),
        assigned: try rows.assignedIndices(ofList: "l", among: [1, 8, 8, 9])
      )
    }
    XCTAssertEqual(found.list, list)
    XCTAssertNil(found.open)
    XCTAssertEqual(found.before.map(\.revokedAt), [nil])
    XCTAssertEqual(found.valid.0.count, 1)
    XCTAssertEqual(found.valid.1.count, 0)
    XCTAssertEqual(found.now, [])
    XCTAssertEqual(found.revoked.0, [])
    XCTAssertEqual(found.revoked.1, [entry])
    XCTAssertEqual(found.revoked.2, [])
    XCTAssertEqual(found.assigned, [8])
    await assertFails { [entry] in
      try await store.transaction { rows in
        var other = entry
        (other.issuance, other.copy) = ("j", 0)
        try rows.insert(other)
      }
    }
    await assertFails {
      try await store.transaction { rows in
        for id in ["m", "n"] {
          try rows.insert(StoredStatusList(id: id, uri: id, size: 9, createdAt: 7))
        }
      }
    }
  }
}

final class StatusAssignmentOnPostgreSQLTests: StatusAssignmentTests {
  override class var kind: StoreKind { .postgreSQL }

  func testItRunsOnPostgreSQL() { XCTAssertEqual(Self.kind, .postgreSQL) }
}

/// Fails unless `work` fails in the store.
func assertFails(
  file: StaticString = #filePath, line: UInt = #line, _ work: () async throws -> some Any
) async {
  do {
    let answer = try await work()
    XCTFail("did not fail: \(answer)", file: file, line: line)
  } catch { XCTAssertTrue(error is StoreFailure, "\(error)", file: file, line: line) }
}
