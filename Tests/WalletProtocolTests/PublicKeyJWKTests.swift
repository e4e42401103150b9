import WalletProtocol
import XCTest

final class PublicKeyJWKTests: XCTestCase {
  private func key(_ json: String) throws -> SubjectPublicKey {
    try SubjectPublicKey(jwk: JSONValue(parsing: Array(json.utf8)))
  }

  // RFC 8037 appendix A.2 and RFC 7517 appendix A.1.
  private let ed25519 =
    #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#
  private let p256 =
    #""kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","#
    + #""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM""#

  func testTheStandardsKeys() throws {
    let first = try key("{\(ed25519)}")
    XCTAssertEqual(first.algorithm, .edDSA)
    XCTAssertEqual(first.rawKey.prefix(4), [0xD7, 0x5A, 0x98, 0x01])
    let second = try key("{\(p256)}")
    XCTAssertEqual(second.algorithm, .es256)
    XCTAssertEqual(second.rawKey.prefix(3), [0x04, 0x30, 0xA0])
    for key in [first, second] {
      XCTAssertEqual(try SubjectPublicKey(jwk: key.jwk), key)
      XCTAssertEqual(try SubjectPublicKey(der: key.der), key)
    }
    let rest = #","kid":"1","use":"sig""#
    XCTAssertEqual(try key("{\(ed25519)\(rest),\"alg\":\"EdDSA\"}"), first)
    XCTAssertEqual(try key("{\(p256)\(rest),\"alg\":\"ES256\"}"), second)
  }

  func testOtherKeysAndSpellingsAreRefused() throws {
    let refused = [
      "{}", "[]", "null", #""x""#, "{\(ed25519),\"d\":\"AA\"}", "{\(p256),\"d\":\"AA\"}",
      "{\(ed25519),\"y\":\"AA\"}", "{\(ed25519),\"alg\":\"ES256\"}", "{\(p256),\"alg\":\"EdDSA\"}",
      "{\(p256),\"use\":\"enc\"}", "{\(p256),\"key_ops\":[\"sign\"]}", "{\(p256),\"kid\":1}",
      "{\(p256),\"x5c\":[]}", "{\(p256),\"ext\":true}",
    ]
    let changes = [
      ("OKP", "EC"), ("OKP", "okp"), ("Ed25519", "X25519"), ("Ed25519", "P-256"), ("x", "z"),
      ("11qY", "11q"), ("URo", "URp"), ("URo", "URo="), ("11qY", "11qYAAAA"), ("_7Ty", "/7Ty"),
    ].map { ed25519.replacing($0, with: $1) }
    let others = [
      ("EC", "OKP"), ("P-256", "P-384"), ("P-256", "secp256k1"), ("IFyM", "IFyN"), ("4Etl", "4Et"),
      (#""y""#, #""z""#), ("MKBC", ""),
    ].map { p256.replacing($0, with: $1) }
    for json in refused + (changes + others).map({ "{\($0)}" }) {
      XCTAssertThrowsError(try key(json), json) {
        XCTAssertEqual($0 as? WireError, .encodingRefused, json)
      }
    }
  }

  func testPointsOfOtherLengthsAreRefused() {
    for count in [0, 32, 33, 64, 66] {
      XCTAssertThrowsError(try SubjectPublicKey(p256: [UInt8](repeating: 4, count: count)))
    }
    XCTAssertThrowsError(try SubjectPublicKey(p256: [UInt8](repeating: 2, count: 65)))
  }
}
