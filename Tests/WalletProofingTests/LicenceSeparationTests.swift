import TestSupport
import WalletModel
import XCTest

@testable import WalletProofing

/// Without a separator, the element after a name or number would leave the core in it.
final class LicenceSeparationTests: LicenceTestCase {
  func testANumberBehindDamagedLettersOfItsSubfileIsTakenFromNowhereElse() {
    for version in 1...11 {
      for letters in ["D\u{1A}L", "DXL", "\u{1A}DL", "XX"] {
        let text = String(decoding: Card(version).bytes, as: UTF8.self)
          .replacingOccurrences(of: "DLDAQ", with: letters + "DAQ")
          .replacingOccurrences(of: "QUILL LN", with: "QUILL LN\nDAQUILL LN")
        XCTAssertEqual(refusal(latin1(text))?.error, .documentDamaged, "\(version) \(letters)")
      }
    }
  }

  /// Optional elements of every edition, with values.
  static let optional: [(id: String, value: String)] = [
    ("DAF", "MS"), ("DAF", "REV"), ("DAH", "APT B"), ("DAH", "APT 4B"), ("DAH", "UNIT 7"),
    ("DAL", "PO BOX 4"), ("DAL", "9 WILLOW RD"), ("DAM", "UNIT B"), ("DAP", "98001"),
    ("DAV", "181"), ("DAW", "140"), ("DAX", "064"), ("DAZ", "BRO"), ("DAZ", "BRN"),
    ("DAZ", "BROWN"), ("DAZ", "BLK"), ("DAZ", "BAL"), ("DAZ", "GRY"), ("DAZ", "RED"),
    ("DAZ", "SDY"), ("DAZ", "WHI"), ("DAZ", "UNK"), ("DAY", "BRN"), ("DAY", "BROWN"),
    ("DAY", "BLU"), ("DBE", "N"), ("DBF", "00"), ("DBG", "NAME"), ("DBH", "N"), ("DBH", "Y"),
    ("DBJ", "X12"), ("DBK", "078051120"), ("DBL", "06051987"), ("DBM", ""), ("DBM", "078051120"),
    ("DBN", "NAME"), ("DBP", "ALIAS"), ("DBQ", "ALIAS"), ("DBR", "JR"), ("DBS", "JR"),
    ("DCE", "4"), ("DCI", "LOWMERE,WA"), ("DCI", "USA"), ("DCJ", "AUDITX"), ("DCK", "INV1"),
    ("DCL", "W"), ("DCL", "WHITE"), ("DCM", "C"), ("DCM", "4"), ("DCN", "M"), ("DCO", "NONE"),
    ("DCO", "AUTO"), ("DCP", "CLASS C"), ("DCQ", "MOTOR"), ("DCR", "GLASSES"), ("DCU", "JR"),
    ("DCU", "MD"), ("DCU", "3RD"), ("DCU", "ESQ"), ("DCU", "II"), ("DDB", "03012020"),
    ("DDC", "03012020"), ("DDD", "1"), ("DDH", "06052005"), ("DDI", "06052006"),
    ("DDJ", "06052008"), ("DDK", "1"), ("DDL", "1"), ("DDM", "1"), ("DDN", "1"), ("DDO", "1"),
    ("DDP", "1"), ("DAE", "JR"), ("DAE", "ESQ"),
  ]
  /// Elements that names can end in, so that they are detected only after a number or a blank.
  static let ofNames: [(id: String, value: String)] = [
    ("DDA", "F"), ("DDA", "N"), ("DBI", "N"), ("DBI", "Y"), ("DAO", "WA"), ("DBO", "ALIAS"),
  ]
  /// Elements that look like the end of a name, with or without a blank before them.
  static let residue: [(id: String, value: String)] = [
    ("DAN", "LOWMERE"), ("DAH", ""), ("DAS", ""), ("DAR", "C"),
  ]

  private static let texts = ["DAQ", "DCS", "DAC", "DAD", "DCT", "DCU", "DAA", "DAB", "DAE"]

  private func assertDetected(
    _ element: (id: String, value: String), in text: String, by separators: [String],
    file: StaticString = #filePath, line: UInt = #line
  ) {
    guard text != element.id else { return }
    let ways = (1...11).flatMap { version in separators.map { (version: version, separator: $0) } }
    for (version, separator) in Sample.of(ways, kind: \.separator) {
      let bytes = card(version) { card in
        if version == 1, ["DAB", "DAC", "DAD", "DAE"].contains(text) {
          card["DAA"] = nil
          for (id, value) in [
            ("DAB", "VANDERBLOOM"), ("DAC", "MARIGOLD"), ("DAD", "TESSA"), ("DAE", "II"),
          ] {
            card[id] = value
          }
        }
        guard let value = card[text] else { return card["DAQ"] = nil }
        card[element.id] = nil
        card[text] = value + separator + element.id + element.value
      }
      XCTAssertEqual(
        refusal(bytes)?.error, .documentDamaged,
        "\(version): \(text) and \(element) by '\(separator)'", file: file, line: line)
    }
  }

