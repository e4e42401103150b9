import WalletProtocol
import XCTest

final class JSONValueTests: XCTestCase {
  private func read(_ json: String) throws -> JSONValue { try JSONValue(parsing: Array(json.utf8)) }

  func testValues() throws {
    let values: [(String, JSONValue)] = [
      ("null", .null), (" true ", .boolean(true)), ("false\n", .boolean(false)), ("0", .integer(0)),
      ("-7", .integer(-7)), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), (#""""#, .string("")),
      (#""aé例😀""#, .string("aé例😀")), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u0041\u00e9\uD83D\uDE00\u0000""#, .string("Aé😀\0")), ("[]", .array([])),
      ("[ 1 , [ ] ]", .array([.integer(1), .array([])])), ("{}", .object([:])),
      (
        #"{ "a" : {"b":null} , "c":[{}] }"#,
        .object(["a": .object(["b": .null]), "c": .array([.object([:])])])
      ),
    ]
    for (json, value) in values {
      XCTAssertEqual(try read(json), value, json)
      XCTAssertEqual(try JSONValue(parsing: value.encoded), value, json)
    }
  }

  func testWhatReadersDifferOnIsRefused() {
    let refused = [
      "", " ", "nul", "nulll", "True", "01", "-", "-0", "+1", "1.0", "1e2", "1E2", ".5", "0x1",
      "9223372036854775808", "-9223372036854775809", "1 2", #"""#, #""a"#, #""\x""#, #""\u12""#,
      #""\u12g4""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#, "\"\u{01}\"",
      "\"\n\"", "'a'", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", #"{"a""#, #"{"a":"#,
      #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, "{a:1}", "{1:1}", #"{"a" 1}"#, #"{"a":1 "b":2}"#, "}",
      #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{"a":1,"a":2}}]"#, "// x", "\u{FEFF}1",
      "NaN", "\u{00A0}1", "1\u{0B}", #""\u+123""#,
    ]
    for json in refused {
      XCTAssertThrowsError(try read(json), json) {
        XCTAssertEqual($0 as? WireError, .contentMalformed)
      }
    }
    for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      XCTAssertThrowsError(try JSONValue(parsing: bytes.map { UInt8($0) }))
    }
  }

  func testDepthIsBounded() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    XCTAssertNoThrow(try read(nested(JSONValue.maximumDepth + 1)))
    XCTAssertThrowsError(try read(nested(JSONValue.maximumDepth + 2)))
    XCTAssertThrowsError(try read(String(repeating: "[", count: 60_000)))
    XCTAssertThrowsError(try read(String(repeating: #"{"a":"#, count: 10_000)))
  }

  private func readForeign(_ json: String) throws -> JSONValue {
    try JSONValue(parsing: Array(json.utf8), profile: .foreign)
  }

  func testNumbersOfOtherPartiesAreKeptAsTheirText() throws {
    let texts = [
      "1.0", "1.50", "-0", "-0.0", "0.1", "1e2", "1E+2", "1e-400", "9223372036854775808",
      "-9223372036854775809", "123456789012345678901234567890", "-12.5e10",
    ]
    for text in texts {
      XCTAssertEqual(try readForeign(text), .number(text))
      XCTAssertEqual(try readForeign("[\(text)]").encoded, Array("[\(text)]".utf8))
      XCTAssertThrowsError(try read(text), text)
    }
    for (text, number) in [("0", 0), ("-7", -7), ("9223372036854775807", .max)] as [(_, Int64)] {
      XCTAssertEqual(try readForeign(text), .integer(number))
    }
    // A type of our own never reads what it cannot hold.
    XCTAssertThrowsError(try JSONValue.number("1.5").decode(Double.self))
  }

  func testMalformedJSONOfOtherPartiesIsRefused() {
    let refused = [
      "", "01", "-01", "-", "+1", "1.", ".5", "1.e2", "1e", "1e+", "1.5.5", "0x1", "1_0", "NaN",
      "Infinity", "1.5e2.5", #"{"a":1.5,"a":1.5}"#, #"{"a":1,"\u0061":2}"#, #""\ud800""#, "[1.5,]",
    ]
    for json in refused { XCTAssertThrowsError(try readForeign(json), json) }
    for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x31, 0x2E, 0xB2]] {
      XCTAssertThrowsError(try JSONValue(parsing: bytes.map { UInt8($0) }, profile: .foreign))
    }
  }

  func testDepthOfOtherPartiesIsBounded() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    XCTAssertEqual(JSONValue.maximumForeignDepth, 32)
    XCTAssertNoThrow(try readForeign(nested(JSONValue.maximumForeignDepth + 1)))
    XCTAssertThrowsError(try readForeign(nested(JSONValue.maximumForeignDepth + 2)))
    XCTAssertThrowsError(try readForeign(String(repeating: "[", count: 60_000)))
  }

  func testEncodingIsSortedAndPlain() {
    let value = JSONValue.object([
      "b": .array([.integer(-1), .null]), "a": .string("\"\\/\n\u{1F}é😀"), "c": .boolean(true),
    ])
    XCTAssertEqual(
      String(decoding: value.encoded, as: UTF8.self),
      #"{"a":"\"\\/\u000a\u001fé😀","b":[-1,null],"c":true}"#)
  }

  func testTypesAreDescribedAndReadAgain() throws {
    struct Content: Codable, Equatable {
      var a: [String: Bool]
      var b: Int64
    }
    let content = Content(a: ["x": true], b: -5)
    let value = try JSONValue(encoding: content)
    XCTAssertEqual(value, .object(["a": .object(["x": .boolean(true)]), "b": .integer(-5)]))
    XCTAssertEqual(try value.decode(Content.self), content)
    XCTAssertThrowsError(try JSONValue.array([]).decode(Content.self))
    XCTAssertThrowsError(try JSONValue(encoding: ["x": 1.5]))
  }
}
