import XCTest
import WalletModel

@testable import WalletProofing

/// Deviations of real cards in dates, names and other elements, applied to well-formed ones.
final class LicenceContentTests: LicenceTestCase {
  // MARK: Dates

  func testAWholeNameWithoutCommasNeverContradicts() {
    for (whole, family, given, middle) in [
      ("JUAN DE LA CRUZ", "DE LA CRUZ", "JUAN", nil), ("SMITH JOHN Q", "SMITH", "JOHN", "Q"),
    ] as [(String, String, String, String?)] {
      let bytes = card(1) { card in
        card["DAA"] = whole
        card["DAB"] = family
        card["DAC"] = given
        card["DAD"] = middle
        card["DAE"] = nil
      }
      assertPerson(bytes, family: family, given: given, middle: middle, suffix: nil)
    }
    let newest = card { $0["DAA"] = "VANDERBLOOM MARIGOLD T" }
    assertPerson(newest)
  }

  func testNotApplicableIsAbsent() {
    assertPerson(
      card {
        $0["DAD"] = "N/A"; $0["DCU"] = "N/A"
      }, middle: nil, suffix: nil)
  }

  func testAnAmericanCardThatBeginsWithTheYear() {
    for version in [2, 4, 10] {
      let bytes = card(version) { $0.changeDates { String($0.suffix(4) + $0.prefix(4)) } }
      assertPerson(bytes, [.dateOrder])
    }
  }

  func testACanadianCardThatEndsWithTheYear() {
    for version in [3, 10] {
      let bytes = card(version, canadian: true) {
        $0.changeDates { String($0.suffix(4) + $0.prefix(4)) }
      }
      assertPerson(bytes, [.dateOrder])
    }
    // Its edition prescribes this.
    assertPerson(Card(2, canadian: true).bytes, [])
  }

  func testALetterBehindADate() {
    assertPerson(card { $0.changeDates { $0 + "F" } }, [.dateForm])
  }

  func testAnAbsentIssueDate() {
    for none in ["NONE", "none", "unavl", "unavail", "", "    ", "00000000"] {
      assertPerson(card { $0["DBD"] = none }, [], hasIssue: false)
    }
  }

  func testAnUnusedDateMayHaveAnyForm() {
    assertPerson(card { $0["DDH"] = "1131990" }, [])
    assertPerson(card { $0["DDC"] = "NONE" }, [])
  }

  // MARK: Names

  func testACommaBehindTheSurname() {
    assertPerson(card { $0["DCS"] = "VANDERBLOOM," }, [.nameForm])
  }

  func testTheWholeNameInTheElementOfOnePart() {
    let bytes = card(3) { card in
      card["DCS"] = "VANDERBLOOM, MARIGOLD TESSA"
      card["DCT"] = ""
    }
    assertPerson(bytes, [.nameForm])
    assertPerson(
      card(1) { $0["DAA"] = "VANDERBLOOM, MARIGOLD TESSA" }, [.nameForm], suffix: nil)
  }

  func testAWholeNameWithoutCommasEndsWithTheSurname() {
    assertPerson(
      card(1) { $0["DAA"] = "MARIGOLD TESSA VANDERBLOOM" }, [.nameForm, .nameOrder], suffix: nil)
    assertPerson(
      card(1) { $0["DAA"] = "MARIGOLD VANDERBLOOM" }, [.nameForm, .nameOrder], middle: nil,
      suffix: nil)
  }

  func testABlankForTheCommaBetweenGivenNames() {
    for version in 2...3 {
      assertPerson(card(version) { $0["DCT"] = "MARIGOLD TESSA" }, [.nameForm])
    }
  }

  func testFirstAndMiddleNameInOneElement() {
    let bytes = card(4) { card in
      card["DAC"] = "MARIGOLD TESSA"
      card["DAD"] = "NONE"
    }
    // It is unknown which blank separates first from middle names; the provider's comparison
    // handles that.
    assertPerson(bytes, [], given: "MARIGOLD TESSA", middle: nil)
    let withComma = card(4) { card in
      card["DAC"] = "MARIGOLD,TESSA"
      card["DAD"] = ""
    }
    assertPerson(withComma, [.nameForm])
  }

  func testSeveralMiddleNamesAreOneText() {
    assertPerson(card { $0["DAD"] = "TESSA,ROSE  MAY" }, [], middle: "TESSA ROSE MAY")
  }

  func testNamesThatLookLikeElementsAreNames() {
    for name in [
      "SIDDHARTHA", "SOLEDAD", "WOODCUTTER", "ROADCAP", "GOODCHILD", "TRINIDADE", "HALLADAY",
      "ADAIR", "BUDDENBROOK",
    ] {
      assertPerson(card { $0["DCS"] = name }, [], family: name)
      assertPerson(card { $0["DAC"] = name }, [], given: name)
    }
  }

  // MARK: The rest

  func testHeightsOfEveryForm() {
    for height in ["5'-04\"", "511", "600   ", " 65 IN", "009", "181 cm", ""] {
      assertPerson(card { $0["DAU"] = height }, [])
    }
  }

  func testPostalCodesOfEveryForm() {
    assertPerson(card { $0["DAK"] = "98001      0" }, [.unusualValues])
    assertPerson(card { $0["DAK"] = "98001-0000" }, [])
  }

  func testMandatoryElementsWithoutContent() {
    for id in ["DAU", "DAY", "DAZ", "DCB", "DAK"] {
      for none in ["", "NONE", "unavl"] { assertPerson(card { $0[id] = none }, []) }
    }
  }

  func testMandatoryElementsThatAreMissing() {
    for id in ["DAU", "DAY", "DCF", "DCG", "DAK"] {
      assertPerson(card { $0[id] = nil }, [.mandatoryMissing])
    }
  }

