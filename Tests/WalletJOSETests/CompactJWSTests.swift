import Crypto
import Foundation
import WalletJOSE
import WalletProtocol
import XCTest

final class CompactJWSTests: XCTestCase {
  private let type = "example+jwt"
  private let key = TestKey(keyID: "k1")

  private func header(_ rest: String = "") -> String {
    #"{"alg":"ES256","typ":"example+jwt"\#(rest)}"#
  }

  private func signed(_ header: String) throws -> String {
    try JOSETest.jws(header: header, key: key)
  }

  private func verify(_ text: String) throws {
    try CompactJWS(parsing: text).verify(type: type, by: key.verifier)
  }

  func testWhatIsSignedVerifies() throws {
    for payload in [[], Array("{}".utf8), [0, 255], [UInt8](repeating: 7, count: 30_000)] {
      let jws = try CompactJWS(parsing: CompactJWS.sign(payload, type: type, signer: key))
      try jws.verify(type: type, by: key.verifier)
      XCTAssertEqual(jws.payload, payload)
      XCTAssertEqual(jws.header.algorithm, "ES256")
      XCTAssertEqual(jws.header.type, type)
      XCTAssertEqual(jws.header.keyID, "k1")
      XCTAssertEqual(jws.header.chain, [])
    }
    XCTAssertNil(
      try CompactJWS(parsing: CompactJWS.sign([], type: type, signer: TestKey())).header.keyID)
  }

