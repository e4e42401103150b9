import WalletCards
import WalletCredentials
import WalletModel
import XCTest

/// The state of a card, from its times, its status and its keys.
final class CardStateTests: XCTestCase {
  private static let list = "https://library.example/status/1"
  private let now = TestIssuer.now

  /// The record of a card of copies that have these indices in the status list.
  private func record(
    _ indices: [Int64?], expires: Int64? = TestIssuer.now + 100_000
  ) throws -> CardRecord {
    let device = try CardDevice(for: self)
    let id = try device.take(
      TestIssuer(),
      indices.map { index in
        .init(expires: expires, status: index.map { (Self.list, $0) })
      })
    return try device.cards.record(of: id)
  }

  private func note(
    _ record: inout CardRecord, _ statuses: [Int64: TokenStatus], at: Int64? = nil,
    issuedAt: Int64? = nil, list: String = list
  ) {
    record.note(
      .init(
        uri: list, issuedAt: issuedAt ?? now, fetchedAt: at ?? now, due: now + 100,
        expires: now + 1000)
    ) { statuses[$0] }
  }

  func testACardIsValidThenExpiresSoonThenIsExpired() throws {
    let record = try record([nil])
    XCTAssertEqual(record.state(at: now), .valid)
    XCTAssertEqual(record.state(at: now + 89_999), .valid)
    XCTAssertEqual(record.state(at: now + 90_000), .expiresSoon, "the last tenth of its life")
    XCTAssertEqual(record.state(at: now + 99_999), .expiresSoon)
    XCTAssertEqual(record.state(at: now + 100_000), .expired)
    XCTAssertEqual(record.state(at: .min), .valid)
    XCTAssertEqual(record.state(at: .max), .expired)
  }

