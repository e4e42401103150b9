import Foundation
import TestSupport
import WalletModel
import XCTest

@testable import WalletProofing

/// Mutants of accepted cards. A mutant that is accepted too differs from its card in a field of the
/// holder's identity only where an edit touched an element of that field, its id or its separators.
///
/// `WALLET_CORE_PROOFING_SEED` sets the seed; an exhaustive run takes a new one each time.
final class LicenceMutantTests: LicenceTestCase {
  private static let mutants = Sample.rounds(30, of: 2_000)
  private static let seed =
    ProcessInfo.processInfo.environment["WALLET_CORE_PROOFING_SEED"].flatMap(UInt64.init)
    ?? (Sample.isExhaustive ? .random(in: 1...UInt64(UInt32.max)) : 19)

  /// The elements that state a field.
  private static let fields: [(name: String, elements: Set<String>)] = [
    ("family name", ["DCS", "DAB", "DAA"]), ("given name", ["DAC", "DCT", "DAA"]),
    ("middle names", ["DAD", "DAC", "DCT", "DAA"]), ("suffix", ["DCU", "DAE", "DAA"]),
    ("number", ["DAQ"]), ("birth date", ["DBB"]), ("expiry date", ["DBA"]),
  ]

  private func values(_ document: LicenceDocument) -> [String?] {
    let texts = [
      document.familyName, document.givenName, document.middleNames, document.suffix,
      document.number,
    ]
    return texts.map { $0?.disclosed() }
      + [document.birthDate, document.expiryDate].map { "\($0)" }
  }

  // MARK: Layouts

  private func layouts(_ version: Int) -> [(name: String, bytes: [UInt8])] {
    let parts = [("DAB", "VANDERBLOOM"), ("DAC", "MARIGOLD"), ("DAD", "TESSA"), ("DAE", "II")]
    var layouts: [(String, [UInt8])] = [
      ("plain", Card(version).bytes), ("Canadian", Card(version, canadian: true).bytes),
      ("identity card", Card(version, kind: "ID").bytes),
      ("enhanced licence", Card(version, kind: "EN").bytes),
      ("without a suffix", card(version) { $0[version == 1 ? "DAT" : "DCU"] = "" }),
      ("between bars", replacing(Card(version).bytes) { $0 == 0x0A ? [0x7C] : [$0] }),
    ]
    if version <= 2 {
      layouts.append(
        (
          "a name in parts",
          card(version) { card in
            for id in ["DAA", "DCS", "DCT", "DCU"] { card[id] = nil }
            for (id, value) in parts { card[id] = value }
            if version == 2 { card["DCU"] = "II" }
          }
        ))
      for whole in ["VANDERBLOOM, MARIGOLD TESSA", "MARIGOLD TESSA VANDERBLOOM II"] {
        layouts.append(
          (
            whole,
            card(version) { card in
              for id in ["DCS", "DCT", "DCU"] { card[id] = nil }
              card["DAA"] = whole
            }
          ))
      }
    }
    if (2...3).contains(version) {
      layouts.append(
        (
          "given names twice",
          card(version) { card in
            card["DAC"] = "MARIGOLD"
            card["DAD"] = "TESSA"
          }
        ))
    }
    return layouts
  }

  // MARK: Edits

  /// `inserted` in the place of `removed`; what was inserted may be a copy of `source`.
  private struct Edit {
    var removed: Range<Int>
    var inserted: [UInt8] = []
    var source: Range<Int>?

    /// Whether it touches the line between the separators at `line.lowerBound` and `line.upperBound`.
    func touches(_ line: ClosedRange<Int>) -> Bool {
      let isWithin =
        removed.isEmpty
        ? line.lowerBound < removed.lowerBound && removed.lowerBound <= line.upperBound
        : removed.overlaps(line)
      return isWithin || source?.overlaps(line) ?? false || endsPart(before: line)
    }

    /// Whether an element of the jurisdiction may begin here. The document's own part ends there, so
    /// what stands behind it is not the holder's.
    private func endsPart(before line: ClosedRange<Int>) -> Bool {
      inserted.contains(UInt8(ascii: "Z")) && removed.lowerBound <= line.lowerBound
    }
  }

