import XCTest
import WalletModel
import WalletProtocol

@testable import WalletProofing

/// Tests what leaves the core of a licence, and that nothing of it is printed.
final class LicenceEvidenceTests: LicenceTestCase {
  func testOnlyTheMinimalSetLeavesTheCore() throws {
    let bytes = Card().bytes
    let members = try JSONSerialization.jsonObject(with: try encode(evidence(bytes)))
    XCTAssertEqual(
      members as? NSDictionary,
      [
        "family_name": "VANDERBLOOM", "given_name": "MARIGOLD", "middle_names": "TESSA",
        "name_suffix": "II", "birth_date": "1987-06-05", "document_number": "VX0427193",
        "expiry_date": "2031-06-15", "issuer_number": "636045", "document_kind": "DL",
        "warnings": [String](), "deviations": [String](),
      ])
  }

  func testNoOtherElementOfTheCardLeavesTheCore() throws {
    for version in 1...11 {
      var card = Card(version)
      let others = [
        "DAG": "77 OTHERWAY", "DAI": "SIDETOWN", "DAK": "880990000", "DCF": "DISCRIM8",
        "DCK": "INVENT8", "DAY": "MAR", "DAU": "071 in", "DAW": "188", "DCL": "BK", "DDK": "1",
        "DDL": "1", "DBK": "078051120", "DBG": "GLASSES", "DAR": "KLASS",
      ]
      for (id, value) in others { card[id] = value }
      let text = String(decoding: try encode(evidence(card.bytes)), as: UTF8.self)
      for value in others.values where value.count > 3 {
        XCTAssertFalse(text.contains(value), "\(version): \(value)")
      }
      XCTAssertFalse(text.contains("2023"), "the issue date")
    }
  }

  func testTheSameCardIsTheSameBytes() throws {
    var card = Card(5)
    card.hasJurisdictionVersion = false
    card.fileType = "AAMVA"
    card["DDE"] = "T"
    card["DDD"] = "1"
    let first = try encode(evidence(card.bytes))
    for _ in 0..<20 { XCTAssertEqual(try encode(evidence(card.bytes)), first) }
    let text = String(decoding: first, as: UTF8.self)
    XCTAssertTrue(text.contains(#""deviations":["file_type","header_shape"]"#))
    XCTAssertTrue(text.contains(#""warnings":["family_name_truncated","limited_term"]"#))
  }

  func testEvidenceIsDecodedAsItWasEncoded() throws {
    for version in 1...11 {
      let sent = try evidence(Card(version).bytes)
      let read = try JSONDecoder().decode(LicenceEvidence.self, from: try encode(sent))
      XCTAssertEqual(read, sent)
    }
  }

  func testPersonalDataIsNeverPrinted() throws {
    let document = try read(Card().bytes)
    let evidence = try evidence(Card().bytes)
    let values: [Any] = [
      document, evidence, evidence.familyName, evidence.birthDate, document.birthDate,
      [evidence.documentNumber], ["a": evidence.expiryDate], document.addressState as Any,
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [dumped, "\(value)", String(reflecting: value)] {
        for secret in ["VANDER", "MARIGOLD", "TESSA", "0427", "1987", "2031", "WA\"", "636045"] {
          XCTAssertFalse(text.contains(secret), text)
        }
      }
    }
  }

  func testRefusalsCarryOnlyRuleAndCode() {
    let refusal = refusal(Card(10).bytes, now: 2_000_000_000)
    XCTAssertEqual(refusal, LicenceRefusal(.expiry, .documentExpired))
    XCTAssertEqual(
      refusal.map { "\($0)" },
      "LicenceRefusal(rule: WalletProofing.LicenceRule.expiry, "
        + "error: WalletModel.ProofingError.documentExpired)")
  }

  func testPersonalTextKeepsEveryCharacterAndComparesByContent() {
    let all = (0x21...0xFF).map { UInt8($0) }.filter { !(0x7F...0xA0).contains($0) }
    let expected = String(String.UnicodeScalarView(all.map { UnicodeScalar($0) }))
    XCTAssertEqual(PersonalText(latin1: all[...])?.disclosed(), expected)
    XCTAssertEqual(PersonalText(latin1: latin1("  a  b ")[...])?.disclosed(), "a b")
    XCTAssertEqual(PersonalText(latin1: latin1("a,b,")[...])?.disclosed(), "a,b,")
    XCTAssertNil(PersonalText(latin1: latin1(" , ,")[...], commasAreBlanks: true))
    XCTAssertNil(PersonalText(latin1: []))
    XCTAssertEqual(PersonalText("é"), PersonalText(latin1: [0xE9]))
    XCTAssertNotEqual(PersonalText("a"), PersonalText("ab"))
    XCTAssertEqual(PersonalText("").disclosed(), "")
    XCTAssertEqual(Set([PersonalText("a"), PersonalText("a"), PersonalText("b")]).count, 2)
  }

  func testTheProviderReadsTheClaimsThatTheWalletWrites() throws {
    for version in 1...11 {
      for kind in ["DL", "ID", "EN"] {
        var card = Card(version, canadian: version % 2 == 0, kind: kind)
        card.fileType = "AAMVA"
        card["DDE"] = "T"
        if version % 3 == 0 { card["DCU"] = nil }
        let evidence = try evidence(card.bytes)
        let claims = try WireJSON.decode(LicenceClaims.self, from: WireJSON.encode(evidence))
        XCTAssertEqual(
          claims,
          LicenceClaims(
            familyName: evidence.familyName.disclosed(), givenName: evidence.givenName.disclosed(),
            middleNames: evidence.middleNames?.disclosed(),
            nameSuffix: evidence.nameSuffix?.disclosed(), birthDate: evidence.birthDate,
            documentNumber: evidence.documentNumber.disclosed(), expiryDate: evidence.expiryDate,
            issuerNumber: evidence.issuerNumber, documentKind: evidence.documentKind,
            warnings: evidence.warnings.map(\.rawValue),
            deviations: evidence.deviations.map(\.rawValue)))
        XCTAssertEqual(
          try WireJSON.decode(LicenceEvidence.self, from: WireJSON.encode(claims)), evidence)
      }
    }
  }

  private func encode(_ evidence: LicenceEvidence) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(evidence)
  }
}
