import Foundation
import WalletProtocol
import XCTest

final class EncodingTests: XCTestCase {
  private struct Answer: Decodable {
    let der, raw: String
    let subject_public_key_info: String?
  }

  private func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }

  private func answers(file: String = #filePath) throws -> [Answer] {
    let tests = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
    let data = try Data(contentsOf: tests.appendingPathComponent("Vectors/ecdsa.json"))
    return try JSONDecoder().decode([Answer].self, from: data)
  }

  private func assertRefused(_ der: [UInt8], line: UInt = #line) {
    XCTAssertThrowsError(try ECDSASignature.raw(fromDER: der), line: line) {
      XCTAssertEqual($0 as? WireError, .encodingRefused, line: line)
    }
  }

  func testKnownSignaturesBecomeTheirTwoNumbers() throws {
    let answers = try answers()
    XCTAssertGreaterThan(answers.count, 30)
    for answer in answers {
      XCTAssertEqual(try ECDSASignature.raw(fromDER: bytes(answer.der)), bytes(answer.raw))
    }
  }

  func testEveryTruncatedOrLongerSignatureIsRefused() throws {
    for answer in try answers() {
      let der = bytes(answer.der)
      for count in 0..<der.count { assertRefused(Array(der.prefix(count))) }
      assertRefused(der + [0])
      var longer = der + [0]
      longer[1] += 1
      assertRefused(longer)
    }
  }

  func testOtherSpellingsOfASignatureAreRefused() {
    let one: [UInt8] = [0x02, 0x01, 0x01]
    func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }
    XCTAssertNoThrow(try ECDSASignature.raw(fromDER: sequence(one + one)))
    let refused: [[UInt8]] = [
      sequence(one + [0x02, 0x01, 0x00]),  // zero
      sequence([0x02, 0x01, 0x00] + one),
      sequence(one + [0x02, 0x02, 0x00, 0x01]),  // padded
      sequence(one + [0x02, 0x02, 0x00, 0x00]),
      sequence(one + [0x02, 0x01, 0x80]),  // negative
      sequence(one + [0x02, 0x00]),  // no content
      sequence(one + [0x03, 0x01, 0x01]),  // another type
      sequence(one + one + one),  // three numbers
      sequence(one + [0x02, 0x02, 0x01]),  // shorter than it says
      [0x31, 0x06] + one + one,  // another type around
      [0x30, 0x81, 0x06] + one + one,  // long form of a short length
      [0x30, 0x80] + one + one + [0x00, 0x00],  // indefinite length
      sequence(one + [0x02, 0x81, 0x01, 0x01]),
      sequence(one + [0x02, 0x21, 0x01] + [UInt8](repeating: 0, count: 32)),  // 257 bits
      sequence(one + [0x02, 0x22, 0x00] + [UInt8](repeating: 0xFF, count: 33)),
    ]
    for der in refused { assertRefused(der) }
  }

  func testTheTwoKindsOfPublicKeysAreRead() throws {
    for answer in try answers() {
      guard let info = answer.subject_public_key_info.map(bytes) else { continue }
      let key = try SubjectPublicKey(der: info)
      XCTAssertEqual(key.algorithm, .es256)
      XCTAssertEqual(key.rawKey, Array(info.suffix(65)))
      XCTAssertEqual(key.der, info)
    }
    let raw = [UInt8](0..<32)
    let key = try SubjectPublicKey(ed25519: raw)
    XCTAssertEqual(key.algorithm, .edDSA)
    XCTAssertEqual(key.rawKey, raw)
    XCTAssertEqual(try SubjectPublicKey(der: key.der), key)
  }

  func testOtherSpellingsOfPublicKeysAreRefused() throws {
    let p256 = try XCTUnwrap(try answers().first?.subject_public_key_info.map(bytes))
    let ed25519 = try SubjectPublicKey(ed25519: [UInt8](0..<32)).der
    for der in [p256, ed25519] {
      for count in 0..<der.count {
        XCTAssertThrowsError(try SubjectPublicKey(der: Array(der.prefix(count))))
      }
      XCTAssertThrowsError(try SubjectPublicKey(der: der + [0]))
      let keyStart = der.count - (der.count == 44 ? 32 : 65)
      for index in 0...keyStart where !(der.count == 44 && index == keyStart) {
        var changed = der
        changed[index] ^= 0x01
        XCTAssertThrowsError(try SubjectPublicKey(der: changed), "byte \(index)")
      }
    }
    XCTAssertThrowsError(try SubjectPublicKey(ed25519: [1, 2, 3]))
  }
}
