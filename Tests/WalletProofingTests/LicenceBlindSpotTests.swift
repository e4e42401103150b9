import Foundation
import WalletModel
import XCTest

@testable import WalletProofing

/// What the reader cannot see, and what happens then: one table, which the article shows as well.
/// With `WALLET_CORE_WRITE_FLOWS` it is written there.
final class LicenceBlindSpotTests: LicenceTestCase {
  private enum Outcome: String {
    case otherName = "A name is read that is not the holder's. The account's owner is not matched."
    case otherNameInOnePart =
      "Where the header gives the length twice, without contradiction, the licence is refused. Elsewhere a name is read that is not the holder's. The account's owner is not matched."
    case flagged =
      "Family name and given names may be wrong. `name_order` tells the provider that they are a guess."
    case lessName = "The name is read without it."
  }

  private struct BlindSpot {
    let what: String
    let outcome: Outcome
    let version: Int
    let change: (inout Card) -> Void
    /// Family name, given name, middle names and suffix, as they are read.
    let names: [String?]
  }

  private func spot(
    _ what: String, _ outcome: Outcome, _ names: [String?], version: Int = 10,
    _ change: @escaping (inout Card) -> Void
  ) -> BlindSpot {
    BlindSpot(what: what, outcome: outcome, version: version, change: change, names: names)
  }

  /// A family name that swallowed the element behind it.
  private func joined(_ what: String, _ family: String, without id: String = "DDA") -> BlindSpot {
    spot(what, .otherNameInOnePart, [family, "MARIGOLD", "TESSA", "II"]) { card in
      card[id] = nil
      card["DCS"] = family
    }
  }

  private var spots: [BlindSpot] {
    [
      joined(
        "A separator is lost before the compliance letter, behind a vowel (HADDAF for HA).",
        "HADDAF"),
      joined(
        "A separator is lost before restrictions in an issuer's own words (WOODCOCK for WOO).",
        "WOODCOCK"),
      joined(
        "A separator is lost before an optional element that says nothing (JUDAH for JU).", "JUDAH"),
      spot(
        "A separator is lost before an alias on a card of 2000 (LINDBORG for LIN).",
        .otherNameInOnePart, ["LINDBORG", "MARIGOLD", "TESSA", "II"], version: 1
      ) { $0["DAA"] = "LINDBORG,MARIGOLD,TESSA,II" },
      spot(
        "A separator is lost before a mailing address of nothing but a city, on a card of 2000 "
          + "(JORDANLEY for JOR).", .otherNameInOnePart,
        ["JORDANLEY", "MARIGOLD", "TESSA", "II"], version: 1
      ) { $0["DAA"] = "JORDANLEY,MARIGOLD,TESSA,II" },
      joined(
        "A separator is lost before a form of address in an unusual word (LINDAFSIR for LIN).",
        "LINDAFSIR", without: "DAF"),
      joined(
        "A separator is lost before a line of an address in an unusual word (LINDAHNOOK for LIN).",
        "LINDAHNOOK", without: "DAH"),
      spot(
        "A separator is lost before an empty element of middle names, on a card of 2000 to 2008 "
          + "that states the given names once (SUSANDAD for SUSAN).", .otherNameInOnePart,
        ["VANDERBLOOM", "SUSANDAD", nil, "II"], version: 3
      ) { card in
        card["DCT"] = nil
        card["DAC"] = "SUSANDAD"
      },
      spot(
        "A separator is lost before a middle name and another byte is added, on a card of 2000 to "
          + "2008 that states the given names once and has a part of the jurisdiction (TRINIDADE "
          + "for TRINI).", .otherName, ["VANDERBLOOM", "TRINIDADE", nil, "II"], version: 3
      ) { card in
        card["DCT"] = nil
        card["DAC"] = "TRINIDADE"
      },
      spot(
        "A letter before the suffix is changed, so that it stands in another element.", .lessName,
        ["VANDERBLOOM", "MARIGOLD", "TESSA", nil], version: 2
      ) { card in
        card["DCU"] = nil
        card["DCM"] = "II"
      },
      spot(
        "A separator is lost between an address and an optional element of the name behind it.",
        .lessName, ["VANDERBLOOM", "MARIGOLD", "TESSA", nil]
      ) { card in
        card["DCU"] = nil
        card["DAG"] = "12 QUILL LNDCUII"
      },
      spot(
        "A whole name without commas ends in a family name of two words.", .flagged,
        ["LOPEZ", "MARIGOLD", "GARCIA", nil], version: 1
      ) { $0["DAA"] = "MARIGOLD GARCIA LOPEZ" },
      spot(
        "A whole name without commas begins with the family name.", .flagged,
        ["MARIGOLD", "VANDERBLOOM", nil, nil], version: 1
      ) { $0["DAA"] = "VANDERBLOOM MARIGOLD" },
      spot(
        "A whole name without commas ends in a profession that is a name or a particle too: DO, JD, "
          + "MD, PE or RN.", .flagged, ["MD", "MARIGOLD", "VANDERBLOOM", nil], version: 1
      ) { $0["DAA"] = "MARIGOLD VANDERBLOOM MD" },
      spot(
        "A whole name with commas ends in such a profession, behind the first name or the middle "
          + "names.", .flagged, ["VANDERBLOOM", "MARIGOLD", "TESSA MD", nil], version: 1
      ) { $0["DAA"] = "VANDERBLOOM, MARIGOLD TESSA MD" },
    ]
  }

