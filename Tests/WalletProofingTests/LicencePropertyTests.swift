import Foundation
import TestSupport
import WalletProtocol
import XCTest

@testable import WalletProofing

/// Damages cards in every way: nothing traps, and nothing is read that was not on the card.
final class LicencePropertyTests: LicenceTestCase {
  private static let inputs = Sample.rounds(400, of: 5_000)

  private static let cards: [[UInt8]] = (1...11).flatMap { version in
    [false, true].flatMap { canadian in
      ["DL", "ID"].map { Card(version, canadian: canadian, kind: $0).bytes }
    }
  }

  /// One card of each version, or all of them.
  private static let sample = Sample.of(Array(cards.enumerated())) { "\($0.offset / 4)" }
    .map(\.element)

  private func texts(_ document: LicenceDocument) -> [PersonalText?] {
    [
      document.familyName, document.givenName, document.middleNames, document.suffix,
      document.number,
    ]
  }

  /// Returns the possible texts of `bytes` in UTF-8, without the characters that are dropped.
  private func readings(of bytes: [UInt8]) -> [String] {
    func isDropped(_ scalar: UnicodeScalar) -> Bool { (0x80...0x9F).contains(scalar.value) }
    func text(_ scalars: some Sequence<UnicodeScalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars.filter { !isDropped($0) })
      return String(text)
    }
    let unpaired = bytes.indices.filter { index in
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      return !(bytes[index] == 0xC2 && (0x80...0x9F).contains(next))
    }
    return [
      text(bytes.map { UnicodeScalar($0) }), text(unpaired.map { UnicodeScalar(bytes[$0]) }),
      text(String(decoding: bytes, as: UTF8.self).unicodeScalars),
    ]
  }

  /// Checks that every word and date of `document` is in `bytes`.
  private func assertIsOnCard(_ document: LicenceDocument, in bytes: [UInt8]) {
    let readings = readings(of: bytes).map { Data($0.utf8) }
    func contains(_ text: String, in readings: [Data]) -> Bool {
      readings.contains { $0.range(of: Data(text.utf8)) != nil }
    }
    for text in texts(document) + [document.addressState] {
      // The replacement of a lost character is not a character of the card.
      for word in text?.disclosed().split(whereSeparator: { " \u{1A}".contains($0) }) ?? [] {
        XCTAssertTrue(contains(String(word), in: readings), "a word that is not on the card")
      }
    }
    let parts = Set("-/".utf8)
    let digits = readings.map { $0.filter { !parts.contains($0) } }
    for date in [document.birthDate, document.issueDate, document.expiryDate] {
      guard case .value(let date) = date else { continue }
      let day = (date.year, date.month, date.day)
      let isThere = [true, false].contains { contains(Card.date(day, yearFirst: $0), in: digits) }
      XCTAssertTrue(isThere, "a date that is not on the card")
    }
    if let kind = document.kind { XCTAssertTrue(contains(kind.rawValue, in: readings)) }
    XCTAssertTrue(contains(String(String(document.issuerNumber).suffix(5)), in: readings))
  }

  func testMutatedCardsNeverTrapAndYieldOnlyTheirOwnText() {
    var random = SeededGenerator(seed: 1)
    var read = 0
    for _ in 0..<Self.inputs {
      var bytes = Self.cards[Int.random(in: 0..<Self.cards.count, using: &random)]
      for _ in 0...Int.random(in: 0...7, using: &random) { mutate(&bytes, using: &random) }
      guard let document = try? self.read(bytes) else { continue }
      read += 1
      assertIsOnCard(document, in: bytes)
      _ = refusal(bytes)
    }
    XCTAssertGreaterThan(read, Self.inputs / 2)
  }

  func testRandomBytesNeverTrapAndAreNeverAccepted() {
    var random = SeededGenerator(seed: 2)
    let header = latin1("@\n\u{1E}\rANSI 636045100102DL00410278ZW03190008DL")
    // Meaningful pieces appear often.
    let pieces: [[UInt8]] = ["DAQ", "DCS", "DBB", "\n", "\r", "ZW", "DL", "|", "ANSI ", "0101"].map(
      latin1)
    for round in 0..<Self.inputs {
      var bytes = round % 3 == 0 ? [] : header
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        if round % 2 == 0, Bool.random(using: &random) {
          bytes += pieces[Int.random(in: 0..<pieces.count, using: &random)]
        } else {
          let count = Int.random(in: 1...8, using: &random)
          bytes += (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
      }
      if let document = try? read(bytes) { assertIsOnCard(document, in: bytes) }
      XCTAssertNotNil(refusal(bytes))
    }
  }

  func testEveryTruncationIsRefusedOrLacksOnlyTheMissingEnd() throws {
    for card in Self.sample {
      let whole = try read(card)
      for length in 0..<card.count {
        let bytes = Array(card.prefix(length))
        guard let document = try? read(bytes) else { continue }
        guard refusal(bytes) == nil else { continue }
        for (text, complete) in zip(texts(document), texts(whole)) {
          XCTAssertTrue(text == nil || text == complete, "cut at \(length)")
        }
        XCTAssertEqual(document.birthDate, whole.birthDate)
        XCTAssertEqual(document.expiryDate, whole.expiryDate)
        XCTAssertEqual(document.kind, whole.kind)
      }
    }
  }

  func testEveryBitFlipIsReadWithoutATrap() {
    for card in stride(from: 0, to: Self.cards.count, by: 11).map({ Self.cards[$0] }) {
      let flips = card.indices.flatMap { position in (0..<8).map { (position: position, bit: $0) } }
      for flip in Sample.of(flips, 2, kind: { "\($0.position)" }) {
        var bytes = card
        bytes[flip.position] ^= 1 << flip.bit
        if let document = try? read(bytes) { assertIsOnCard(document, in: bytes) }
      }
    }
  }

  func testALostSeparatorNeverMakesOneElementOfTwo() throws {
    for card in Self.sample {
      let whole = try read(card)
      for position in card.indices where card[position] == 0x0A || card[position] == 0x0D {
        for replacement: [UInt8] in [[], [0x20], [0x0B], [0x1E], [0x09], [0x4A], [0x8A]] {
          var bytes = card
          bytes.replaceSubrange(position...position, with: replacement)
          guard refusal(bytes) == nil, let document = try? read(bytes) else { continue }
          for (text, complete) in zip(texts(document), texts(whole)) {
            XCTAssertTrue(
              text == nil || text == complete,
              "\(text?.disclosed() ?? "") at \(position) by \(replacement)")
          }
        }
      }
    }
  }

  func testTheLongestInputsAreReadInBoundedTime() {
    let header = latin1("@\n\u{1E}\rANSI 636045100102DL00410278ZW03190008DL")
    let fillers = [
      "\n", "|", "DAQ", "DL", "DLDAQ", "ZW", "\\928", "DAQ1\n", "DCS,", "\u{C3}", "D", " ",
    ]
    for filler in fillers {
      for prefix in [header, []] {
        var bytes = prefix
        while bytes.count < 4096 { bytes += latin1(filler) }
        let (short, long) = (work(Array(bytes.prefix(512))), work(Array(bytes.prefix(4096))))
        // 8 times as much for 8 times the length; with the square of the length it were 64 times.
        XCTAssertLessThan(long, max(short, .microseconds(20)) * 24, "\(filler), \(prefix.count)")
      }
    }
  }

  /// The processor time for reading `bytes`, which does not depend on other load: the least of some
  /// runs.
  private func work(_ bytes: [UInt8]) -> Duration {
    (0..<5).map { _ in
      let start = threadTime()
      _ = refusal(bytes)
      return threadTime() - start
    }.min() ?? .zero
  }

  private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
