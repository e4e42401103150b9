import XCTest
import WalletModel

@testable import WalletProofing

/// Deviations of real cards in header and bytes, applied to well-formed ones.
final class LicenceDeviationTests: LicenceTestCase {
  // MARK: The header

  func testAnotherFileType() {
    for version in [1, 2, 4] {
      for type in ["AAMVA", "ANSI", "AAMVA ", "ANSI  "] {
        assertPerson(card(version) { $0.fileType = type }, [.fileType])
      }
    }
  }

  func testAFieldSeparatorForTheRecordSeparator() {
    for version in 1...10 {
      assertPerson(card(version) { $0.start[2] = 0x1C }, [.headerControls])
    }
  }

  func testALostOrChangedCompliancePart() {
    let starts = ["@\n\r", "@a\n", "@\n6", "@", "", "@\n\u{1E}\n", "@\r\n\u{1E}\r\n"]
    for start in starts {
      for version in [1, 3, 10] {
        assertPerson(card(version) { $0.start = latin1(start) }, [.headerControls])
      }
    }
  }

  func testTheFirstEditionsHeaderUnderALaterVersion() {
    for version in [2, 3, 5, 10] {
      assertPerson(card(version) { $0.hasJurisdictionVersion = false }, [.headerShape])
    }
  }

  func testALaterHeaderUnderTheFirstVersion() {
    assertPerson(card(1) { $0.hasJurisdictionVersion = true }, [.headerShape])
  }

  func testAnIssuerNumberOfFiveDigitsWithoutEntriesAndWithDatesInParts() {
    let bytes = card(1) { card in
      card.fileType = "AAMVA"
      card.issuerDigits = "36004"
      card.hasEntries = false
      card["DAA"] = nil
      for (id, value) in [("DAB", "VANDERBLOOM"), ("DAC", "MARIGOLD"), ("DAD", "TESSA")] {
        card[id] = value
      }
      card["DAE"] = "II"
      card["DAL"] = "12 QUILL LN"
      card.changeDates { date in
        let year = date.prefix(4)
        return "\(date.dropFirst(4).prefix(2))-\(date.suffix(2))-\(year)"
      }
    }
    assertPerson(bytes, [.fileType, .issuerNumberShort, .headerShape, .dateForm, .dateOrder])
    XCTAssertEqual(try read(bytes).issuerNumber, 636_004)
  }

  func testDeclaredOffsetsAreNeverUsed() {
    let declared: [(Int, Int, Int) -> String] = [
      { _, _, _ in "00000000" }, { _, _, _ in "99999999" },
      { index, offset, length in index == 0 ? Self.digits(offset + 1, length) : "01000010" },
      { index, offset, length in
        index == 0 ? Self.digits(offset, length) : Self.digits(offset - 3, length)
      },
      { index, offset, length in index == 0 ? Self.digits(offset, length + 8) : "06020008" },
      { _, offset, _ in Self.digits(offset, 0) },
    ]
    for version in 1...10 {
      for designator in declared {
        assertPerson(card(version) { $0.designator = designator }, [.offsets])
      }
    }
  }

  func testALengthThatLeavesOutLettersOrTerminatorIsAnOldOne() {
    for missing in 1...3 {
      let bytes = card(1) { card in
        card.designator = { _, offset, length in Self.digits(offset, length - missing) }
      }
      assertPerson(bytes, missing < 3 ? [] : nil)
    }
  }

  private static func digits(_ offset: Int, _ length: Int) -> String {
    let both = [offset, length].map { String(String($0 + 10_000).suffix(4)) }
    return both.joined()
  }

  func testAnOffsetOfLettersWithoutALength() {
    let bytes = card(3, canadian: true) { card in
      card.issuerDigits = "990876"
      card.jurisdiction = []
      card.designator = { _, _, _ in "abac" }
      card["DCB"] = nil
    }
    assertPerson(
      bytes,
      [.issuerNumberUnassigned, .designators, .mandatoryMissing])
  }

