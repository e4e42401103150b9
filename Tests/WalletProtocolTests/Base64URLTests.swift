import WalletProtocol
import XCTest

final class Base64URLTests: XCTestCase {
  func testTheStandardsExamples() {
    let examples = [
      "": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE",
      "foobar": "Zm9vYmFy",
    ]
    for (plain, text) in examples {
      XCTAssertEqual(Base64URL.encode(plain.utf8), text)
      XCTAssertEqual(Base64URL.decode(text), Array(plain.utf8))
    }
    XCTAssertEqual(Base64URL.encode([0xFB, 0xFF]), "-_8")
    XCTAssertEqual(Base64URL.decode("-_8"), [0xFB, 0xFF])
  }

  func testEveryByteStringSurvives() {
    let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 256) }
    for count in 0...bytes.count {
      let part = Array(bytes.prefix(count))
      let text = Base64URL.encode(part)
      XCTAssertEqual(Base64URL.decode(text), part)
      XCTAssertEqual(Base64URL.encodedLength(count), text.utf8.count)
    }
  }

  func testEveryOtherSpellingIsRefused() {
    let refused = [
      "Zg==", "Zm8=", "=", "Z", "Zm9vY", "Zm 8", " Zm8", "Zm8\n", "+_8", "-/8", "Zm8é", "Zm8\0",
      "Zh", "Zi", "Z_", "Zm9", "Zm-",
    ]
    for text in refused { XCTAssertNil(Base64URL.decode(text), text) }
  }

  func testOfAllTwoCharacterStringsOneSpellsEachByte() {
    var seen: [UInt8: Int] = [:]
    for first in UInt8.min...127 {
      for second in UInt8.min...127 {
        let text = String(decoding: [first, second], as: UTF8.self)
        if let bytes = Base64URL.decode(text) { seen[bytes[0], default: 0] += 1 }
      }
    }
    XCTAssertEqual(seen.count, 256)
    XCTAssertTrue(seen.values.allSatisfy { $0 == 1 })
  }
}
