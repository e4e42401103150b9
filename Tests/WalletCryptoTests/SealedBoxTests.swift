import Glibc
import WalletCrypto
import XCTest

final class SealedBoxTests: XCTestCase {
  private struct Answer: Decodable {
    let publicKey, secretKey, plaintext, box: Hex
  }

  /// How the provider opens a box; the core itself only opens with keys that it made for one
  /// answer.
  private func openAsProvider(_ box: [UInt8], _ answer: Answer) throws -> [UInt8]? {
    typealias Open =
      @convention(c) (
        UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UInt64, UnsafePointer<UInt8>,
        UnsafePointer<UInt8>
      ) -> Int32
    let open = unsafeBitCast(
      try XCTUnwrap(dlsym(dlopen(nil, RTLD_NOW), "crypto_box_seal_open")), to: Open.self)
    var plaintext = [UInt8](repeating: 0, count: max(box.count - 48, 1))
    let status = open(
      &plaintext, box, UInt64(box.count), answer.publicKey.bytes, answer.secretKey.bytes)
    return status == 0 ? Array(plaintext.prefix(box.count - 48)) : nil
  }

  func testWhatIsSealedToAKnownKeyOpensWithItsSecret() throws {
    for answer in try Vectors.load("sealed_box", as: Answer.self) {
      let secret = try Secret(copying: answer.plaintext.bytes)
      let box = try SealedBox.seal(secret, to: answer.publicKey.bytes)
      XCTAssertEqual(box.count, answer.box.bytes.count)
      XCTAssertNotEqual(box, answer.box.bytes)
      XCTAssertEqual(try openAsProvider(box, answer), answer.plaintext.bytes)
      XCTAssertEqual(try openAsProvider(answer.box.bytes, answer), answer.plaintext.bytes)
    }
  }

  func testOnlyTheRecipientOpensABox() throws {
    let recipient = try SealedBox.Recipient()
    let secret = try Secret.random(count: 32)
    let box = try SealedBox.seal(secret, to: recipient.publicKey)
    XCTAssertTrue(try recipient.open(box).isEqual(to: secret))
    assertDoesNotOpen(box, try SealedBox.Recipient())
  }

  func testEveryDamageIsNoticed() throws {
    let recipient = try SealedBox.Recipient()
    let box = try SealedBox.seal(Secret(text: "share"), to: recipient.publicKey)
    for index in box.indices {
      var damaged = box
      damaged[index] ^= 0x10
      assertDoesNotOpen(damaged, recipient)
    }
    for count in 0..<box.count { assertDoesNotOpen(Array(box.prefix(count)), recipient) }
    for answer in try Vectors.load("sealed_box", as: Answer.self) {
      assertDoesNotOpen(answer.box.bytes, recipient)
    }
  }

  func testKeysThatAreNoKeysAreRefused() throws {
    let secret = try Secret(text: "share")
    for count in [0, 31, 33] {
      XCTAssertThrowsError(try SealedBox.seal(secret, to: Random.bytes(count))) {
        XCTAssertEqual($0 as? CryptoError, .wrongLength)
      }
    }
    let lowOrder = [UInt8](repeating: 0, count: 32)
    XCTAssertThrowsError(try SealedBox.seal(secret, to: lowOrder)) {
      XCTAssertEqual($0 as? CryptoError, .notAuthentic)
    }
  }

  private func assertDoesNotOpen(
    _ box: [UInt8], _ recipient: SealedBox.Recipient, line: UInt = #line
  ) {
    XCTAssertThrowsError(try recipient.open(box), line: line) {
      XCTAssertEqual($0 as? CryptoError, .notAuthentic, line: line)
    }
  }
}
