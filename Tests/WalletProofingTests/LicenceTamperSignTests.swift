import WalletModel
import XCTest

@testable import WalletProofing

/// Signs that a barcode is odd for its issuer: reported, never refused.
final class LicenceTamperSignTests: LicenceTestCase {
  private func warnings(_ bytes: [UInt8]) throws -> [LicenceWarning] {
    try evidence(bytes).warnings
  }

  func testDatesUntilAnAgeMustBeBirthdays() throws {
    for (id, day) in [("DDH", "06052005"), ("DDI", "06052006"), ("DDJ", "06052008")] {
      XCTAssertEqual(try warnings(card { $0[id] = day }), [])
      for other in ["06042005", "06062008", "06052007", "06051987"] {
        XCTAssertEqual(
          try warnings(card { $0[id] = other }), [.ageDatesContradict], "\(id) \(other)")
      }
      for none in ["NONE", "", "1131990", "unavl"] {
        XCTAssertEqual(try warnings(card { $0[id] = none }), [], "\(id) \(none)")
      }
    }
    XCTAssertEqual(try warnings(card(canadian: true) { $0["DDJ"] = "20080605" }), [])
  }

  func testAPersonBornOnFebruary29ComesOfAgeOnEitherAdjacentDay() throws {
    for (day, expected) in [
      ("02282013", [LicenceWarning]()), ("03012013", []), ("03022013", [.ageDatesContradict]),
    ] {
      let bytes = card { card in
        card["DBB"] = "02291992"
        card["DDJ"] = day
      }
      XCTAssertEqual(try warnings(bytes), expected, day)
    }
  }

  func testADesignThatIsNewerThanTheCard() throws {
    XCTAssertEqual(try warnings(card { $0["DDB"] = "04102023" }), [.designNewerThanCard])
    XCTAssertEqual(try warnings(card { $0["DDB"] = "04092023" }), [])
    XCTAssertEqual(try warnings(card { $0["DDB"] = "NONE" }), [])
    let withoutIssue = card { card in
      card["DDB"] = "04102023"
      card["DBD"] = "NONE"
    }
    XCTAssertEqual(try warnings(withoutIssue), [.issueDateAbsent])
  }

  func testWrongOffsetsOfAnIssuerThatIsNotKnownForThem() throws {
    func wrong(_ issuer: Int, _ state: String, canadian: Bool = false) -> [UInt8] {
      card(canadian: canadian) { card in
        card.issuer = issuer
        card["DAJ"] = state
        card.designator = { _, _, _ in "00000000" }
      }
    }
    XCTAssertEqual(try warnings(wrong(636_045, "WA")), [.offsetsUnexpected])
    XCTAssertEqual(try warnings(wrong(636_012, "ON", canadian: true)), [])
    XCTAssertEqual(try warnings(wrong(636_005, "SC")), [])
    // Bytes that were changed on the way explain wrong offsets.
    let changed = replacing(Card().bytes) { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    XCTAssertEqual(try evidence(changed).deviations.contains(.offsets), true)
    XCTAssertEqual(try warnings(changed), [])
  }

  func testAnIssuerThatAlwaysAddsElementsOfItsOwn() throws {
    for (issuer, state) in [(636_000, "VA"), (636_001, "NY"), (636_036, "NJ"), (636_045, "WA")] {
      let without = card { card in
        card.issuer = issuer
        card["DAJ"] = state
        card.jurisdiction = []
      }
      XCTAssertEqual(try warnings(without), state == "WA" ? [] : [.jurisdictionPartMissing], state)
      let with = card { card in
        card.issuer = issuer
        card["DAJ"] = state
      }
      XCTAssertEqual(try warnings(with), [])
    }
  }
}
