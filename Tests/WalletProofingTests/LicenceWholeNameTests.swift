import WalletModel
import XCTest

@testable import WalletProofing

/// Whole names in one element: a suffix is never taken for a name, and a guess never overrides what
/// another element states.
final class LicenceWholeNameTests: LicenceTestCase {
  private func whole(_ name: String) -> [UInt8] { card(1) { $0["DAA"] = name } }

  func testASuffixBehindANameWithoutCommasIsNoFamilyName() {
    for suffix in ["JR", "SR", "JR.", "II", "III", "IV", "V", "3RD"] {
      assertPerson(whole("MARIGOLD TESSA VANDERBLOOM \(suffix)"), suffix: suffix)
      assertPerson(whole("MARIGOLD VANDERBLOOM \(suffix)"), middle: nil, suffix: suffix)
    }
  }

  func testASuffixIsFoundInEveryOrderOfAWholeName() {
    for name in [
      "VANDERBLOOM,MARIGOLD,TESSA,JR", "VANDERBLOOM, MARIGOLD TESSA JR",
      "VANDERBLOOM,MARIGOLD,TESSA JR", "VANDERBLOOM JR,MARIGOLD,TESSA",
      "VANDERBLOOM,JR,MARIGOLD,TESSA", "VANDERBLOOM JR, MARIGOLD TESSA",
      "VANDERBLOOM JR MARIGOLD TESSA", "MARIGOLD TESSA VANDERBLOOM, JR",
      "VANDERBLOOM,JR,MARIGOLD TESSA",
    ] {
      assertPerson(whole(name), suffix: "JR")
    }
    assertPerson(whole("VANDERBLOOM,MARIGOLD,JR"), middle: nil, suffix: "JR")
    assertPerson(whole("VANDERBLOOM, MARIGOLD, "), middle: nil, suffix: nil)
  }

  func testAProfessionThatIsNoNameEndsAWholeName() {
    for suffix in ["CPA", "DDS", "DVM", "ESQ", "Esq.", "PHD", "Ph.D."] {
      for name in ["MARIGOLD TESSA VANDERBLOOM", "VANDERBLOOM, MARIGOLD TESSA"] {
        assertPerson(whole("\(name) \(suffix)"), suffix: suffix)
      }
      for name in ["VANDERBLOOM,MARIGOLD", "MARIGOLD VANDERBLOOM"] {
        assertPerson(whole("\(name),\(suffix)"), middle: nil, suffix: suffix)
      }
    }
  }

  func testSeveralSuffixesInARowAreFoundInEveryOrderOfAWholeName() {
    for name in [
      "MARIGOLD TESSA VANDERBLOOM JR ESQ", "MARIGOLD TESSA VANDERBLOOM, JR, ESQ",
      "MARIGOLD TESSA VANDERBLOOM JR, ESQ", "VANDERBLOOM JR ESQ MARIGOLD TESSA",
      "VANDERBLOOM, MARIGOLD TESSA JR ESQ", "VANDERBLOOM,MARIGOLD,TESSA,JR,ESQ",
      "VANDERBLOOM,MARIGOLD,TESSA,JR ESQ", "VANDERBLOOM,JR,ESQ,MARIGOLD,TESSA",
      "VANDERBLOOM JR ESQ,MARIGOLD,TESSA",
    ] {
      assertPerson(whole(name), suffix: "JR ESQ")
    }
    assertPerson(whole("MARIGOLD TESSA VANDERBLOOM V ESQ"), suffix: "V ESQ")
    assertPerson(whole("MARIGOLD TESSA VI JR"), family: "VI", suffix: "JR")
    // Suffixes that contradict each other, and a suffix without two names.
    for name in [
      "VANDERBLOOM JR,MARIGOLD,TESSA,III", "VANDERBLOOM JR, MARIGOLD TESSA ESQ",
      "VANDERBLOOM JR MARIGOLD TESSA ESQ", "VANDERBLOOM JR,III,MARIGOLD,TESSA,JR",
      "MARIGOLD ESQ", "MARIGOLD JR ESQ",
    ] {
      XCTAssertEqual(refusal(whole(name))?.error, .documentDamaged, name)
    }
  }

