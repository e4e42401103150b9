import WalletModel
import XCTest

@testable import WalletProofing

/// The known deviations of real cards, row by row: the deviation, the cards that have it, and the
/// expected result.
final class LicenceDeviationTableTests: LicenceTestCase {
  private enum Expectation {
    /// Read and accepted, with these deviations.
    case read(Set<LicenceDeviation>)
    /// Read and accepted, with another split of the name.
    case readAs(given: String, middle: String?, Set<LicenceDeviation>)
    case refused(ProofingError)
  }

  private typealias Row = (name: String, cards: [(bytes: [UInt8], expected: Expectation)])

  private func cards(
    _ versions: [Int], canadian: Bool = false, _ expected: Expectation,
    _ change: (inout Card) -> Void
  )
    -> [(bytes: [UInt8], expected: Expectation)]
  {
    versions.map { (card($0, canadian: canadian, change), expected) }
  }

  private func written(
    _ versions: [Int], _ expected: Expectation, _ change: ([UInt8]) -> [UInt8]
  ) -> [(bytes: [UInt8], expected: Expectation)] {
    versions.map { (change(Card($0).bytes), expected) }
  }

  private func both(_ bytes: [UInt8], at line: [UInt8]) -> [UInt8] {
    replacing(bytes) { $0 == 0x0A || $0 == 0x0D ? line : [$0] }
  }

  /// Moves the last four digits of each date to its beginning.
  private func exchange(_ card: inout Card) {
    card.changeDates { String($0.suffix(4) + $0.prefix(4)) }
  }

  private static let all = Array(1...11)

  private var headerRows: [Row] {
    [
      (
        "file type AAMVA, or ANSI without its blank",
        cards(Self.all, .read([.fileType])) { $0.fileType = "AAMVA" }
          + cards([1, 2], .read([.fileType])) { $0.fileType = "ANSI" }
      ),
      (
        "field separator for record separator",
        cards(Self.all, .read([.headerControls])) { $0.start[2] = 0x1C }
      ),
      (
        "a header of the first edition under a later version, and the reverse",
        cards([2, 3, 5], .read([.headerShape])) { $0.hasJurisdictionVersion = false }
          + cards([1], .read([.headerShape])) { $0.hasJurisdictionVersion = true }
      ),
      (
        "an issuer number of five digits, no entries, dates in parts, a name in parts",
        cards([1], .read([.fileType, .issuerNumberShort, .headerShape, .dateForm, .dateOrder])) {
          $0.fileType = "AAMVA"
          $0.issuerDigits = "36004"
          $0.hasEntries = false
          $0["DAA"] = nil
          for (id, value) in [
            ("DAB", "VANDERBLOOM"), ("DAC", "MARIGOLD"), ("DAD", "TESSA"), ("DAE", "II"),
          ] {
            $0[id] = value
          }
          $0.changeDates { "\($0.dropFirst(4).prefix(2))-\($0.suffix(2))-\($0.prefix(4))" }
        }
      ),
      (
        "offset 0000",
        cards(Self.all, canadian: true, .read([.offsets])) {
          $0.designator = { _, _, length in "0000" + Self.padded(length) }
        }
      ),
      (
        "offset of letters, an unassigned issuer number, missing elements",
        cards(
          [3], canadian: true, .read([.designators, .issuerNumberUnassigned, .mandatoryMissing])
        ) {
          $0.issuerDigits = "990876"
          $0.jurisdiction = []
          $0.designator = { _, _, _ in "abac" }
          $0["DCB"] = nil
        }
      ),
      (
        "first offset too large by one",
        cards([1], .read([.offsets])) {
          $0.designator = { index, offset, length in
            Self.padded(index == 0 ? offset + 1 : offset) + Self.padded(length)
          }
        }
      ),
      (
        "second offset or length wrong",
        cards(Self.all, .read([.offsets])) {
          $0.designator = { index, offset, length in
            (index == 1 ? "0602" : Self.padded(offset)) + Self.padded(length)
          }
        }
          + cards([10], .read([.offsets])) {
            $0.designator = { index, offset, length in
              Self.padded(index == 1 ? offset - 3 : offset) + Self.padded(length)
            }
          }
      ),
      (
        "a subfile without its letters",
        cards([1, 4], .read([.subfileLetters, .offsets])) { $0.hasLetters = false }
      ),
    ]
  }