  func testACardCountsFromItsBeginningWithAMinuteOfGrace() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(TestIssuer(), [.init(notBefore: now + 1000)])
    let record = try device.cards.record(of: id)
    XCTAssertEqual(record.state(at: now + 939), .notYetValid)
    XCTAssertEqual(record.state(at: now + 940), .valid)
    XCTAssertNil(record.nextCopy(at: now + 939))
    XCTAssertEqual(record.state(at: .min), .notYetValid)
  }

  func testALongLivedCardExpiresSoonForThirtyDays() throws {
    let year: Int64 = 365 * 86_400
    let month: Int64 = 30 * 86_400
    let record = try record([nil], expires: now + 5 * year)
    XCTAssertEqual(record.state(at: now + 5 * year - month - 1), .valid)
    XCTAssertEqual(record.state(at: now + 5 * year - month), .expiresSoon)
    XCTAssertEqual(try self.record([nil], expires: nil).state(at: .max), .valid)
  }

  func testAStatusThatWasNotReadIsUncheckedAndNeverValid() throws {
    var record = try record([7])
    XCTAssertEqual(record.state(at: now), .unchecked)
    note(&record, [7: .valid])
    XCTAssertEqual(record.state(at: now), .valid)
    XCTAssertEqual(record.state(at: now + 999), .valid)
    XCTAssertEqual(record.state(at: now + 1000), .unchecked, "the list has lapsed")
    note(&record, [7: .valid], at: now + 10)
    XCTAssertEqual(record.state(at: now), .unchecked, "read in the future")
    note(&record, [:])
    XCTAssertEqual(record.state(at: now), .unchecked, "the list has no such entry")
  }

  func testAWithdrawnCardStaysWithdrawnUntilTheListSaysOtherwise() throws {
    var record = try record([7])
    for status in [TokenStatus.suspended, .applicationSpecific(3), .reserved(9)] {
      note(&record, [7: status])
      XCTAssertEqual(record.state(at: now), .suspended)
      XCTAssertEqual(record.state(at: now + 50_000), .suspended, "silence does not help")
      note(&record, [:])
      XCTAssertEqual(record.state(at: now), .suspended, "nor does a list that is too short")
      note(&record, [7: .valid], issuedAt: now - 1)
      XCTAssertEqual(record.state(at: now), .suspended, "nor does an older list")
      note(&record, [7: .valid])
      XCTAssertEqual(record.state(at: now), .valid)
    }
    note(&record, [7: .invalid])
    note(&record, [7: .valid], issuedAt: now + 10)
    XCTAssertEqual(record.state(at: now), .revoked, "revoked for good")
  }

  func testAWithdrawnCopyCountsAlsoWhenItHasExpiredOrLostItsKey() throws {
    let device = try CardDevice(for: self)
    let id = try device.take(
      TestIssuer(),
      [
        .init(expires: now + 500, status: (Self.list, 1)),
        .init(expires: now + 100_000, status: (Self.list, 2)),
      ])
    var record = try device.cards.record(of: id)
    note(&record, [1: .invalid, 2: .valid])
    record.noteLostKey(of: record.copies[0].id)
    XCTAssertEqual(record.state(at: now), .revoked)
    XCTAssertEqual(record.state(at: now + 600), .revoked)
    XCTAssertNil(record.nextCopy(at: now + 600))
  }

  func testACardIsWithdrawnAsSoonAsOneCopyIs() throws {
    var record = try record([1, 2, 3])
    note(&record, [1: .valid, 2: .valid, 3: .valid])
    XCTAssertEqual(record.state(at: now), .valid)
    note(&record, [1: .valid, 2: .invalid, 3: .valid])
    XCTAssertEqual(record.state(at: now), .revoked)
    XCTAssertNil(record.nextCopy(at: now))
  }

  func testOnlyTheListThatTheCardNamesCounts() throws {
    var record = try record([7])
    note(&record, [7: .valid], list: Self.list + "0")
    XCTAssertEqual(record.state(at: now), .unchecked)
  }

  func testACardWithoutKeysIsLostAndOneWithSomeIsNot() throws {
    var record = try record([nil, nil])
    let copies = record.copies.map(\.id)
    record.noteLostKey(of: copies[0])
    XCTAssertEqual(record.state(at: now), .valid)
    XCTAssertEqual(record.nextCopy(at: now)?.id, copies[1])
    XCTAssertEqual(record.unusedCount(at: now), 1)
    record.noteLostKey(of: copies[1])
    XCTAssertEqual(record.state(at: now), .keyLost)
    XCTAssertNil(record.nextCopy(at: now))
  }

  func testEachChangeIsToldOnce() throws {
    var record = try record([7])
    XCTAssertNil(record.takeChange(to: record.state(at: now), at: now), "unchecked is how it came")
    note(&record, [7: .valid])
    XCTAssertEqual(record.takeChange(to: record.state(at: now), at: now), .valid)
    XCTAssertNil(record.takeChange(to: record.state(at: now), at: now))
    note(&record, [7: .invalid])
    XCTAssertEqual(record.takeChange(to: record.state(at: now), at: now), .revoked)
    XCTAssertEqual(
      record.history.map(\.state), [nil, .valid, .revoked])
  }

  func testAListThatLapsesAndIsReadAgainIsToldButIsNoHistory() throws {
    var record = try record([7])
    for round in 0..<3 {
      let time = now + Int64(round) * 2000
      note(&record, [7: .valid], at: time)
      XCTAssertEqual(record.takeChange(to: .valid, at: time), .valid)
      XCTAssertEqual(record.takeChange(to: .unchecked, at: time + 1500), .unchecked)
    }
    XCTAssertEqual(record.history.map(\.state), [nil, .valid])
  }

  func testTheTimesAtWhichTheStateTurnsAreKnown() throws {
    var record = try record([7])
    note(&record, [7: .valid])
    var (states, time): ([CardState], Int64) = ([record.state(at: now)], now)
    while let turn = record.nextTurn(after: time) {
      XCTAssertEqual(record.state(at: turn - 1), states.last)
      (states, time) = (states + [record.state(at: turn)], turn)
    }
    XCTAssertEqual(states, [.valid, .unchecked, .unchecked, .expired])
    XCTAssertNil(try self.record([nil], expires: nil).nextTurn(after: now))
  }

  func testTheHistoryIsBoundedAndKeepsItsBeginning() throws {
    var record = try record([7])
    for round in 0..<CardRecord.maximumHistory {
      note(&record, [7: round % 2 == 0 ? .valid : .suspended])
      XCTAssertNotNil(record.takeChange(to: record.state(at: now), at: now))
    }
    XCTAssertEqual(record.history.count, CardRecord.maximumHistory)
    XCTAssertEqual(record.addedAt, now)
  }
}