  func testAProfessionThatIsANameTooIsFlagged() throws {
    for word in ["MD", "DO", "RN", "PE", "JD", "M.D."] {
      for name in ["MARIGOLD VANDERBLOOM \(word)", "VANDERBLOOM, MARIGOLD \(word)"] {
        XCTAssertTrue(try evidence(whole(name)).deviations.contains(.nameOrder), name)
      }
      assertPerson(whole("VANDERBLOOM,MARIGOLD,TESSA,\(word)"), suffix: word)
    }
    XCTAssertFalse(
      try evidence(whole("VANDERBLOOM,MD,TESSA")).deviations.contains(.nameOrder))
  }

  func testTheLastPartOfAWholeNameIsASuffixOnlyIfItIsOne() {
    assertPerson(
      whole("GARCIA,MARIA,ELENA,SOFIA"), family: "GARCIA", given: "MARIA", middle: "ELENA SOFIA",
      suffix: nil)
    assertPerson(whole("VANDERBLOOM,MARIGOLD,TESSA,ROSE,JR"), middle: "TESSA ROSE", suffix: "JR")
    for name in [
      "VANDERBLOOM,MARIGOLD,TESSA,1234 FAKE BLVD", "VANDERBLOOM,JR,MARIGOLD,TESSA,III",
    ] {
      XCTAssertEqual(refusal(whole(name))?.error, .documentDamaged, name)
    }
  }

