import WalletModel
import WalletProtocol
import XCTest

@testable import WalletProofing

/// Reading of well-formed cards, and of other barcodes (rules `header` and `encoding`).
final class LicenceReaderTests: LicenceTestCase {
  func testEveryVersionIsReadWithoutADeviation() throws {
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

  func testAnUnknownVersionIsReadLikeTheNewest() throws {
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

  func testAJurisdictionsSubfileBeforeTheDocumentsIsSkipped() {
    let bytes = latin1(
      "@\n\u{1E}\rANSI 636045100102ZW00410012DL00530001ZWZWADCUSR\rDLDAQVX0427193\nDCSVANDERBLOOM\n"
        + "DACMARIGOLD\nDADTESSA\nDCUII\nDBB06051987\nDBD04092023\nDBA06152031\nDCGUSA\r")
    assertPerson(bytes)
  }

  func testNothingAfterTheJurisdictionsSubfileBelongsToTheDocument() {
    for (id, value) in [("DAQ", "Z123"), ("DAD", "ZMID"), ("DCU", "SR")] {
      for letters in ["DL", "ID", ""] {
        for separator: [UInt8] in [[0x0A], [0x0D], [0x0D, 0x0A]] {
          let bytes =
            card { card in
              card[id] = nil
              card["DDG"] = "N"
            } + latin1(letters + id + value) + separator
          switch id {
          // The edition demands both.
          case "DAQ", "DAD": XCTAssertEqual(refusal(bytes)?.error, .documentDamaged)
          default: assertPerson(bytes, suffix: nil)
          }
        }
      }
    }
  }

  /// Returns a card whose header declares one kind, and whose subfile begins with the letters of
  /// another.
  private func bytes(_ declared: String, _ written: String) -> [UInt8] {
    var bytes = Card(10, kind: declared).bytes
    let body = latin1(declared + "DAQ")
    let position = bytes.indices.first { bytes[$0...].starts(with: body) } ?? 0
    bytes.replaceSubrange(position..<position + 2, with: latin1(written))
    return bytes
  }

  func testAnEnhancedLicenceMayBeCalledALicenceToo() throws {
    for (declared, written) in [("EN", "DL"), ("DL", "EN")] {
      let read = try evidence(
        bytes(declared, written), policy: ProofingPolicy(kinds: [.licence]))
      XCTAssertEqual(read.documentKind, .licence)
    }
  }

  func testHeaderAndBodyOfDifferentKindsAreDamage() {
    let policies = [[.licence], [.identityCard], [.enhancedLicence], Set(LicenceKind.allCases)].map
    {
      ProofingPolicy(kinds: $0)
    }
    for (declared, written) in [
      ("DL", "ID"), ("ID", "DL"), ("EN", "ID"), ("ID", "EN"), ("DL", "DLID"), ("ID", "DLID"),
    ] {
      let bytes = self.bytes(declared, written)
      for policy in policies {
        XCTAssertEqual(
          refusal(bytes, policy: policy), LicenceRefusal(.needed, .documentDamaged),
          "\(declared) \(written)")
      }
    }
    // A subfile of another kind after the first.
    let twice = card { $0.jurisdiction = [] } + latin1("IDDAQVX0427193\n")
    XCTAssertEqual(refusal(twice)?.error, .documentDamaged)
    let same = card { $0.jurisdiction = [] } + latin1("DLDAQVX0427193\n")
    assertPerson(same)
  }

  func testElementsFarBehindAreRead() {
    let card = card { $0.jurisdiction = [] }
    for filler in ["\n", "\r\n", "X\n", " \n"] {
      let far = card + latin1(String(repeating: filler, count: 1200))
      XCTAssertNil(refusal(far))
      for other in ["DLDAQOTHER123\nDCSOTHER\r", "DBB01011990\n"] {
        XCTAssertEqual(refusal(far + latin1(other))?.error, .documentDamaged, other)
      }
    }
  }

  func testElementsOfTheEditionOf2025AreKnownAndIgnored() {
    for version in 10...12 {
      for value in ["1", "", "NONE"] {
        let bytes = card(version) { card in
          for id in ["DDM", "DDN", "DDO", "DDP"] { card[id] = value }
        }
        assertPerson(bytes, [])
      }
    }
  }

  func testANonLicenceIsAnotherBarcode() {
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
    // The delimiters alone do not make the compact encoding.
    for bytes: [UInt8] in [[0x4D, 0x31, 0xD7, 0x20, 0xB6], [0xD7, 0xB6], [0xB6, 0x40, 0xD7]] {
      XCTAssertEqual(refusal(bytes), LicenceRefusal(.header, .documentWrongBarcode))
    }
    XCTAssertThrowsError(try read(Card().bytes, .qrCode)) { error in
      XCTAssertEqual(error as? ProofingError, .documentWrongBarcode)
    }
    XCTAssertEqual(
      refusal(Card().bytes + [UInt8](repeating: 0x0D, count: 4096))?.error, .documentWrongBarcode)
  }

  func testAHeaderWithoutItsNumbersIsDamage() {
    for text in ["@\n\u{1E}\rANSI 6", "@\n\u{1E}\rANSI 636045", "AAMVA636045DL"] {
      XCTAssertEqual(refusal(latin1(text)), LicenceRefusal(.header, .documentDamaged), text)
    }
  }

  /// Otherwise another element, changed into one of a number, would be taken for it.
  func testTheNumberBehindADamagedDesignatorIsRead() {
    for version in [1, 2, 10] {
      let regular = Card(version).bytes
      let place = regular.indices.first { regular[$0...].starts(with: "ZW".utf8) } ?? 0
      for index in place..<place + 10 {
        for damage: [UInt8] in [[], [0x20], [0xEF], [regular[index], 0x73]] {
          var bytes = regular
          bytes.replaceSubrange(index...index, with: damage)
          assertPerson(bytes)
        }
      }
    }
  }

  func testTheCompactEncodingIsNotRead() {
    let compact: [UInt8] = [0x40, 0x0D, 0x36, 0x36, 0xD7, 0x41, 0xD7, 0x42, 0xB6, 0x20, 0x11]
    XCTAssertEqual(
      refusal(compact), LicenceRefusal(.encoding, .documentUnsupportedFormat))
  }

  func testAVersionBeforeTheStandardIsNotRead() {
    XCTAssertEqual(refusal(Card(0).bytes)?.error, .documentUnsupportedFormat)
  }

  func testUnneededElementsAreNeverKept() throws {
    let document = try read(Card().bytes)
    var dumped = ""
    dump(document, to: &dumped)
    XCTAssertFalse(dumped.contains("QUILL"))
    XCTAssertEqual("\(document)", "LicenceDocument")
  }
}
