import XCTest
import WalletProtocol
import WalletModel

@testable import WalletProofing

/// The ordered rules, each at its limits.
final class LicenceRuleTests: LicenceTestCase {
  /// Returns noon in UTC on a day.
  private func noon(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(year: year, month: month, day: day, hour: 12)
    return Int64(calendar.date(from: parts)?.timeIntervalSince1970 ?? 0)
  }

  private func assertRefused(
    _ bytes: [UInt8], _ rule: LicenceRule, _ error: ProofingError, now: Int64 = now,
    policy: ProofingPolicy = ProofingPolicy(), file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(
      refusal(bytes, now: now, policy: policy), LicenceRefusal(rule, error), file: file, line: line)
  }

  private func warnings(_ bytes: [UInt8], now: Int64 = now) throws -> [LicenceWarning] {
    try evidence(bytes, now: now).warnings
  }

  private func assertPasses(
    _ bytes: [UInt8], now: Int64 = now, policy: ProofingPolicy = ProofingPolicy(),
    file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertNil(refusal(bytes, now: now, policy: policy), file: file, line: line)
  }

  // MARK: Issuer and kind

  func testAnUnknownIssuerIsNotAccepted() {
    for issuer in [636_063, 100_000, 999_999, 0] {
      assertRefused(card { $0.issuer = issuer }, .issuer, .documentIssuerNotAccepted)
    }
  }

  func testACountryThatThePolicyLeavesOutIsNotAccepted() {
    let mexican = card { card in
      card.issuer = 636_056
      card["DCG"] = "MEX"
    }
    assertRefused(mexican, .issuer, .documentIssuerNotAccepted)
    assertPasses(mexican, policy: ProofingPolicy(countries: [.mexico]))
    assertRefused(
      Card(10, canadian: true).bytes, .issuer, .documentIssuerNotAccepted,
      policy: ProofingPolicy(countries: [.unitedStates]))
  }

  func testAKindThatThePolicyLeavesOutIsNotAccepted() {
    for kind in LicenceKind.allCases {
      let bytes = Card(10, kind: kind.rawValue).bytes
      assertPasses(bytes, policy: ProofingPolicy(kinds: [kind]))
      assertRefused(
        bytes, .kind, .documentTypeNotAccepted,
        policy: ProofingPolicy(kinds: Set(LicenceKind.allCases).subtracting([kind])))
    }
  }

  func testANewerVersionIsAWarning() throws {
    XCTAssertEqual(try warnings(Card(11).bytes), [])
    XCTAssertEqual(try warnings(Card(12).bytes), [.versionUnknown])
  }

  func testAnAddressElsewhereIsAWarning() throws {
    XCTAssertEqual(try warnings(card { $0["DAJ"] = "OR" }), [.addressElsewhere])
    XCTAssertEqual(try warnings(card { $0["DAJ"] = "" }), [])
  }

  func testAnotherCountryThanTheIssuersIsInconsistent() throws {
    for country in ["CAN", "CDN", "MEX", "XXX", "US", "USAA"] {
      assertRefused(card { $0["DCG"] = country }, .country, .documentInconsistent)
    }
    assertRefused(
      card(10, canadian: true) { $0["DCG"] = "USA" }, .country, .documentInconsistent)
    assertPasses(card(2, canadian: true) { $0["DCG"] = "CDN" })
    XCTAssertEqual(try warnings(card { $0["DCG"] = "NONE" }), [.countryAbsent])
    XCTAssertEqual(try warnings(Card(1).bytes), [])
  }

  // MARK: Required elements and dates

  func testWithoutAnElementThatIsNeededTheCardIsDamaged() {
    for id in ["DAQ", "DBB", "DBA", "DCS", "DAC"] {
      for value in [nil, "", "NONE", "unavl", "unavail", "   "] {
        assertRefused(card { $0[id] = value }, .needed, .documentDamaged)
      }
    }
    for value in ["VANDERBLOOM", "VANDERBLOOM,", ",MARIGOLD", ",,,"] {
      assertRefused(card(1) { $0["DAA"] = value }, .needed, .documentDamaged)
    }
    assertRefused(card(3) { $0["DCT"] = "," }, .needed, .documentDamaged)
  }