  func testAnOffsetAndALengthOfLetters() {
    for hasLetters in [true, false] {
      let bytes = card(3, canadian: true) { card in
        card.issuerDigits = "990876"
        card.jurisdiction = []
        card.hasLetters = hasLetters
        card.designator = { _, _, _ in "abacDLDC" }
        card["DCB"] = nil
      }
      assertPerson(
        bytes,
        hasLetters
          ? [.issuerNumberUnassigned, .designators, .mandatoryMissing]
          : [.issuerNumberUnassigned, .designators, .mandatoryMissing, .subfileLetters])
    }
    // The body itself begins with these letters.
    let body = card(3, canadian: true) { card in
      card.jurisdiction = []
      card.designator = { _, _, _ in "abac" }
      card.elements.removeAll { $0.id == "DCA" }
      card.elements.insert(("DCA", "5"), at: 0)
    }
    assertPerson(body, [.designators])
  }

  func testBlanksBeforeAndBehindALine() {
    assertPerson(replacing(Card().bytes) { $0 == 0x0A ? [$0, 0x20] : [$0] })
    assertPerson(replacing(Card().bytes) { $0 == 0x0A ? [0x20, $0, 0x20, 0x20] : [$0] })
  }

  func testAnOffsetOfLettersBeforeABodyWithoutLetters() {
    let bytes = card { card in
      card.jurisdiction = []
      card.hasLetters = false
      card.designator = { _, _, _ in "abac" }
    }
    assertPerson(bytes, [.designators, .subfileLetters])
  }

  func testASubfileWithoutItsLetters() {
    for version in [1, 4, 10] {
      let bytes = card(version) { $0.hasLetters = false }
      assertPerson(bytes, [.subfileLetters, .offsets])
    }
  }

  func testAHeaderWithoutDesignators() {
    let bytes = card { card in
      card.jurisdiction = []
      card.designator = { _, _, _ in "" }
    }
    assertPerson(bytes, [.designators])
  }

  // MARK: The bytes

  func testLineFeedsForCarriageReturns() {
    let bytes = Card().bytes.map { $0 == 0x0D ? 0x0A : $0 }
    assertPerson(bytes, [.headerControls, .offsets])
  }

  func testBothSeparatorsForEach() {
    for version in [1, 2, 10] {
      let bytes = replacing(Card(version).bytes) { $0 == 0x0A || $0 == 0x0D ? [0x0D, 0x0A] : [$0] }
      assertPerson(bytes)
    }
  }

  func testDoubledCarriageReturnsBeforeLineFeeds() {
    let bytes = replacing(Card().bytes) { $0 == 0x0A ? [0x0D, 0x0D, 0x0A] : [$0] }
    assertPerson(bytes)
  }

  func testABarForEverySeparator() {
    for version in [1, 3, 10] {
      let bytes = Card(version).bytes.map { $0 == 0x0A || $0 == 0x0D ? UInt8(ascii: "|") : $0 }
      assertPerson(bytes, [.headerControls, .offsets, .separators])
    }
  }

  func testACardWithoutAnyControlCharacterIsDamaged() {
    for version in 1...10 {
      let bytes = Card(version).bytes.filter { $0 >= 0x20 }
      XCTAssertEqual(refusal(bytes), LicenceRefusal(.needed, .documentDamaged))
    }
  }

  func testAControlCharacterOfISO8859BehindEveryElement() {
    for stray: [UInt8] in [[0xC2, 0x90], [0x90]] {
      let bytes = replacing(Card().bytes) { $0 == 0x0A ? stray + [$0] : [$0] }
      let document = try? read(bytes)
      assertPerson(bytes)
      XCTAssertEqual(document?.deviations.contains(.strayControls), true)
    }
  }

  func testStrayControlsBesideLettersOfISO8859() {
    var card = Card()
    card["DCS"] = "GRÜNEWALD"
    for stray: [UInt8] in [[0xC2, 0x90], [0x90]] {
      let bytes = replacing(card.bytes) { $0 == 0x0A ? stray + [$0] : [$0] }
      assertPerson(bytes, family: "GRÜNEWALD")
    }
  }

