import WalletCrypto
import XCTest

final class AuthenticatedBoxTests: XCTestCase {
  private struct Answer: Decodable {
    let key, associatedData, plaintext, box: Hex
  }

  func testKnownBoxesOpen() throws {
    for answer in try Vectors.load("aead", as: Answer.self) {
      let opened = try AuthenticatedBox.open(
        answer.box.bytes, key: Secret(copying: answer.key.bytes),
        associatedData: answer.associatedData.bytes)
      XCTAssertEqual(opened.disclosed(), answer.plaintext.bytes)
    }
  }

  func testWhatIsSealedOpensAndNeverLooksTheSameTwice() throws {
    let key = try Secret.random(count: AuthenticatedBox.keyLength)
    for count in [0, 1, 64, 5000] {
      let secret = try Secret.random(count: count)
      let box = try AuthenticatedBox.seal(secret, key: key, associatedData: [1])
      let again = try AuthenticatedBox.seal(secret, key: key, associatedData: [1])
      XCTAssertNotEqual(box, again)
      XCTAssertEqual(box.count, count + 24 + 16)
      let opened = try AuthenticatedBox.open(box, key: key, associatedData: [1])
      XCTAssertTrue(opened.isEqual(to: secret))
    }
  }

  func testEveryFlippedBitIsNoticed() throws {
    let key = try Secret.random(count: 32)
    let box = try AuthenticatedBox.seal(Secret(text: "secret"), key: key, associatedData: [1, 2])
    for index in box.indices {
      for bit in 0..<8 {
        var damaged = box
        damaged[index] ^= 1 << UInt8(bit)
        assertDoesNotOpen(damaged, key, [1, 2])
      }
    }
  }

  func testEveryOtherLengthIsNoticed() throws {
    let key = try Secret.random(count: 32)
    let box = try AuthenticatedBox.seal(Secret(text: "secret"), key: key, associatedData: [])
    for count in 0..<box.count { assertDoesNotOpen(Array(box.prefix(count)), key, []) }
    assertDoesNotOpen(box + [0], key, [])
  }

  func testAnotherKeyOrPlaceDoesNotOpen() throws {
    let key = try Secret.random(count: 32)
    let box = try AuthenticatedBox.seal(Secret(text: "secret"), key: key, associatedData: [1, 2])
    assertDoesNotOpen(box, try Secret.random(count: 32), [1, 2])
    for place: [UInt8] in [[], [1], [2, 1], [1, 2, 0]] { assertDoesNotOpen(box, key, place) }
  }

  func testKeysOfOtherLengthsAreRefused() throws {
    let secret = try Secret(text: "secret")
    for count in [0, 16, 31, 33] {
      let key = try Secret.random(count: count)
      XCTAssertThrowsError(try AuthenticatedBox.seal(secret, key: key, associatedData: [])) {
        XCTAssertEqual($0 as? CryptoError, .wrongLength)
      }
      XCTAssertThrowsError(
        try AuthenticatedBox.open(Random.bytes(64), key: key, associatedData: [])
      ) { XCTAssertEqual($0 as? CryptoError, .wrongLength) }
    }
  }

  private func assertDoesNotOpen(
    _ box: [UInt8], _ key: Secret, _ associatedData: [UInt8], line: UInt = #line
  ) {
    XCTAssertThrowsError(
      try AuthenticatedBox.open(box, key: key, associatedData: associatedData), line: line
    ) { XCTAssertEqual($0 as? CryptoError, .notAuthentic, line: line) }
  }
}