  private var byteRows: [Row] {
    let codewords = latin1(#"\928\111\100"#)
    return [
      (
        "record separator lost",
        cards(Self.all, .read([.headerControls])) { $0.start = [0x40, 0x0A, 0x0D] }
      ),
      (
        "line feeds for carriage returns",
        written([2, 10], .read([.headerControls, .offsets])) { self.both($0, at: [0x0A]) }
      ),
      (
        "both for each",
        written([2, 10], .read([.headerControls, .offsets])) { self.both($0, at: [0x0D, 0x0A]) }
      ),
      (
        "all controls lost",
        written(Self.all, .refused(.documentDamaged)) { $0.filter { $0 >= 0x20 } }
      ),
      (
        "another beginning of the header",
        cards([4], .read([.headerControls])) { $0.start = latin1("@a\n") }
          + cards([4], .read([.headerControls])) { $0.start = latin1("@\n6") }
      ),
      (
        "a control of ISO 8859 behind every element",
        written([10], .read([.transcoded, .strayControls])) {
          self.replacing($0) { $0 == 0x0A ? [0xC2, 0x90, 0x0A] : [$0] }
        }
      ),
      (
        "a bar as separator",
        written(Self.all, .read([.headerControls, .offsets, .separators])) {
          self.both($0, at: [0x7C])
        }
      ),
      (
        "a mark or blanks before the header, codewords or returns behind the text",
        written([10], .read([.leadingBytes])) { [0xEF, 0xBB, 0xBF, 0x20] + $0 }
          + written([10], .read([.trailingBytes])) { $0 + codewords }
          + written([10], .read([.headerControls, .offsets])) {
            self.both($0, at: [0x0D, 0x0D, 0x0A])
          }
      ),
      (
        "a summary in place of the bytes",
        [(latin1("DL Smith Tony"), .refused(.documentWrongBarcode))]
      ),
    ]
  }

  private var contentRows: [Row] {
    [
      (
        "an American card that begins dates with the year",
        cards([2, 4], .read([.dateOrder]), exchange)
      ),
      (
        "a Canadian card that ends dates with the year",
        [(Card(2, canadian: true).bytes, .read([]))]
          + cards([3, 10], canadian: true, .read([.dateOrder]), exchange)
      ),
      (
        "a letter behind a date, no date, a date of zeros, a date of seven digits",
        cards([10], .read([.dateForm])) { $0.changeDates { $0 + "A" } }
          + cards([10], .read([])) {
            $0["DDC"] = "NONE"
            $0["DDI"] = "00000000"
            $0["DDH"] = "1131990"
          }
      ),
      (
        "a comma behind the surname",
        cards([4, 10], .read([.nameForm])) { $0["DCS"] = "VANDERBLOOM," }
      ),
      (
        "last, first and middle in one element",
        cards([3], .read([.nameForm])) {
          $0["DCS"] = "VANDERBLOOM, MARIGOLD TESSA"
          $0["DCT"] = "NONE"
        }
      ),
      (
        "first, middle and last without commas",
        cards([1], .read([.nameForm, .nameOrder])) {
          $0["DAA"] = "MARIGOLD TESSA VANDERBLOOM"
          $0["DAE"] = "II"
        }
      ),
      (
        "a blank for the comma between given names",
        cards([2, 3], .read([.nameForm])) { $0["DCT"] = "MARIGOLD TESSA" }
      ),
      (
        "first and middle name in the element of the first",
        cards([4], .readAs(given: "MARIGOLD TESSA", middle: nil, [])) {
          $0["DAC"] = "MARIGOLD TESSA"
          $0["DAD"] = "NONE"
        }
      ),
      (
        "heights",
        ["5'-04\"", "511", "600   ", " 65 IN", "009"].flatMap { height in
          cards([1, 3, 10], .read([])) { $0["DAU"] = height }
        }
      ),
      (
        "postal codes",
        cards([10], .read([.unusualValues])) { $0["DAK"] = "98001      0" }
          + cards([10], .read([])) { $0["DAK"] = "98001-0000" }
      ),
      (
        "mandatory elements that say nothing",
        ["DAU", "DAY", "DAZ"].flatMap { id in
          ["", "NONE"].flatMap { none in cards([4, 10], .read([])) { $0[id] = none } }
        }
      ),
      (
        "doubled or missing elements of the jurisdiction, empty ones and short tokens",
        cards([10], .read([])) { $0.jurisdiction += [("ZWA", "again"), ("Z", ""), ("", "")] }
          + cards([10], .read([.unknownTokens])) { $0.elements += [("", ""), ("DA", "")] }
          + cards([10], .read([])) { $0.jurisdiction = [] }
      ),
    ]
  }

  private static func padded(_ number: Int) -> String { String(String(number + 10_000).suffix(4)) }

  func testEveryRowOfTheTableIsReadOrRefusedAsExpected() {
    let rows = headerRows + byteRows + contentRows
    XCTAssertEqual(Set(rows.map(\.name)).count, rows.count)
    var cards = 0
    for row in rows {
      for (index, (bytes, expected)) in row.cards.enumerated() {
        cards += 1
        let failures = testRun?.failureCount
        check(bytes, expected)
        if testRun?.failureCount != failures { print("failed above: \(row.name), card \(index)") }
      }
    }
    print("deviations: \(rows.count) rows, \(cards) cards")
  }

  private func check(_ bytes: [UInt8], _ expected: Expectation) {
    switch expected {
    case .read(let deviations): assertPerson(bytes, deviations)
    case .readAs(let given, let middle, let deviations):
      assertPerson(bytes, deviations, given: given, middle: middle)
    case .refused(let error): XCTAssertEqual(refusal(bytes)?.error, error)
    }
  }
}