  func testTextConvertedToUTF8ByATextInterface() {
    var card = Card()
    card["DCS"] = "GRÜNÉWALÐ"
    let bytes = replacing(card.bytes) { Array(String(UnicodeScalar($0)).utf8) }
    assertPerson(bytes, [.transcoded], family: "GRÜNÉWALÐ")
  }

  func testTextInUTF8IsReadWhateverElseItContains() {
    for other in ["O\u{2019}QUILL", "\u{141}", "\u{1F600}", "\u{153}"] {
      var card = Card()
      card["DCS"] = "BEAUPRÉ"
      card["DAG"] = "12 ?"
      var bytes: [UInt8] = []
      for byte in card.bytes {
        bytes +=
          byte == UInt8(ascii: "?") ? Array(other.utf8) : Array(String(UnicodeScalar(byte)).utf8)
      }
      assertPerson(bytes, family: "BEAUPRÉ")
      // In a name it is damage, since no card can contain it.
      card["DAG"] = "12 QUILL LN"
      card["DAC"] = "MARI?GOLD"
      bytes = []
      for byte in card.bytes {
        bytes +=
          byte == UInt8(ascii: "?") ? Array(other.utf8) : Array(String(UnicodeScalar(byte)).utf8)
      }
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, other)
    }
  }

  func testANameInTwoEncodingsIsDamage() {
    // The street shows that the text is ISO 8859-1, but the name is in UTF-8.
    for name: [UInt8] in [[0xC3, 0xA9], [0xC3, 0xAA], [0xC3, 0xBA], [0xC2, 0xAA]] {
      let bytes = card { card in
        card["DAG"] = "12 QUÏLL LN"
        card["DCS"] = "BEAUPR?"
      }
      XCTAssertEqual(
        refusal(replacing(bytes) { $0 == UInt8(ascii: "?") ? name : [$0] })?.error,
        .documentDamaged)
    }
  }

  func testALetterOfAnotherEncodingInANameIsDamage() {
    for byte: UInt8 in [0x80, 0x8A, 0x8C, 0x8E, 0x90, 0x9A, 0x9F] {
      for name in ["?IMEK", "IM?EK", "IME?"] {
        let bytes = replacing(card { $0["DCS"] = name }) {
          $0 == UInt8(ascii: "?") ? [byte] : [$0]
        }
        XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, "\(name) \(byte)")
      }
      let street = replacing(card { $0["DAG"] = "12 ? LN" }) {
        $0 == UInt8(ascii: "?") ? [byte] : [$0]
      }
      assertPerson(street, [.strayControls])
    }
  }

  func testACharacterThatATextInterfaceLostIsDamage() {
    var card = Card()
    card["DCS"] = "GR?NEWALD"
    let bytes = replacing(card.bytes) { $0 == UInt8(ascii: "?") ? [0xEF, 0xBF, 0xBD] : [$0] }
    XCTAssertEqual(refusal(bytes), LicenceRefusal(.needed, .documentDamaged))
  }

  func testAMarkOrBlanksBeforeTheCard() {
    for leading: [UInt8] in [[0xEF, 0xBB, 0xBF], [0x20, 0x20], [0x0D, 0x0A], [0x00]] {
      assertPerson(leading + Card().bytes, [.leadingBytes])
    }
    assertPerson([0xEF, 0xBB, 0xBF, 0x20] + Card().bytes, [.leadingBytes])
  }

  func testRawCodewordsBehindTheCard() {
    let codewords = latin1(#"\928\111\100\123"#)
    assertPerson(Card().bytes + codewords, [.trailingBytes])
    assertPerson(card { $0.jurisdiction = [] } + codewords, [.trailingBytes])
    // Not all of them are codewords, but none is an element.
    assertPerson(card { $0.jurisdiction = [] } + codewords + [0x0D], [.unknownTokens])
  }

  func testASummaryInPlaceOfTheBytesIsNoLicence() {
    XCTAssertEqual(refusal(latin1("DL Smith Tony"))?.error, .documentWrongBarcode)
  }
}
