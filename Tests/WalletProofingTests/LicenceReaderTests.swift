import WalletModel
import WalletProtocol
import XCTest

@testable import WalletProofing

/// Reading of well-formed cards, and of what is no card (reference, sections 2.1 and 2.2; V1, V2).
final class LicenceReaderTests: LicenceTestCase {
  func testStory7EveryVersionIsReadWithoutADeviation() throws {
    for version in 1...11 {
      for canadian in [false, true] {
        for kind in ["DL", "ID", "EN"] {
          let card = Card(version, canadian: canadian, kind: kind)
          assertPerson(card.bytes, [])
          let document = try read(card.bytes)
          XCTAssertEqual(document.version, version)
          XCTAssertEqual(document.issuerNumber, canadian ? 636_012 : 636_045)
          XCTAssertEqual(document.kind?.rawValue, kind)
          XCTAssertEqual(
            document.country, version == 1 ? .absent : .value(canadian ? .canada : .unitedStates))
          XCTAssertEqual(document.addressState?.disclosed(), canadian ? "ON" : "WA")
        }
      }
    }
  }

  func testAVersionThatIsNewerThanAllIsReadLikeTheNewest() throws {
    for version in [12, 57, 99] { assertPerson(Card(version).bytes, []) }
  }

  func testCardsOfTheFirstEditionMayGiveTheNameInParts() {
    var card = Card(1)
    card["DAA"] = nil
    for (id, value) in [
      ("DAB", "VANDERBLOOM"), ("DAC", "MARIGOLD"), ("DAD", "TESSA"), ("DAE", "II"),
    ] {
      card[id] = value
    }
    assertPerson(card.bytes, [])
  }

  func testLettersThatChangedTheirMeaningAreReadInTheirEditionOnly() {
    var card = Card(10)
    // Family name and suffix of the first edition.
    for (id, value) in [("DAB", "OTHER"), ("DAE", "SR"), ("DBN", "ALIAS"), ("DBG", "ALIAS")] {
      card[id] = value
    }
    assertPerson(card.bytes, [])
    card["DCU"] = nil
    assertPerson(card.bytes, [], suffix: nil)
  }

  func testCharactersOfISO8859AreRead() {
    var card = Card()
    card["DCS"] = "GRÜNÉWALÐ"
    card["DAC"] = "ZOË"
    assertPerson(card.bytes, [], family: "GRÜNÉWALÐ", given: "ZOË")
  }

  func testOnlyTheDocumentsOwnSubfileIsRead() {
    var card = Card()
    card["DCU"] = nil
    card.jurisdiction = [("ZWA", "1"), ("DCU", "SR"), ("DAQ", "OTHER"), ("DCSOTHER", "")]
    assertPerson(card.bytes, [], suffix: nil)
  }

  func testAJurisdictionsSubfileBeforeTheDocumentsIsPassedOver() {
    let bytes = latin1(
      "@\n\u{1E}\rANSI 636045100102ZW00410012DL00530001ZWZWADCUSR\rDLDAQVX0427193\nDCSVANDERBLOOM\n"
        + "DACMARIGOLD\nDADTESSA\nDCUII\nDBB06051987\nDBD04092023\nDBA06152031\nDCGUSA\r")
    assertPerson(bytes)
  }

  func testV1WhatIsNoLicenceIsAnotherBarcode() {
    for text in [
      "", "@", "@\n\u{1E}\r", "DL Smith Tony", "DL Smith\nTony", "0123456789", "ANSI", "AAMVA",
      "M1VANDERBLOOM/MARIGOLD  E1AB2CD SEAYVRZZ 0042 123Y012A0001 100",
      "https://id.example.org/b#v=1", "@\n\u{1E}\rANSI twelve",
      String(repeating: " ", count: 4000) + "@\n\u{1E}\rANSI",
      String(repeating: "A", count: 70) + "ANSI 6360451001",
    ] {
      XCTAssertEqual(
        refusal(latin1(text)), LicenceRefusal(.header, .documentWrongBarcode), text)
    }
    XCTAssertThrowsError(try read(Card().bytes, .qrCode)) { error in
      XCTAssertEqual(error as? ProofingError, .documentWrongBarcode)
    }
    XCTAssertEqual(
      refusal(Card().bytes + [UInt8](repeating: 0x0D, count: 4096))?.error, .documentWrongBarcode)
  }

  func testV1AHeaderWithoutItsNumbersIsDamage() {
    for text in ["@\n\u{1E}\rANSI 6", "@\n\u{1E}\rANSI 636045", "AAMVA636045DL"] {
      XCTAssertEqual(refusal(latin1(text)), LicenceRefusal(.header, .documentDamaged), text)
    }
  }

  func testV2TheCompactEncodingIsNotRead() {
    let compact: [UInt8] = [0x40, 0x0D, 0x36, 0x36, 0xD7, 0x41, 0xD7, 0x42, 0xB6, 0x20, 0x11]
    XCTAssertEqual(
      refusal(compact), LicenceRefusal(.encoding, .documentUnsupportedFormat))
  }

  func testV4WhatIsOlderThanTheStandardIsNotRead() {
    XCTAssertEqual(refusal(Card(0).bytes)?.error, .documentUnsupportedFormat)
  }

  func testWhatIsNotNeededIsNeverRead() throws {
    let document = try read(Card().bytes)
    var dumped = ""
    dump(document, to: &dumped)
    XCTAssertFalse(dumped.contains("QUILL"))
    XCTAssertEqual("\(document)", "LicenceDocument")
  }
}
