import WalletModel
import WalletProtocol
import XCTest

@testable import WalletProofing

/// Reads cards and compares the results.
class LicenceTestCase: XCTestCase {
  /// 1 September 2026, noon in UTC.
  static let now: Int64 = 1_788_264_000

  /// Returns a changed card of `version`.
  func card(_ version: Int = 10, canadian: Bool = false, _ change: (inout Card) -> Void)
    -> [UInt8]
  {
    var card = Card(version, canadian: canadian)
    change(&card)
    return card.bytes
  }

  func replacing(_ bytes: [UInt8], _ change: (UInt8) -> [UInt8]) -> [UInt8] {
    bytes.flatMap(change)
  }

  /// Returns `bytes` without `text` before `rest`: lost behind the header, which still declares the
  /// length from before.
  func losing(_ text: String, before rest: String = "", of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let place = bytes.indices.first { bytes[$0...].starts(with: latin1(text + rest)) }
    if let place { bytes.removeSubrange(place..<place + text.utf8.count) }
    return bytes
  }

  func read(
    _ bytes: [UInt8], _ symbology: Symbology = .pdf417
  ) throws(ProofingError) -> LicenceDocument {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(ProofingError) in try LicenceReader.read(raw, symbology: symbology) }
    }
    return try result.get()
  }

  func evidence(
    _ bytes: [UInt8], now: Int64 = now, policy: ProofingPolicy = ProofingPolicy()
  ) throws(LicenceRefusal) -> LicenceEvidence {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(LicenceRefusal) in
        try LicenceEvidence(scanned: raw, symbology: .pdf417, now: now, policy: policy)
      }
    }
    return try result.get()
  }

  func refusal(
    _ bytes: [UInt8], now: Int64 = now, policy: ProofingPolicy = ProofingPolicy()
  ) -> LicenceRefusal? {
    do {
      _ = try evidence(bytes, now: now, policy: policy)
      return nil
    } catch {
      return error
    }
  }

  /// Compares what was read of `bytes` with the invented person, and checks that the rules accept
  /// it.
  func assertPerson(
    _ bytes: [UInt8], _ deviations: Set<LicenceDeviation>? = nil, family: String = "VANDERBLOOM",
    given: String = "MARIGOLD", middle: String? = "TESSA", suffix: String? = "II",
    number: String = "VX0427193", hasIssue: Bool = true, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    do {
      let document = try read(bytes)
      let texts = [
        document.familyName, document.givenName, document.middleNames, document.suffix,
        document.number,
      ].map { $0?.disclosed() }
      XCTAssertEqual(texts, [family, given, middle, suffix, number], file: file, line: line)
      XCTAssertTrue(document.birthDate == stated(Card.birth), "birth", file: file, line: line)
      XCTAssertTrue(document.expiryDate == stated(Card.expiry), "expiry", file: file, line: line)
      XCTAssertTrue(
        document.issueDate == (hasIssue ? stated(Card.issue) : .absent), "issue", file: file,
        line: line)
      if let deviations {
        XCTAssertEqual(document.deviations, deviations, file: file, line: line)
      }
      XCTAssertNoThrow(try evidence(bytes), file: file, line: line)
    } catch {
      XCTFail("\(error)", file: file, line: line)
    }
  }

  func stated(_ day: (Int, Int, Int)) -> Stated<CalendarDate> {
    CalendarDate(year: day.0, month: day.1, day: day.2).map { .value($0) } ?? .unreadable
  }
}