  func testWithoutASubfilesLettersAnywhereTheKindIsNotGuessed() {
    let bytes = card { card in
      card.kind = ""
      card.jurisdiction = []
      card.designator = { _, _, _ in "" }
    }
    assertRefused(bytes, .needed, .documentDamaged)
  }

  func testDatesAreDaysOfTheCalendar() {
    for date in [
      "02301990", "02291990", "13011990", "00011990", "01001990", "01321990", "04311990",
      "01011799", "01012200", "0101199", "010119900", "0101199O", "FF", "01-01/1990",
      "0101-1990", "1990-0101-", "01 01 1990", "01011990XY",
    ] {
      for id in ["DBA", "DBB", "DBD"] {
        assertRefused(card { $0[id] = date }, .dates, .documentDamaged)
      }
    }
    assertPasses(card { $0["DBB"] = "02291992" })
    assertPasses(card { $0["DBB"] = "02292000" })
    assertRefused(card { $0["DBB"] = "02291900" }, .dates, .documentDamaged)
  }

  // MARK: Age

  func testTheMinimumAgeIsReachedOnTheBirthday() {
    let born = card { $0["DBB"] = "09012008" }
    assertRefused(born, .birth, .documentUnderAge, now: noon(2026, 8, 31))
    assertPasses(born, now: noon(2026, 9, 1))
    assertRefused(
      born, .birth, .documentUnderAge, now: noon(2026, 9, 1),
      policy: ProofingPolicy(minimumAge: 19))
    assertPasses(born, now: noon(2026, 8, 31), policy: ProofingPolicy(minimumAge: 17))
  }

  func testAPersonBornOnFebruary29IsOfAgeInMarch() {
    let born = card { $0["DBB"] = "02292008" }
    assertRefused(born, .birth, .documentUnderAge, now: noon(2026, 2, 28))
    assertPasses(born, now: noon(2026, 3, 1))
  }

  func testABirthdayBeginsInTheIssuersZone() {
    // Washington is eight hours behind UTC.
    let born = card { $0["DBB"] = "09012008" }
    let midnight = noon(2026, 9, 1) - 43_200 + 8 * 3600
    assertRefused(born, .birth, .documentUnderAge, now: midnight - 1)
    assertPasses(born, now: midnight)
  }

  func testAFutureOrAncientBirthIsInconsistent() {
    assertRefused(card { $0["DBB"] = "09032026" }, .birth, .documentInconsistent)
    assertRefused(card { $0["DBB"] = "09022026" }, .birth, .documentUnderAge)
    assertRefused(card { $0["DBB"] = "09011905" }, .birth, .documentInconsistent)
    assertPasses(card { $0["DBB"] = "09021905" })
  }

  // MARK: Issue and term

  func testAnIssueInTheFutureIsInconsistent() {
    assertRefused(card { $0["DBD"] = "09032026" }, .issue, .documentInconsistent)
    assertPasses(card { $0["DBD"] = "09012026" })
    // The next day may already have begun where the card was made.
    assertPasses(card { $0["DBD"] = "09022026" })
  }

  func testAnIssueBeforeBirthIsInconsistentAndToAChildAWarning() throws {
    for date in ["06051987", "06041987", "01011900"] {
      assertRefused(card { $0["DBD"] = date }, .issue, .documentInconsistent)
    }
    func issued(_ day: String) -> [UInt8] {
      card { card in
        card["DBD"] = day
        // Without the design's date, which would be later.
        card["DDB"] = nil
      }
    }
    XCTAssertEqual(try warnings(issued("06042001")), [.issuedToChild])
    XCTAssertEqual(try warnings(issued("06052001")), [])
    XCTAssertEqual(try warnings(card { $0["DBD"] = "NONE" }), [.issueDateAbsent])
  }

  func testAnExpiryNotAfterTheIssueIsInconsistentEvenIfExpired() {
    for date in ["04092023", "04082023", "01012000"] {
      assertRefused(card { $0["DBA"] = date }, .term, .documentInconsistent)
    }
    assertRefused(card { $0["DBA"] = "04102023" }, .expiry, .documentExpired)
  }