  func testTheExampleOfRFC7515AppendixA3IsReadAndHasNoType() throws {
    let jws = try CompactJWS(
      parsing: "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6"
        + "Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXF"
        + "CgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
    XCTAssertTrue(jws.payload.starts(with: #"{"iss":"joe","#.utf8))
    let key = try P256VerifyingKey(
      jwk: JOSETest.json(
        #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
          + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#))
    assertRefused(.typeRefused) { try jws.verify(type: "JWT", by: key) }
  }

  func testUnknownMembersOfTheHeaderAreIgnoredRFC7515Section4() throws {
    try verify(signed(header(#","x":{"y":[1,null]},"jku":"https://evil.example","b64":true"#)))
  }

  func testEachChangedCharacterIsRefused() throws {
    let text = try CompactJWS.sign(Array("{}".utf8), type: type, signer: key)
    for changed in JOSETest.changes(of: text) + JOSETest.beginnings(of: text) {
      XCTAssertThrowsError(try verify(changed), changed)
    }
  }

  func testAnotherKeyIsRefused() throws {
    let jws = try CompactJWS(parsing: signed(header()))
    assertRefused(.signatureInvalid) { try jws.verify(type: type, by: TestKey().verifier) }
  }

  func testCriticalMembersAreRefusedRFC7515Section4111() throws {
    for members in [#""b64"],"b64":false"#, #""x"],"x":1"#, "]"] {
      assertRefused(.criticalHeader) { try verify(signed(header(#","crit":["# + members))) }
    }
    assertRefused(.criticalHeader) { try verify(signed(header(#","crit":null"#))) }
  }

  func testNoSignatureIsRefusedRFC7515AppendixA5() throws {
    for algorithm in ["none", "None", "NONE"] {
      let text = try JOSETest.jws(
        header: #"{"alg":"\#(algorithm)","typ":"example+jwt"}"#, key: key, signature: { _ in [] })
      assertRefused(.algorithmRefused) { try verify(text) }
    }
    let empty = try JOSETest.jws(header: header(), key: key, signature: { _ in [] })
    assertRefused(.signatureInvalid) { try verify(empty) }
  }

  func testAlgorithmsOfOtherKeysAreRefusedRFC8725Section31() throws {
    for algorithm in ["HS256", "EdDSA", "ES384", "RS256", "es256", "ES256 "] {
      assertRefused(.algorithmRefused) {
        try verify(signed(#"{"alg":"\#(algorithm)","typ":"example+jwt"}"#))
      }
    }
    for wrong in [#"{"typ":"example+jwt"}"#, #"{"alg":"","typ":"example+jwt"}"#] {
      assertRefused(.headerMalformed) { try verify(signed(wrong)) }
    }
  }

  func testAnotherTypeIsRefusedRFC8725Section311() throws {
    for type in ["JWT", "Example+jwt", "application/example+jwt", "example+jwt ", ""] {
      assertRefused(.typeRefused) { try verify(signed(#"{"alg":"ES256","typ":"\#(type)"}"#)) }
    }
    assertRefused(.typeRefused) { try verify(signed(#"{"alg":"ES256"}"#)) }
    assertRefused(.headerMalformed) { try verify(signed(#"{"alg":"ES256","typ":1}"#)) }
  }

  func testASignatureInDERIsRefusedRFC7518Section34() throws {
    let text = try JOSETest.jws(header: header(), key: key, signature: key.signDER)
    assertRefused(.signatureInvalid) { try verify(text) }
  }

  func testSignaturesOf63And65BytesAreRefusedRFC7518Section34() throws {
    for change: ([UInt8]) -> [UInt8] in [
      { Array($0.dropLast()) }, { Array($0.dropFirst()) }, { $0 + [0] }, { [0] + $0 },
    ] {
      let text = try JOSETest.jws(header: header(), key: key) { change(try self.key.sign($0)) }
      assertRefused(.signatureInvalid) { try verify(text) }
    }
  }

  func testOtherNumbersOfPartsAreRefusedRFC7515Section71() throws {
    let text = try signed(header())
    let parts = text.split(separator: ".").map(String.init)
    for wrong in [
      "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], text + ".", "." + text,
      text + "." + parts[2], text + "~", text + "\n", " " + text,
    ] {
      XCTAssertThrowsError(try verify(wrong), wrong)
    }
    for wrong in [text + ".", parts[0] + "." + parts[1]] {
      assertRefused(.malformed) { try verify(wrong) }
    }
  }

  func testPaddingAndStandardBase64AreRefusedRFC7515Section2() throws {
    let text = try signed(header())
    let parts = text.split(separator: ".").map(String.init)
    for part in parts.indices {
      for change: (String) -> String in [
        { $0 + "=" }, { $0 + "==" }, { "+" + $0.dropFirst() }, { "/" + $0.dropFirst() },
        { $0 + " " }, { $0 + "\n" },
      ] {
        var changed = parts
        changed[part] = change(parts[part])
        assertRefused(.malformed, "\(part)") { try verify(changed.joined(separator: ".")) }
      }
    }
  }

  func testRepeatedMembersOfTheHeaderAreRefusedRFC7515Section4() throws {
    for repeated in [
      #"{"alg":"ES256","alg":"ES256","typ":"example+jwt"}"#,
      #"{"alg":"none","typ":"example+jwt","alg":"ES256"}"#,
      #"{"alg":"ES256","typ":"example+jwt","\u0074yp":"example+jwt"}"#,
      #"{"alg":"ES256","typ":"example+jwt","x":{"a":1,"a":1}}"#,
    ] {
      assertRefused(.headerMalformed, repeated) { try verify(signed(repeated)) }
    }
  }

  func testHeadersThatAreNoObjectsAreRefused() throws {
    for wrong in ["", "[]", "null", "1", #""ES256""#, "{", "{}}", "{\"alg\":\"ES256\",}"] {
      assertRefused(.headerMalformed, wrong) { try verify(signed(wrong)) }
    }
  }

  func testTextsBeyondTheLimitAreRefused() throws {
    let text = try signed(header())
    let long = String(repeating: "A", count: CompactJWS.maximumLength)
    assertRefused(.malformed) { try verify(text + long) }
  }

  func testTheChainTravelsInStandardBase64RFC7515Section416() throws {
    // Of all lengths of padding, and with both characters that the alphabets differ in.
    let chain: [[UInt8]] = [[0xFB, 0xFF, 0xFE], [0xFF], [0xFB, 0xEF], [UInt8](0...255)]
    let text = try CompactJWS.sign([], type: type, chain: chain, signer: key)
    let jws = try CompactJWS(parsing: text)
    try jws.verify(type: type, by: key.verifier)
    XCTAssertEqual(jws.header.chain, chain)
    XCTAssertEqual(
      jws.header.members["x5c"],
      .array(chain.map { .string(Data($0).base64EncodedString()) }))
  }

  func testBase64URLInTheChainIsRefusedRFC7515Section416() throws {
    for wrong in ["-__-", "_w", "_w==", "/w", "/w=", "/w===", "/x==", "====", "", "A", "/w==\\n"] {
      assertRefused(.chainMalformed, wrong) { try verify(signed(header(#","x5c":["\#(wrong)"]"#))) }
    }
    try verify(signed(header(#","x5c":["/w=="]"#)))
  }

  func testChainsOfOtherFormsAreRefused() throws {
    XCTAssertEqual(JOSEHeader.maximumChain, 4)
    let long = [String](repeating: #""/w==""#, count: JOSEHeader.maximumChain + 1)
      .joined(separator: ",")
    for wrong in ["[]", #""/w==""#, "[1]", "{}", "null", #"["/w==",null]"#, "[\(long)]"] {
      assertRefused(.chainMalformed, wrong) { try verify(signed(header(#","x5c":\#(wrong)"#))) }
    }
  }

  func testASignerThatReturnsOtherThan64BytesIsRefused() throws {
    for count in [0, 63, 65, 70] {
      let signer = FixedSigner(signature: [UInt8](repeating: 1, count: count))
      assertRefused(.signerRefused) { try CompactJWS.sign([], type: type, signer: signer) }
    }
  }

  func testNothingIsShownByAccident() throws {
    let jws = try CompactJWS(parsing: signed(header()))
    XCTAssertEqual("\(jws)", "CompactJWS")
  }
}
