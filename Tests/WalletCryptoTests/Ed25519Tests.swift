import WalletCrypto
import WalletProtocol
import XCTest

final class Ed25519Tests: XCTestCase {
  private struct Answer: Decodable {
    let seed, publicKey, subjectPublicKeyInfo, message, signature: Hex
  }

  func testSeedsGiveTheKnownKeysAndSignatures() throws {
    for answer in try Vectors.load("ed25519", as: Answer.self) {
      let key = try Ed25519.SigningKey(seed: Secret(copying: answer.seed.bytes), keyID: "k")
      XCTAssertEqual(key.publicKey, answer.publicKey.bytes)
      XCTAssertEqual(key.sign(answer.message.bytes), answer.signature.bytes)
      XCTAssertEqual(try key.guardedPublicKey().disclosed(), answer.publicKey.bytes)
      XCTAssertEqual(
        try key.sign(Secret(copying: answer.message.bytes)).disclosed(), answer.signature.bytes)
      XCTAssertEqual(key.keyID, "k")
      XCTAssertEqual(key.algorithm, .edDSA)
      let spelled = try SubjectPublicKey(der: answer.subjectPublicKeyInfo.bytes)
      XCTAssertEqual(try SubjectPublicKey(ed25519: key.publicKey), spelled)
    }
  }

  func testASignatureIsValidForItsMessageAndKeyOnly() throws {
    for answer in try Vectors.load("ed25519", as: Answer.self) {
      let key = try Ed25519.VerifyingKey(publicKey: answer.publicKey.bytes)
      let signature = answer.signature.bytes
      XCTAssertTrue(key.isValid(signature: signature, for: answer.message.bytes))
      XCTAssertFalse(key.isValid(signature: signature, for: answer.message.bytes + [0]))
      for index in signature.indices {
        var damaged = signature
        damaged[index] ^= 1
        XCTAssertFalse(key.isValid(signature: damaged, for: answer.message.bytes))
      }
      XCTAssertFalse(key.isValid(signature: [], for: answer.message.bytes))
      XCTAssertFalse(key.isValid(signature: signature + [0], for: answer.message.bytes))
      let other = try Ed25519.SigningKey(seed: Secret.random(count: 32))
      let otherKey = try Ed25519.VerifyingKey(publicKey: other.publicKey)
      XCTAssertFalse(otherKey.isValid(signature: signature, for: answer.message.bytes))
    }
  }

  func testSeedsAndKeysOfOtherLengthsAreRefused() throws {
    for count in [0, 31, 33, 64] {
      XCTAssertThrowsError(try Ed25519.SigningKey(seed: Secret.random(count: count))) {
        XCTAssertEqual($0 as? CryptoError, .wrongLength)
      }
      XCTAssertThrowsError(try Ed25519.VerifyingKey(publicKey: Random.bytes(count))) {
        XCTAssertEqual($0 as? CryptoError, .wrongLength)
      }
    }
  }
}