  func testMiddleNamesOfTwoElementsThatContradictEachOtherAreDamage() {
    for name in [
      "VANDERBLOOM,MARIGOLD,TESSA,II", "VANDERBLOOM, MARIGOLD TESSA", "MARIGOLD TESSA VANDERBLOOM",
    ] {
      let bytes = card(1) { card in
        card["DAA"] = name
        card["DAD"] = "AJWA"
      }
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, name)
    }
  }

  func testAnInitialOrANameLikeASuffixStaysAName() {
    assertPerson(whole("VANDERBLOOM,MARIGOLD,V"), middle: "V", suffix: nil)
    assertPerson(whole("VANDERBLOOM,THI,VI"), given: "THI", middle: "VI", suffix: nil)
    assertPerson(whole("NGUYEN,VI"), family: "NGUYEN", given: "VI", middle: nil, suffix: nil)
    assertPerson(whole("MARIGOLD VI"), family: "VI", middle: nil, suffix: nil)
    assertPerson(
      whole("VANDERBLOOM,MD,TESSA"), given: "MD", middle: "TESSA", suffix: nil)
  }

  func testParticlesBelongToTheFamilyName() {
    assertPerson(whole("MARIGOLD DE LA CRUZ"), family: "DE LA CRUZ", middle: nil, suffix: nil)
    assertPerson(whole("MARIGOLD TESSA VAN DER BLOOM JR"), family: "VAN DER BLOOM", suffix: "JR")
  }

  func testAHolderWithASuffixIsProofed() throws {
    let evidence = try evidence(whole("MARIGOLD TESSA VANDERBLOOM JR"))
    XCTAssertEqual(evidence.familyName.disclosed(), "VANDERBLOOM")
    XCTAssertEqual(evidence.nameSuffix?.disclosed(), "JR")
    XCTAssertTrue(evidence.deviations.contains(.nameOrder))
  }

  // MARK: Beside statements

  func testAGuessNeverOverridesAStatedFamilyName() {
    func beside(_ name: String, _ change: (inout Card) -> Void = { _ in }) -> [UInt8] {
      card(4) { card in
        card["DCS"] = "VAN BLOOM"
        card["DAC"] = nil
        card["DAD"] = nil
        card["DAA"] = name
        change(&card)
      }
    }
    for name in ["MARIGOLD TESSA VAN BLOOM", "VAN BLOOM MARIGOLD TESSA"] {
      assertPerson(beside(name), family: "VAN BLOOM")
    }
    assertPerson(
      beside("MARIGOLD TESSA VAN BLOOM JR") { $0["DCU"] = nil }, family: "VAN BLOOM", suffix: "JR")
    // Another person's name, and another's suffix.
    for name in [
      "JOHN DOE", "MARIGOLD TESSA OTHER", "MARIGOLD TESSA VAN BLOOM JR", "OTHER,MARIGOLD",
    ] {
      XCTAssertEqual(refusal(beside(name))?.error, .documentDamaged, name)
    }
  }

  func testAGuessNeverOverridesAStatedFirstName() {
    func beside(_ name: String) -> [UInt8] {
      card(1) { card in
        card["DAC"] = "ANNA MARIA"
        card["DAA"] = name
      }
    }
    assertPerson(
      beside("ANNA MARIA TESSA VANDERBLOOM"), given: "ANNA MARIA", middle: "TESSA", suffix: nil)
    assertPerson(
      beside("VANDERBLOOM ANNA MARIA"), given: "ANNA MARIA", middle: nil, suffix: nil)
    XCTAssertEqual(refusal(beside("TESSA VANDERBLOOM"))?.error, .documentDamaged)
  }

  func testAWholeNameThatContradictsItsPartsIsDamage() {
    for (version, name) in [
      (10, "JOHN DOE"), (10, "MARIGOLD TESSA DOE"), (10, "ROSE TESSA VANDERBLOOM"),
      (10, "VANDERBLOOM,MARIGOLD,TESSA,III"), (3, "MARIGOLD OTHER"),
    ] {
      XCTAssertEqual(
        refusal(card(version) { $0["DAA"] = name })?.error, .documentDamaged, "\(version) \(name)")
    }
    for name in ["MARIGOLD TESSA VANDERBLOOM", "VANDERBLOOM MARIGOLD T", "MARIGOLD VANDERBLOOM II"]
    {
      assertPerson(card { $0["DAA"] = name })
    }
  }

  // MARK: Given names that a separator joined

  func testGivenNamesThatALostSeparatorJoinedAreDamageInEveryVersion() {
    func given(_ version: Int, _ first: String, _ middle: String?) -> [UInt8] {
      card(version) { card in
        card["DAA"] = nil
        card["DCT"] = nil
        card["DAB"] = version == 1 ? "VANDERBLOOM" : nil
        card["DAC"] = nil
        card["DAD"] = nil
        card["DAC"] = first
        card["DAD"] = middle
      }
    }
    for version in 1...11 {
      for (first, middle) in [("SUSAN", "T"), ("MARY", "SMITH"), ("MARY", "NONE")] {
        let lost = losing("\n", before: "DAD", of: given(version, first, middle))
        XCTAssertEqual(refusal(lost)?.error, .documentDamaged, "\(version) \(first)")
      }
      // Names do not end like this, whatever the header says.
      for joined in ["MARYDADSMITH", "MARYDADNONE"] {
        let bytes = given(version, joined, nil)
        XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, "\(version) \(joined)")
      }
    }
  }

  func testGivenNamesAreHeldAgainstTheElementOfAllOfThem() {
    for (text, value, all) in [
      ("DAC", "MARYDADSMITH", "MARY SMITH"), ("DAC", "MARYDAD", "MARY"),
      ("DCS", "VANDERBLOOMDACMARY", "MARY SMITH"), ("DCS", "VANDERBLOOMDADSMITH", "MARY,SMITH"),
    ] {
      for version in [2, 3] {
        let bytes = card(version) { card in
          card["DCT"] = all
          card[text] = value
        }
        XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, "\(version) \(value)")
      }
    }
    // Whoever is called like that is read, because the other element says so too.
    for name in ["TRINIDADE", "SOLEDAD", "CANDACE"] {
      for version in [2, 3] {
        let bytes = card(version) { card in
          card["DCT"] = name
          card["DAC"] = name
        }
        assertPerson(bytes, given: name, middle: nil)
      }
    }
  }

  // MARK: What vanished

  func testMiddleNamesThatVanishedAreDamageOrTakenFromAnotherElement() {
    for version in 4...11 {
      let lost = card(version) { $0["DAD"] = nil }
      XCTAssertEqual(refusal(lost)?.error, .documentDamaged, "\(version)")
      assertPerson(
        card(version) { card in
          card["DAD"] = nil
          card["DAA"] = "VANDERBLOOM,MARIGOLD,TESSA,II"
        }, [.nameForm, .mandatoryMissing])
    }
  }

  func testASuffixThatVanishedIsDamageOrTakenFromAnotherElement() {
    for lost in ["\nDCUII", "\nDCU", "DCU"] {
      let bytes = losing(lost, of: Card(2).bytes)
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, lost.debugDescription)
    }
    let hasOnePart = card(2) { card in
      card["DCU"] = nil
      card.jurisdiction = []
    }
    XCTAssertEqual(refusal(hasOnePart)?.error, .documentDamaged, "nothing confirms its length")
    assertPerson(
      card(10) { card in
        card["DCU"] = nil
        card["DAA"] = "VANDERBLOOM,MARIGOLD,TESSA,II"
      }, [.nameForm])
  }

  /// The place of the jurisdiction's part shows that no byte was lost before it.
  func testACardOf2003WithoutASuffixIsReadIfItsLengthIsThatOfItsHeader() {
    assertPerson(card(2) { $0["DCU"] = nil }, [.mandatoryMissing], suffix: nil)
  }

  func testAFirstNameWithTheLettersOfAnElementIsReadIfTheLengthIsThatOfTheHeader() {
    for version in 2...3 {
      for name in ["TRINIDADE", "MACDADE", "BAGHDADI", "HADDADI"] {
        let bytes = card(version) { card in
          card["DCT"] = nil
          card["DAC"] = name
        }
        assertPerson(bytes, [.mandatoryMissing], given: name, middle: nil)
        // The same text after a lost separator.
        let (first, middle) = (name.prefix(name.count - 4), name.suffix(1))
        let lost = losing(
          "\n", before: "DAD",
          of: card(version) { card in
            card["DCT"] = nil
            card["DAC"] = "\(first)"
            card["DAD"] = "\(middle)"
          })
        XCTAssertEqual(refusal(lost)?.error, .documentDamaged, "\(version) \(name)")
      }
    }
  }

  func testWhatIsNoSuffixIsNone() throws {
    for text in ["1234 FAKE BLVD", "QUEEN", "RN APT"] {
      let bytes = card { $0["DCU"] = text }
      assertPerson(bytes, suffix: nil)
      XCTAssertTrue(try evidence(bytes).deviations.contains(.nameForm), text)
    }
    for text in ["MD", "ESQ", "Jr.", "VIII", "JR ESQ"] {
      assertPerson(card { $0["DCU"] = text }, suffix: text)
    }
  }

  // MARK: Controls around lines

  func testControlsAtBothEndsOfEachLineAreNoLostCharacters() {
    let bytes = replacing(Card(8).bytes) { $0 == 0x0A ? [0x90, 0x0A, 0x90] : [$0] }
    assertPerson(bytes)
    let inUTF8 = replacing(Card(8).bytes) { $0 == 0x0A ? [0xC2, 0x90, 0x0A, 0xC2, 0x90] : [$0] }
    assertPerson(inUTF8)
    // A second one at an end of a line stands for a character that was lost.
    for line in [[UInt8]("VANDERBLOO".utf8) + [0x90], [0x90] + [UInt8]("ANDERBLOOM".utf8)] {
      let lost = Card(8).bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        .map { $0.starts(with: "DCS".utf8) ? Array("DCS".utf8) + line : Array($0) }
        .joined(separator: [0x90, 0x0A, 0x90])
      XCTAssertEqual(refusal(Array(lost))?.error, .documentDamaged)
    }
    // In the place of a character, or on one line alone, it is one that was lost.
    for name in ["VANDER\u{90}LOOM", "\u{90}VANDERBLOOM", "VANDERBLOO\u{90}"] {
      XCTAssertEqual(refusal(card { $0["DCS"] = name })?.error, .documentDamaged, name)
    }
  }
}