  func testALicenceMayLastUntil65() throws {
    XCTAssertEqual(try warnings(card { $0["DBA"] = "06052052" }), [])
    XCTAssertEqual(try warnings(card { $0["DBA"] = "04092083" }), [])
    XCTAssertEqual(try warnings(card { $0["DBA"] = "04092084" }), [.termLong])
  }

  func testTheLastDayIsValidUntilItEndsInTheIssuersLatestZone() {
    let bytes = Card().bytes
    assertPasses(bytes, now: noon(2031, 6, 15))
    let end = noon(2031, 6, 16) - 43_200 + 8 * 3600
    assertPasses(bytes, now: end - 1)
    assertRefused(bytes, .expiry, .documentExpired, now: end)
    // Guam is ahead of UTC.
    let guam = card { $0.issuer = 636_019 }
    let earlyEnd = noon(2031, 6, 16) - 43_200 - 10 * 3600
    assertPasses(guam, now: earlyEnd - 1)
    assertRefused(guam, .expiry, .documentExpired, now: earlyEnd)
  }

  // MARK: Warnings

  func testTruncatedNamesAreWarnings() throws {
    XCTAssertEqual(try warnings(card { $0["DDE"] = "T" }), [.familyNameTruncated])
    XCTAssertEqual(try warnings(card { $0["DDF"] = "T" }), [.givenNameTruncated])
    XCTAssertEqual(try warnings(card { $0["DDG"] = "T" }), [.middleNamesTruncated])
    for id in ["DDE", "DDF", "DDG"] {
      XCTAssertEqual(try warnings(card { $0[id] = "U" }), [.truncationUnknown])
    }
  }

  func testRestrictionsAreWarnings() throws {
    XCTAssertEqual(try warnings(card { $0["DDD"] = "1" }), [.limitedTerm])
    XCTAssertEqual(try warnings(card { $0["DDD"] = "0" }), [])
    XCTAssertEqual(try warnings(card { $0["DDA"] = "N" }), [.notRealID])
    XCTAssertEqual(try warnings(card { $0["DDA"] = "M" }), [])
  }

  func testUnusualValuesAreOnlyWarnings() throws {
    for (id, value) in [
      ("DCS", String(repeating: "A", count: 41)), ("DBC", "7"), ("DBC", "22"),
      ("DAQ", "VX#1"), ("DAQ", String(repeating: "7", count: 26)), ("DDE", "X"),
    ] {
      XCTAssertEqual(try warnings(card { $0[id] = value }), [.unusualValues], "\(id) \(value)")
    }
    XCTAssertEqual(try warnings(card { $0["DAQ"] = "WDL*AB1-2.C" }), [])
  }

  // MARK: Order

  func testTheFirstRuleThatRefusesDecides() {
    // Breaks every rule; each is repaired in turn.
    var card = Card()
    card.issuer = 636_063
    card.kind = "ID"
    card["DCG"] = "CAN"
    card["DAQ"] = nil
    card["DBD"] = "99999999"
    card["DBB"] = "01012020"
    card["DBA"] = "01012000"
    let policy = ProofingPolicy(kinds: [.licence])
    let repairs: [(LicenceRule, ProofingError, (inout Card) -> Void)] = [
      (.issuer, .documentIssuerNotAccepted, { $0.issuer = 636_045 }),
      (.kind, .documentTypeNotAccepted, { $0.kind = "DL" }),
      (.country, .documentInconsistent, { $0["DCG"] = "USA" }),
      (.needed, .documentDamaged, { $0["DAQ"] = "VX0427193" }),
      (.dates, .documentDamaged, { $0["DBD"] = "01012027" }),
      (.birth, .documentUnderAge, { $0["DBB"] = "06051987" }),
      (.issue, .documentInconsistent, { $0["DBD"] = "01012001" }),
      (.term, .documentInconsistent, { $0["DBA"] = "01012020" }),
      (.expiry, .documentExpired, { $0["DBA"] = "01012030" }),
    ]
    for (rule, error, repair) in repairs {
      assertRefused(card.bytes, rule, error, policy: policy)
      repair(&card)
    }
    assertPasses(card.bytes, policy: policy)
  }

  func testATimeBeyondAnyCalendarDoesNotTrap() {
    for moment in [Int64.min, -1, 0, 1, Int64.max, Int64.max - 1] {
      _ = refusal(Card().bytes, now: moment)
    }
  }
}
