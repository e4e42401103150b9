import WalletCredentials
import WalletProtocol
import XCTest

final class PIDClaimsTests: XCTestCase {
  private static let day: Int64 = 86_400

  private func date(_ text: String) throws -> CalendarDate { try XCTUnwrap(CalendarDate(text)) }

  private func pid(
    birth: String = "1979-02-28", issued: String = "2025-10-09"
  ) throws -> PIDClaims {
    PIDClaims(
      familyName: "Möbius", givenName: "Zoë Ann", birthdate: try date(birth),
      issuedOn: try date(issued), validity: try validity(), issuingAuthority: "Example",
      issuingCountry: "DE",
      verification: PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: false, demonstration: false))
  }

  private func validity(
    now: Int64 = 1_760_000_000, verdict: Int64 = 1_760_000_000, documentEnds: Int64 = .max
  ) throws -> PIDValidity {
    try XCTUnwrap(PIDValidity(now: now, verdict: verdict, documentEnds: documentEnds))
  }

  func testClaimsAreNamedAsInTheField() throws {
    let json =
      #"{"age_equal_or_over":{"16":true,"18":true,"21":true,"65":false},"#
      + #""birthdate":"1979-02-28","date_of_expiry":"2026-01-06","family_name":"Möbius","#
      + #""given_name":"Zoë Ann","issuing_authority":"Example","issuing_country":"DE","#
      + #""verification":{"account_match":true,"barcode_claimed":true,"demonstration":false,"#
      + #""evidence":"driving_permit","issuing_source_match":false}}"#
    let bytes = try WireJSON.encode(pid())
    XCTAssertEqual(String(decoding: bytes, as: UTF8.self), json)
    XCTAssertEqual(try WireJSON.decode(PIDClaims.self, from: bytes), try pid())
    for word in ["assurance", "loa", "ial", "trust"] { XCTAssertFalse(json.contains(word)) }
    let claims = try JSONValue(parsing: bytes)
    for path in PIDClaims.disclosable { XCTAssertEqual(try path.select(in: claims).count, 1) }
    XCTAssertEqual(PIDClaims.disclosable.count, 7)
  }

  func testAMalformedClaimIsRefused() throws {
    let json = String(decoding: try WireJSON.encode(pid()), as: UTF8.self)
    for (from, to) in [
      ("1979-02-28", "1979-02-29"), ("driving_permit", "passport"), ("\"18\":true", "\"18\":1"),
      ("issuing_country", "country"), ("\"account_match\":true,", ""),
      ("\"family_name\":\"Möbius\",", ""),
    ] {
      let changed = json.replacing(from, with: to)
      XCTAssertNotEqual(changed, json)
      XCTAssertThrowsError(try WireJSON.decode(PIDClaims.self, from: Array(changed.utf8)))
    }
  }

  func testAgesAreStatedOfEveryoneReachedOrNot() throws {
    for (birth, issued, reached) in [
      ("2007-10-09", "2025-10-08", [16]), ("2007-10-09", "2025-10-09", [16, 18]),
      ("2008-02-29", "2026-02-28", [16]), ("2008-02-29", "2026-03-01", [16, 18]),
      ("1900-01-01", "2025-10-09", [16, 18, 21, 65]), ("2030-01-01", "2025-10-09", []),
    ] {
      let ages = try pid(birth: birth, issued: issued).ageEqualOrOver
      XCTAssertEqual(ages.count, 4)
      XCTAssertEqual(Set(ages.filter(\.value).keys), Set(reached.map(String.init)), birth)
    }
  }

  func testBothEndsAreMidnightsAndAtMostNinetyDaysApart() throws {
    let midnight: Int64 = 20_370 * Self.day
    for second: Int64 in [0, 1, 43_200, 86_399] {
      let whole = try validity(now: midnight + second, verdict: midnight + second)
      XCTAssertEqual(whole.issuedAt, midnight)
      XCTAssertEqual(whole.expires, midnight + 90 * Self.day)
    }
    // Two people of one day have the same times.
    XCTAssertEqual(
      try validity(now: midnight + 5, verdict: midnight + 5),
      try validity(now: midnight + 70_000, verdict: midnight + 60_000))
  }

  func testValidityCountsFromTheVerdictAndEndsWithTheDocument() throws {
    let midnight: Int64 = 20_370 * Self.day
    let late = try validity(now: midnight + 20 * 3600, verdict: midnight - Self.day)
    XCTAssertEqual(late.issuedAt, midnight - Self.day)
    XCTAssertEqual(late.expires, midnight + 89 * Self.day)
    // If the clock was set back since the verdict, the earlier time counts.
    XCTAssertEqual(
      try validity(now: midnight, verdict: midnight + 5 * Self.day).issuedAt, midnight)
    XCTAssertEqual(
      try validity(now: midnight, verdict: midnight, documentEnds: midnight + 129_600).expires,
      midnight + Self.day)
    for ends in [midnight, midnight + Self.day - 1, 0, .min] {
      XCTAssertNil(PIDValidity(now: midnight + 1, verdict: midnight, documentEnds: ends), "\(ends)")
    }
    XCTAssertNil(PIDValidity(now: .max, verdict: .max, documentEnds: .max))
    XCTAssertNil(PIDValidity(now: -1, verdict: -1, documentEnds: .max))
  }

  func testDates() throws {
    for text in ["0001-01-01", "2000-02-29", "2024-02-29", "9999-12-31", "1979-04-30"] {
      XCTAssertEqual(try date(text).text, text)
    }
    for text in [
      "", "0000-01-01", "1900-02-29", "2023-02-29", "2023-04-31", "2023-00-01", "2023-13-01",
      "2023-01-00", "2023-01-32", "2023-1-01", "23-01-01", "20230101", "2023-01-01T", "2023/01/01",
      "-023-01-01", "+023-01-01", "２０２３-01-01", "2023-01-01-", "2023--01-1",
    ] { XCTAssertNil(CalendarDate(text), text) }
    XCTAssertNil(CalendarDate(year: .max, month: 1, day: 1))
    XCTAssertNil(CalendarDate(year: 2023, month: 1, day: .max))
    XCTAssertLessThan(try date("1999-12-31"), try date("2000-01-01"))
    XCTAssertEqual(try date("1999-12-31").age(on: date("1999-12-30")), -1)
  }
}