  func testDoubledEmptyAndShortTokens() {
    let bytes = card { card in
      card.elements.append((id: "DAY", value: "BLU"))
      card.elements.append((id: "DAQ", value: "VX0427193"))
      card.elements.append((id: "", value: ""))
      card.elements.append((id: "DA", value: ""))
      card.elements.append((id: "XYZ", value: "1"))
      card.jurisdiction += [(id: "ZWA", value: "again"), (id: "Z", value: ""), (id: "", value: "")]
    }
    assertPerson(bytes, [.repeatedElements, .unknownTokens])
  }

  func testAnEmptyElementIsReplacedByALaterOne() {
    let bytes = card { card in
      card["DCS"] = ""
      card.elements.append((id: "DCS", value: "VANDERBLOOM"))
    }
    assertPerson(bytes, [.repeatedElements])
  }

  func testContradictoryElementsAreDamage() {
    for (id, value) in [
      ("DAQ", "OTHER"), ("DCS", "OTHER"), ("DAC", "OTHER"), ("DBB", "01011990"),
      ("DBA", "01012040"), ("DCG", "CAN"),
    ] {
      let bytes = card { $0.elements.append((id: id, value: value)) }
      XCTAssertNotNil(refusal(bytes), id)
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, id)
    }
  }

  func testAnElementThatContainsAnotherIsDamage() {
    let swallowed = [
      ("DAQ", "VX0427193DDAF", "DDA"), ("DAQ", "VX0427193JDDK1", "DDK"),
      ("DCS", "VANDERBLOOMDDEN", "DDE"), ("DAC", "MARIGOLDDDK1", "DDK"),
      ("DAD", "TESSADCUII", "DCU"), ("DAD", "TESSA DCUJR", "DCU"),
      ("DAD", "TESSADBB06051987", "DBB"),
    ]
    for (id, value, lost) in swallowed {
      let bytes = card { card in
        card[lost] = nil
        card[id] = value
      }
      XCTAssertEqual(refusal(bytes), LicenceRefusal(.needed, .documentDamaged), value)
    }
  }

  func testALastElementThatMayHaveBeenCutIsDamageOrNotNeeded() {
    let cut = card { card in
      card.jurisdiction = []
      card["DAQ"] = nil
      card["DAQ"] = "VX0427193"
    }
    XCTAssertEqual(refusal(cut.dropLast())?.error, .documentDamaged)
    let harmless = card { $0.jurisdiction = [] }
    assertPerson(harmless.dropLast(), [.unterminated, .offsets])
  }

  func testATextThatContainsTheJurisdictionsSubfileIsDamage() {
    for id in ["DCU", "DAQ", "DAD"] {
      for declares in [true, false] {
        let bytes = card { card in
          let value = card[id]
          card[id] = nil
          card[id] = value
          if !declares { card.designator = { index, _, _ in index == 0 ? "00000000" : "lost" } }
        }
        let position = bytes.lastIndex(of: 0x0D).flatMap { bytes[..<$0].lastIndex(of: 0x0D) } ?? 0
        for lost: [UInt8] in [[], [0x20], [0x4A]] {
          let joined = bytes[..<position] + lost + bytes[(position + 1)...]
          XCTAssertEqual(refusal(Array(joined))?.error, .documentDamaged, "\(id) \(lost)")
        }
      }
    }
  }

  func testATextThatContainsAnElementOfFreeTextIsDamage() {
    for (version, id, value) in [
      (10, "DCS", "VANDERBLOOMDBNALIAS"), (10, "DAQ", "VX0427193DBNALIAS"),
      (10, "DCS", "VANDERBLOOMDCUNONE"), (10, "DCU", "IIDCK0042X"), (1, "DAC", "MARIGOLDDADTESSA"),
      (10, "DAQ", "VX0427193DCU"), (2, "DCS", "VANDERBLOOM|DDEN"), (10, "DAD", "TESSADAZBRO"),
      (10, "DCS", "VANDERBLOOMDAQVX0427193"), (10, "DCS", "VANDERBLOOMDCSVANDERBLOOM"),
      (1, "DAC", "MARIGOLDDCSVANDERBLOOM"), (2, "DCT", "MARIGOLD,TESSADADTESSA"),
      (10, "DAC", "MARIGOLDDCT"),
      (10, "DAD", "TESSADAILOWMERE"), (3, "DCT", "MARIGOLDCU,TESSA"),
    ] {
      let bytes = card(version) { card in
        if version == 1 { card["DAA"] = nil }
        if version == 1 { card["DAB"] = "VANDERBLOOM" }
        if value.contains("DCU") { card["DCU"] = nil }
        card[id] = value
      }
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, value)
    }
  }

  func testAFullNameThatContainsItselfIsDamage() {
    let bytes = card(1) { $0["DAA"] = "VANDERBLOOMDAAVANDERBLOOM,MARIGOLD,TESSA,II" }
    XCTAssertEqual(refusal(bytes)?.error, .documentDamaged)
  }

  func testNumbersAndNamesWithLettersOfElementsAreRead() {
    // Some issuers build the number from letters of the name.
    for number in [
      "ADAMSJA123B4", "MADDBSA123B4", "WOOD*CJ123DA", "VANDAWJ123B4", "GADAHAB12345",
    ] {
      assertPerson(card { $0["DAQ"] = number }, [], number: number)
    }
    for version in 2...10 {
      for name in ["MADDEN", "WOODCROFT", "JUDAH", "JORDAN", "HADDIN"] {
        assertPerson(card(version) { $0["DCS"] = name }, [], family: name)
      }
    }
    assertPerson(card { $0["DCS"] = "KAZWZWAI" }, [], family: "KAZWZWAI")
  }
}
