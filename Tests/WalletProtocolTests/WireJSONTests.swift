import Foundation
import WalletProtocol
import XCTest

/// The JSON of messages has one reading, whatever reads it.
final class WireJSONTests: XCTestCase {
  private struct Message: Codable, Equatable {
    var number: Int64
    var name: String?
    var inner: [String: Int]?
  }

  private func decode(_ bytes: [UInt8]) throws -> Message {
    try WireJSON.decode(Message.self, from: bytes)
  }

  private func assertRefused(_ bytes: [UInt8], _ name: String, line: UInt = #line) {
    XCTAssertThrowsError(try decode(bytes), name, line: line) {
      XCTAssertEqual($0 as? WireError, .contentMalformed, line: line)
    }
  }

  func testReadsWhatItWrites() throws {
    for number: Int64 in [0, -1, .max, .min] {
      let message = Message(number: number, name: "a\u{0}\"\\é😀/", inner: ["a": 1])
      XCTAssertEqual(try decode(try WireJSON.encode(message)), message)
    }
    XCTAssertEqual(try decode(Array(" {\n\"number\" : 100 }\r\t".utf8)), Message(number: 100))
  }

  func testRefusesTwoMembersOfOneName() {
    for text in [
      #"{"number":1,"number":2}"#, #"{"number":1,"number":1}"#, #"{"number":1,"n\u0075mber":2}"#,
      #"{"number":1,"inner":{"a":1,"a":2}}"#, #"{"number":1,"unknown":{"b":[{"c":1,"c":1}]}}"#,
    ] {
      assertRefused(Array(text.utf8), text)
    }
  }

  func testRefusesNumbersOfAnotherSpellingOrRange() {
    for number in [
      "1.0", "1e2", "1E2", "1e0", "100e-2", "-0", "01", "+1", "9223372036854775808",
      "-9223372036854775809", "1.5", "0x1", "NaN", "\"1\"", "true",
    ] {
      assertRefused(Array("{\"number\":\(number)}".utf8), number)
    }
  }

  func testRefusesOtherEncodingsAndMarks() throws {
    let text = #"{"number":1}"#
    assertRefused([0xEF, 0xBB, 0xBF] + Array(text.utf8), "a byte order mark")
    let encodings: [(String.Encoding, [UInt8])] = [
      (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
      (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
    ]
    for (encoding, mark) in encodings {
      let bytes = [UInt8](try XCTUnwrap(text.data(using: encoding)))
      assertRefused(bytes, "\(encoding)")
      assertRefused(mark + bytes, "\(encoding) with a mark")
    }
    assertRefused(Array(#"{"number":1,"name":""#.utf8) + [0xC0, 0x80] + Array("\"}".utf8), "UTF-8")
    assertRefused(Array(#"{"number":1,"name":"\ud800"}"#.utf8), "half a character")
    for rest in ["{}", "\u{0}", "x", ","] { assertRefused(Array((text + rest).utf8), rest) }
  }

  func testTheHeaderOfASignedMessageIsAsStrict() throws {
    let rest =
      "." + Base64URL.encode(Array("{}".utf8)) + "."
      + Base64URL.encode([UInt8](repeating: 0, count: 64))
    let good = #"{"alg":"EdDSA","typ":"x"}"#
    XCTAssertNoThrow(try SignedMessage(parsing: Base64URL.encode(Array(good.utf8)) + rest))
    for header in [#"{"alg":"EdDSA","alg":"ES256","typ":"x"}"#, "\u{FEFF}" + good] {
      XCTAssertThrowsError(
        try SignedMessage(parsing: Base64URL.encode(Array(header.utf8)) + rest), header)
    }
  }

  func testASequenceNumberMayNotLeapToTheEndOfItsRange() {
    let (step, limit) = (SequenceNumber.longestStep, SequenceNumber.limit)
    for (last, number, may) in [
      (0, 1, true), (7, 7, false), (7, 6, false), (7, 7 + step, true), (7, 8 + step, false),
      (0, limit - 1, false), (limit - 2, limit - 1, true), (limit - 1, limit, false),
      (0, UInt64.max, false), (UInt64.max, 0, false),
    ] {
      XCTAssertEqual(SequenceNumber.mayFollow(last, number), may, "\(last) \(number)")
    }
    for (current, sent, may) in [
      (9, 7, true), (7, 7, false), (6, 7, false), (limit - step - 1, 7, true),
      (limit - step, 7, false), (limit, 7, false), (7, 7 + step, false), (7, 8 + step, true),
      (0, limit - 1, true), (UInt64.max, 0, false), (0, UInt64.max, true),
    ] {
      XCTAssertEqual(
        SequenceNumber.mayContinue(after: current, refused: sent), may, "\(current) \(sent)")
    }
  }
}
