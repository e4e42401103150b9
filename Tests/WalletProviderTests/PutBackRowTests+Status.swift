import WalletProvider
import XCTest

// Rows of status lists.

extension PutBackRowTests {
  /// The former row of a list accepts entries again. Those that are assigned keep their indices.
  func putBackAndDeleteStatusList() async throws {
    let bed = try StatusTestBed()
    let location = bed.harness.storeLocation
    let first = try await bed.assign(bed.assignment("first"))
    try location.keepCopy(of: .statusList)
    try await bed.harness.store.transaction { rows in
      var list = try XCTUnwrap(try rows.openStatusList())
      list.closed = true
      try rows.update(list)
    }
    try location.putBack(.statusList)
    let second = try await bed.assign(bed.assignment("second"))
    XCTAssertEqual(second[0].uri, first[0].uri)
    XCTAssertEqual(Set((first + second).map(\.index)).count, 20)

    try location.delete(.statusList)
    let gone = try await bed.publisher().list(StatusTestBed.id(first[0].uri))
    XCTAssertNil(gone, "verifiers refuse its PIDs")
    await assertFails { try await bed.assign(bed.assignment("second")) }
    let third = try await bed.assign(bed.assignment("third"))
    XCTAssertNotEqual(third[0].uri, first[0].uri)
  }

  /// What was revoked is valid again, until it is revoked once more; a deleted entry cannot be.
  func putBackAndDeleteStatusEntry() async throws {
    let bed = try StatusTestBed()
    let location = bed.harness.storeLocation
    let references = try await bed.assign(bed.assignment("batch", copies: 2))
    try location.keepCopy(of: .statusEntry)
    try await bed.revoke(.account("account"))
    bed.waitForLists()
    let revoked = try await bed.revoked(references)
    XCTAssertEqual(revoked, [true, true])
    try location.putBack(.statusEntry)
    let valid = try await bed.revoked(references)
    XCTAssertEqual(valid, [false, false])
    let count = try await bed.revoke(.account("account"))
    XCTAssertEqual(count, 2)
    bed.waitForLists()
    try location.delete(.statusEntry, where: "copy = 0")
    let left = try await bed.revoked(references)
    XCTAssertEqual(left, [false, true])
    let none = try await bed.revoke(.account("account"))
    XCTAssertEqual(none, 0)
  }
}