  private func edits(
    of bytes: [UInt8], using random: inout SeededGenerator
  ) -> [Edit] {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let piece = place..<min(bytes.count, place + Int.random(in: 1...12, using: &random))
    let byte = UInt8.random(in: 0...255, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      let flipped = bytes[place] ^ (1 << UInt8.random(in: 0..<8, using: &random))
      return [Edit(removed: place..<place + 1, inserted: [flipped])]
    case 1: return [Edit(removed: place..<place + 1, inserted: [byte])]
    case 2: return [Edit(removed: place..<place, inserted: [byte])]
    case 3: return [Edit(removed: piece)]
    case 4: return [Edit(removed: place..<place, inserted: Array(bytes[piece]), source: piece)]
    case 5:
      let target = Int.random(in: 0...bytes.count, using: &random)
      guard !piece.contains(target) else { return [Edit(removed: piece)] }
      return [
        Edit(removed: piece),
        Edit(removed: target..<target, inserted: Array(bytes[piece]), source: piece),
      ]
    case 6:
      // Only a separator is lost.
      let separators = bytes.indices.filter { bytes[$0] == 0x0A || bytes[$0] == 0x0D }
      guard let lost = separators.randomElement(using: &random) else { return [] }
      return [Edit(removed: lost..<lost + 1)]
    default: return [Edit(removed: place..<bytes.count)]
    }
  }

  /// The edits of a mutant, from its end to its beginning; none overlaps another.
  private func mutant(
    of bytes: [UInt8], using random: inout SeededGenerator
  ) -> (edits: [Edit], bytes: [UInt8]) {
    var edits: [Edit] = []
    for _ in 0...Int.random(in: 0...3, using: &random) {
      edits += self.edits(of: bytes, using: &random)
    }
    edits.sort { $0.removed.lowerBound > $1.removed.lowerBound }
    var kept: [Edit] = []
    for edit in edits where edit.removed.upperBound <= kept.last?.removed.lowerBound ?? .max {
      kept.append(edit)
    }
    var mutant = bytes
    for edit in kept { mutant.replaceSubrange(edit.removed, with: edit.inserted) }
    return (kept, mutant)
  }

  /// The lines of `bytes` that begin with `ids`, each with the separators at its ends.
  private func lines(_ ids: Set<String>, of bytes: [UInt8]) -> [ClosedRange<Int>] {
    var lines: [ClosedRange<Int>] = []
    var start = 0
    for place in bytes.indices where [0x0A, 0x0D, 0x7C].contains(bytes[place]) {
      let line = bytes[start..<place]
      if line.starts(with: "ANSI ".utf8) {
        if ids.contains("DAQ") { lines += Self.number(in: line, endingAt: place) }
      } else if ids.contains(String(decoding: line.prefix(3), as: UTF8.self)) {
        lines.append(max(0, start - 1)...place)
      }
      start = place + 1
    }
    return lines
  }

  /// Where the number stands in the line of the header: the designator of the first subfile and the
  /// letters of that subfile, which locate it, and the element.
  private static func number(
    in line: ArraySlice<UInt8>, endingAt end: Int
  ) -> [ClosedRange<Int>] {
    let digits = line.dropFirst(5).prefix { (0x30...0x39).contains($0) }
    let designator = digits.endIndex
    guard let element = line.indices.last(where: { line[$0...].starts(with: "DAQ".utf8) }) else {
      return []
    }
    return [designator...designator + 9, element - 2...end]
  }

  // MARK: The oracle

  func testAnAcceptedMutantDiffersOnlyWhereAnEditTouchedItsElement() throws {
    // First, so that a trap shows it too.
    print("mutants: seed \(Self.seed)")
    var random = SeededGenerator(seed: Self.seed)
    var accepted = 0
    var changed = 0
    for version in 1...11 {
      for layout in layouts(version) {
        XCTAssertNil(refusal(layout.bytes), "\(version) \(layout.name)")
        let card = values(try read(layout.bytes))
        let fields = Self.fields.map { lines($0.elements, of: layout.bytes) }
        for _ in 0..<Self.mutants {
          let (edits, bytes) = mutant(of: layout.bytes, using: &random)
          guard refusal(bytes) == nil else { continue }
          accepted += 1
          for (index, value) in values(try read(bytes)).enumerated() where value != card[index] {
            changed += 1
            XCTAssertTrue(
              fields[index].contains { line in edits.contains { $0.touches(line) } },
              """
              seed \(Self.seed): \(Self.fields[index].name) of version \(version), \(layout.name): \
              \(value ?? "none") for \(card[index] ?? "none") in \
              \(String(decoding: bytes, as: UTF8.self).debugDescription)
              """)
          }
        }
      }
    }
    // Most of the mutants are damaged where nothing of the identity stands.
    XCTAssertGreaterThan(accepted, Self.mutants * 11)
    print("mutants: \(accepted) accepted, \(changed) fields changed where an edit touched them")
  }
}