  func testAnElementJoinedToANameOrNumberIsDetected() {
    for element in Self.optional {
      for text in Self.texts {
        assertDetected(element, in: text, by: ["", " ", ",", "J", "*", "-", "\u{A0}"])
      }
    }
  }

  func testAnElementLikeANameEndingIsDetectedAfterNumbersAndBlanks() {
    for element in Self.ofNames {
      assertDetected(element, in: "DAQ", by: ["", " ", ",", "J"])
      for text in Self.texts { assertDetected(element, in: text, by: [" ", ","]) }
    }
    for element in Self.residue {
      for text in ["DAQ", "DCU", "DAE"] {
        assertDetected(element, in: text, by: ["", " ", ",", "J"])
      }
    }
  }

  func testANameLikeAStreetIsReadIfTheAddressHasItsElement() {
    for (id, name) in [("DCS", "ADAGIO DR"), ("DAC", "DAGNY ST")] {
      XCTAssertNil(refusal(card { $0[id] = name }), name)
    }
  }

  func testAnEmptyElementIsDetectedIfItsLettersAreNoWord() {
    for text in Self.texts { assertDetected(("DAZ", ""), in: text, by: [" ", ","]) }
  }

  func testAnElementAfterAnEmptyNumberIsNoNumber() {
    for element in Self.optional where !element.value.isEmpty {
      for version in [1, 10] {
        let bytes = card(version) { card in
          card[element.id] = nil
          card["DAQ"] = element.id + element.value
        }
        XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, "\(version) \(element)")
      }
    }
  }

  func testASocialSecurityNumberNeverLeavesInANumber() {
    for version in 1...11 {
      for number in ["VX0427193", "X1234567", "12345678", "A1B2C", "A123-4567-8901"] {
        for joined in ["DBK078051120", " DBK078-05-1120", ",DBK078051120"] {
          let bytes = card(version) { $0["DAQ"] = number + joined }
          XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, number + joined)
        }
      }
    }
  }

  func testNumbersOfEveryIssuersFormAreRead() {
    for number in [
      "1234567", "D1234567", "DAB123456", "123456789012", "AB123456C", "D123456789012", "K1A2K",
      "123AB4567", "D12345678901234", "09DAB78061", "NHL12345678", "123456789A", "12345678AB",
      "A1234-12345-12345", "123456-789", "MADDE010185001", "BUDDH051187002", "DADSO010185001",
      "MADAP010185001", "WDLABCD456DG", "WDL7DAB92K1B", "WDL1DCK2345Z", "ADAMSJA123B4",
      "MADDBSA123B4", "WOOD*CJ123DA", "VANDAWJ123B4", "D077A41DX9", "WI S530-1234", "DAC 123 456",
    ] {
      for version in 1...11 {
        assertPerson(card(version) { $0["DAQ"] = number }, number: number)
      }
    }
  }

  func testAMissingPartOfAMailingAddressIsDetectedInTheName() {
    for (id, value) in [("DAN", "LOWMERE"), ("DAO", "WA"), ("DAL", "WILLOW")] {
      let bytes = card(1) { card in
        for (other, text) in [("DAL", "9 WILLOW RD"), ("DAN", "LOWMERE"), ("DAO", "WA")]
        where other != id {
          card[other] = text
        }
        card["DAP"] = "98001"
        card["DAA"] = "VANDERBLOOM,MARIGOLD,TESSA" + id + value
      }
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, id)
    }
  }

  func testAMissingMandatoryElementIsDetectedInTheName() {
    for (id, value) in [
      ("DDE", "N"), ("DDF", "T"), ("DDG", "U"), ("DAY", "MAR"), ("DAJ", "WA"), ("DAI", "LOWMERE"),
      ("DAG", "WILLOW"), ("DCA", "C"), ("DAD", "ROSE"), ("DAY", ""),
    ] {
      for text in ["DCS", "DAC"] {
        let bytes = card { card in
          card[id] = nil
          card[text] = (card[text] ?? "") + id + value
        }
        XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, "\(text) \(id)")
      }
    }
  }
}
