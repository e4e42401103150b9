import WalletProtocol
import XCTest

final class PIDClaimsTests: XCTestCase {
  private func date(_ text: String) throws -> CalendarDate { try XCTUnwrap(CalendarDate(text)) }

  func testClaimsAreNamedAsInTheField() throws {
    let json =
      #"{"age_equal_or_over":{"18":true},"birthdate":"1979-02-28","family_name":"Möbius","#
      + #""given_name":"Zoë Ann","issuing_authority":"Example","issuing_country":"DE","#
      + #""verification":{"account_match":true,"barcode_claimed":true,"demonstration":false,"#
      + #""evidence":"driving_permit","issuing_source_match":false}}"#
    let bytes = try WireJSON.encode(SDJWTParties.pid())
    XCTAssertEqual(String(decoding: bytes, as: UTF8.self), json)
    XCTAssertEqual(try WireJSON.decode(PIDClaims.self, from: bytes), try SDJWTParties.pid())
    for word in ["assurance", "loa", "ial", "trust"] { XCTAssertFalse(json.contains(word)) }
    guard case .object(let members) = try JSONValue(parsing: bytes) else { return XCTFail() }
    XCTAssertTrue(PIDClaims.disclosable.isSubset(of: members.keys))
  }

  func testAMalformedClaimIsRefused() throws {
    let bytes = try WireJSON.encode(SDJWTParties.pid())
    let json = String(decoding: bytes, as: UTF8.self)
    for (from, to) in [
      ("1979-02-28", "1979-02-29"), ("driving_permit", "passport"), ("\"18\":true", "\"18\":1"),
      ("issuing_country", "country"), ("\"account_match\":true,", ""),
    ] {
      let changed = json.replacing(from, with: to)
      XCTAssertNotEqual(changed, json)
      XCTAssertThrowsError(try WireJSON.decode(PIDClaims.self, from: Array(changed.utf8)))
    }
  }

  func testThePIDIsValidForAtMost90Days() throws {
    let key = try Party(.edDSA, "holder").key
    func content(_ issuedAt: Int64, _ expires: Int64) throws -> SDJWTContent {
      try SDJWTParties.pid().content(
        issuer: "p", issuedAt: issuedAt, expires: expires, holderKey: key)
    }
    let longest = PIDClaims.maximumValidity
    XCTAssertEqual(longest, 7_776_000)
    XCTAssertNoThrow(try content(1, 1 + longest))
    assertRefused(.contentMalformed) { try content(1, 2 + longest) }
    assertRefused(.contentMalformed) { try content(.min, .max) }
  }

  func testAgeIsStatedOfEveryone() throws {
    var counts: Set<Int> = []
    for (birth, issued, over) in [
      ("2007-10-09", "2025-10-08", false), ("2007-10-09", "2025-10-09", true),
      ("2008-02-29", "2026-02-28", false), ("2008-02-29", "2026-03-01", true),
      ("1900-01-01", "2025-10-09", true), ("2030-01-01", "2025-10-09", false),
    ] {
      let pid = PIDClaims(
        familyName: "A", givenName: "B", birthdate: try date(birth), issuedOn: try date(issued),
        issuingAuthority: "C", issuingCountry: "DE",
        verification: PIDVerification(
          evidence: .identityCard, barcodeClaimed: true, accountMatch: false,
          issuingSourceMatch: false, demonstration: false))
      XCTAssertEqual(pid.ageEqualOrOver?.over18, over, birth)
      let key = try Party(.edDSA, "holder").key
      let content = try pid.content(issuer: "p", issuedAt: 1, expires: 2, holderKey: key)
      counts.insert(content.disclosable.intersection(content.claims.keys).count)
    }
    XCTAssertEqual(counts, [4])
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
