import Crypto
import WalletJOSE
import WalletProtocol
import XCTest

final class P256VerifyingKeyTests: XCTestCase {
  // RFC 7515 appendix A.3.
  private let x = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
  private let y = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
  private let input =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
    + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  private let signature =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  private func jwk(x: String? = nil, y: String? = nil, rest: String = "") throws -> JSONValue {
    try JOSETest.json(
      #"{"kty":"EC","crv":"P-256","x":"\#(x ?? self.x)","y":"\#(y ?? self.y)"\#(rest)}"#)
  }

  func testTheSignatureOfRFC7515AppendixA3Verifies() throws {
    let key = try P256VerifyingKey(jwk: jwk())
    XCTAssertTrue(key.isValid(signature: try JOSETest.bytes(signature), for: Array(input.utf8)))
    XCTAssertEqual(key.algorithm, .es256)
    let point = [0x04] + (try JOSETest.bytes(x)) + (try JOSETest.bytes(y))
    XCTAssertEqual(try P256VerifyingKey(x963: point).subject, key.subject)
    XCTAssertEqual(try P256VerifyingKey(SubjectPublicKey(p256: point)).subject, key.subject)
  }

  func testEachChangedBitOfTheSignatureIsRefused() throws {
    let key = try P256VerifyingKey(jwk: jwk())
    let right = try JOSETest.bytes(signature)
    for bit in 0..<right.count * 8 {
      var changed = right
      changed[bit / 8] ^= 1 << (bit % 8)
      XCTAssertFalse(key.isValid(signature: changed, for: Array(input.utf8)), "\(bit)")
    }
    XCTAssertFalse(key.isValid(signature: right, for: Array(input.utf8).dropLast()))
  }

  func testSignaturesOfOtherLengthsAreRefusedRFC7518Section34() throws {
    let key = try P256VerifyingKey(jwk: jwk())
    let right = try JOSETest.bytes(signature)
    for wrong in [[], [0], Array(right.dropLast()), right + [0], [0] + right, right + right] {
      XCTAssertFalse(key.isValid(signature: wrong, for: Array(input.utf8)), "\(wrong.count)")
    }
    for number: UInt8 in [0, 0xFF] {
      let extreme = [UInt8](repeating: number, count: 64)
      XCTAssertFalse(key.isValid(signature: extreme, for: Array(input.utf8)))
    }
  }

  func testASignatureInDERIsRefusedRFC7518Section34() throws {
    let key = TestKey()
    for message: [UInt8] in [[], [1], [1, 2, 3]] {
      XCTAssertTrue(try key.verifier.isValid(signature: key.sign(message), for: message))
      XCTAssertFalse(try key.verifier.isValid(signature: key.signDER(message), for: message))
    }
  }

  func testAPointOffTheCurveIsRefused() throws {
    let off = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5aw"
    assertRefused(.keyRefused) { try P256VerifyingKey(jwk: jwk(y: off)) }
    let zero = String(repeating: "A", count: 43)
    assertRefused(.keyRefused) { try P256VerifyingKey(jwk: jwk(x: zero, y: zero)) }
    // Coordinates from the field's prime on have no meaning.
    let high = Base64URL.encode([UInt8](repeating: 0xFF, count: 32))
    assertRefused(.keyRefused) { try P256VerifyingKey(jwk: jwk(x: high)) }
    let point = [0x04] + (try JOSETest.bytes(x)) + (try JOSETest.bytes(off))
    assertRefused(.keyRefused) { try P256VerifyingKey(x963: point) }
  }

  func testCompressedAndHybridPointsAreRefusedRFC7518Section621() throws {
    let x = try JOSETest.bytes(x)
    let y = try JOSETest.bytes(y)
    for point in [[0x03] + x, [0x02] + x, [0x07] + x + y, [0x06] + x + y, x + y, [0x00], []] {
      assertRefused(.keyRefused) { try P256VerifyingKey(x963: point) }
    }
  }

  func testCoordinatesOfOtherLengthsAreRefusedRFC7518Section6212() throws {
    let bytes = try JOSETest.bytes(x)
    for wrong in [Array(bytes.dropLast()), bytes + [0], [0] + bytes, []] {
      assertRefused(.keyRefused) { try P256VerifyingKey(jwk: jwk(x: Base64URL.encode(wrong))) }
    }
    assertRefused(.keyRefused) { try P256VerifyingKey(jwk: jwk(x: x + "=")) }
  }

  func testLeadingZerosOfCoordinatesAreKept() throws {
    // Of 2,000 keys about 16 have a coordinate with a leading zero.
    var found = 0
    for _ in 0..<2000 where found < 2 {
      let key = TestKey()
      let raw = try key.subject.rawKey
      guard raw[1] == 0 || raw[33] == 0 else { continue }
      found += 1
      let read = try P256VerifyingKey(jwk: key.subject.jwk)
      XCTAssertEqual(read.subject, try key.subject)
      XCTAssertTrue(try read.isValid(signature: key.sign([7]), for: [7]))
    }
    XCTAssertGreaterThan(found, 0)
  }

  func testMembersThatOthersAddAreIgnoredAndAPrivateKeyIsRefused() throws {
    let rest = #","alg":"ECDH-ES","use":"enc","kid":"1","key_ops":["deriveKey"],"x5t":"AA""#
    XCTAssertEqual(
      try P256VerifyingKey(jwk: jwk(rest: rest)).subject, try P256VerifyingKey(jwk: jwk()).subject)
    let d = #","d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI""#
    assertRefused(.keyRefused) { try P256VerifyingKey(jwk: jwk(rest: d)) }
  }

  func testKeysOfOtherKindsAreRefused() throws {
    let ed25519 = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    for json in [
      "{}", "[]", "null", #"{"kty":"OKP","crv":"Ed25519","x":"\#(ed25519)"}"#,
      #"{"kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)"}"#,
      #"{"kty":"EC","crv":"P-256","x":"\#(x)"}"#, #"{"kty":"EC","x":"\#(x)","y":"\#(y)"}"#,
      #"{"kty":"EC","crv":"P-256","x":1,"y":"\#(y)"}"#, #"{"kty":"oct","k":"AA"}"#,
    ] {
      assertRefused(.keyRefused, json) { try P256VerifyingKey(jwk: JOSETest.json(json)) }
    }
    let other = try SubjectPublicKey(ed25519: JOSETest.bytes(ed25519))
    assertRefused(.keyRefused) { try P256VerifyingKey(other) }
  }
}