  func testALengthThatIsOneByteShortTellsOfALostSeparator() {
    func declaring(_ lost: Int, _ change: (inout Card) -> Void, version: Int) -> [UInt8] {
      card(version) { card in
        change(&card)
        card.designator = { index, offset, length in
          let declared = index == 0 ? (offset, length + lost) : (offset + lost, length)
          return String(format: "%04d%04d", declared.0, declared.1)
        }
      }
    }
    for spot in spots where spot.outcome == .otherNameInOnePart {
      let bytes = declaring(1, spot.change, version: spot.version)
      XCTAssertEqual(refusal(bytes)?.error, .documentDamaged, spot.what)
      // Any other difference is that of an issuer or a scanner.
      for other in [0, 2, 3, -1] {
        let bytes = declaring(other, spot.change, version: spot.version)
        XCTAssertNil(refusal(bytes), "\(other): \(spot.what)")
      }
    }
    // An issuer or a scanner may count in the bytes of another encoding.
    let inUTF8 = declaring(
      1,
      { card in
        card["DCS"] = "JUDAH"
        card["DAI"] = "QU\u{C9}BEC"
      }, version: 10)
    XCTAssertEqual(refusal(inUTF8)?.error, .documentDamaged)
    XCTAssertNil(refusal(replacing(inUTF8) { $0 == 0xC9 ? [0xC3, 0x89] : [$0] }))
    // Without the letters of an element no name was joined.
    for version in 1...11 { XCTAssertNil(refusal(declaring(1, { _ in }, version: version))) }
  }

  func testWhatTheReaderCannotSeeEndsAsTheTableSays() throws {
    for spot in spots {
      let bytes = card(spot.version, spot.change)
      let document = try read(bytes)
      let names = [
        document.familyName, document.givenName, document.middleNames, document.suffix,
      ]
      XCTAssertEqual(names.map { $0?.disclosed() }, spot.names, spot.what)
      XCTAssertEqual(
        try evidence(bytes).deviations.contains(.nameOrder), spot.outcome == .flagged,
        spot.what)
    }
  }

  func testTheTableOfTheArticleIsThisOne() throws {
    let article = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/wallet_core/wallet_core.docc/proofing.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let begin = try XCTUnwrap(
      text.range(of: "<!-- blind spots: from their test, by `make flows` -->\n"))
    let end = try XCTUnwrap(text.range(of: "<!-- end of blind spots -->"))
    let rows = spots.map { "| \($0.what) | \($0.outcome.rawValue) |\n" }
    let table = "\n| what is on the card | what happens |\n|---|---|\n" + rows.joined() + "\n"
    if ProcessInfo.processInfo.environment["WALLET_CORE_WRITE_FLOWS"] != nil {
      let written = text.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
      try written.write(to: article, atomically: true, encoding: .utf8)
      return
    }
    XCTAssertEqual(String(text[begin.upperBound..<end.lowerBound]), table, "run `make flows`")
  }
}
