import WalletProtocol
import XCTest

/// The tests' own ES256 against known signatures, so that what it accepts means something.
final class P256Tests: XCTestCase {
  private struct Answer: Decodable {
    let raw: String
    let subject_public_key_info: String?
  }

  func testKnownSignaturesVerifyAndNoOthers() throws {
    var count = 0
    for answer in try Vectors.load("ecdsa", as: Answer.self).prefix(8) {
      guard let info = answer.subject_public_key_info else { continue }
      let key = P256.VerifyingKey(key: try SubjectPublicKey(der: Vectors.bytes(info)))
      var signature = Vectors.bytes(answer.raw)
      XCTAssertTrue(key.isValid(signature: signature, for: Array("message".utf8)))
      XCTAssertFalse(key.isValid(signature: signature, for: Array("massage".utf8)))
      signature[40] ^= 1
      XCTAssertFalse(key.isValid(signature: signature, for: Array("message".utf8)))
      count += 1
    }
    XCTAssertEqual(count, 8)
  }

  func testOwnSignaturesVerify() throws {
    for label in ["a", "b", "c", "d"] {
      let key = try P256.SigningKey(label: label)
      let signature = try key.sign([1, 2, 3])
      let verifier = P256.VerifyingKey(key: key.publicKey)
      XCTAssertTrue(verifier.isValid(signature: signature, for: [1, 2, 3]))
      XCTAssertFalse(verifier.isValid(signature: signature, for: [1, 2, 4]))
    }
  }
}
