import Foundation
import WalletProtocol
import XCTest

/// What Foundation's encoder wrote is read as Foundation's decoder reads it.
final class JSONAgreementTests: XCTestCase {
  private enum Choice: Codable, Equatable {
    case nothing
    case some(number: UInt64, name: String?)
    case inner(Inner)
  }

  private struct Inner: Codable, Equatable {
    var bytes: [UInt8]
    var text: String
  }

  private struct Everything: Codable, Equatable {
    var flag = true
    var numbers: [Int64] = [0, -1, .max, .min]
    var small: Int8 = -128
    var unsigned: UInt32 = .max
    var text = "a\"b"
    var none: String?
    var some: String? = ""
    var bytes: [UInt8] = Array(0...255)
    var noBytes: [UInt8] = []
    var optionalBytes: [UInt8]? = [0, 9, 10, 99, 100, 255]
    var byName = ["b": Int64(1), "a": 2, "_c": 3, "B": 4]
    var choices: [Choice] = [
      .nothing, .some(number: 7, name: nil), .some(number: 8, name: "x"),
      .inner(Inner(bytes: [1, 2], text: "y")),
    ]
    var rows: [[Inner]] = [[], [Inner(bytes: [], text: "z")]]
    var optionals: [String?] = ["a", nil]
  }

  private func text(of value: some Encodable) throws -> String {
    String(decoding: try WireJSON.encode(value), as: UTF8.self)
  }

  private func assertAgrees<Value: Codable & Equatable>(
    _ value: Value, line: UInt = #line
  ) throws {
    XCTAssertEqual(
      try WireJSON.decode(Value.self, from: try WireJSON.encode(value)), value, line: line)
  }

  func testWhatWasWrittenIsRead() throws {
    try assertAgrees(Everything())
    try assertAgrees([String: [String]]())
    try assertAgrees("text")
    try assertAgrees(5)
    try assertAgrees([UInt8]())
    try assertAgrees(InstructionEnvelope(signature: "a.b.c/", payload: "p"))
    try assertAgrees(EvaluatorAnswer.done)
    try assertAgrees(EmptyPayload())
  }

  func testEachCharacterIsRead() throws {
    for value in (UInt32(0)...0x2FF).map({ $0 }) + [0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x1F600] {
      guard let scalar = Unicode.Scalar(value) else { continue }
      try assertAgrees(["<\(scalar)>"])
      try assertAgrees(["<\(scalar)>": 1])
    }
  }

  func testWhatFoundationRefusesIsRefused() throws {
    let text = try text(of: Everything())
    let changes = [
      (#""flag":true"#, #""flag":1"#), (#""flag":true"#, #""flag":null"#),
      (#""flag":true,"#, ""), (#""small":-128"#, #""small":-129"#),
      (#""unsigned":4294967295"#, #""unsigned":4294967296"#),
      (#""unsigned":4294967295"#, #""unsigned":-1"#), (#""noBytes":[]"#, #""noBytes":[256]"#),
      (#""noBytes":[]"#, #""noBytes":["1"]"#), (#""noBytes":[]"#, #""noBytes":[null]"#),
      (#""noBytes":[]"#, #""noBytes":{}"#), (#""noBytes":[]"#, #""noBytes":null"#),
      (#""nothing":{}"#, #""nothing":1"#), (#""nothing":{}"#, #""other":{}"#),
      (#""nothing":{}"#, #""nothing":{},"some":{"number":1}"#), (#""some":"""#, #""some":1"#),
      (#""optionals":["a",null]"#, #""optionals":["a",1]"#), (#""_c":3"#, #""_c":"3""#),
      (#""number":7"#, #""number":-7"#),
    ]
    for (found, other) in changes {
      let changed = text.replacing(found, with: other, maxReplacements: 1)
      XCTAssertNotEqual(changed, text, found)
      XCTAssertThrowsError(
        try JSONDecoder().decode(Everything.self, from: Data(changed.utf8)), other)
      XCTAssertThrowsError(try WireJSON.decode(Everything.self, from: Array(changed.utf8)), other) {
        XCTAssertEqual($0 as? WireError, .contentMalformed, other)
      }
    }
  }

  func testWhatFoundationAcceptsIsRead() throws {
    let text = try text(of: Everything())
    var expected = Everything()
    for (found, other) in [
      (#""some":"""#, #""some":null"#), (#""some":"""#, #""unknown":{"a":[1,{}]}"#),
    ] {
      let changed = text.replacing(found, with: other, maxReplacements: 1)
      expected.some = nil
      XCTAssertEqual(try JSONDecoder().decode(Everything.self, from: Data(changed.utf8)), expected)
      XCTAssertEqual(try WireJSON.decode(Everything.self, from: Array(changed.utf8)), expected)
    }
  }
}
