import WalletCrypto
import WalletProtocol
import XCTest

final class SDJWTVerificationTests: XCTestCase {
  private func parts(_ compact: String) -> [String] {
    compact.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
  }

  func testAForgeryThatChangesNothingIsAccepted() throws {
    let parties = try SDJWTParties()
    let verified = try parties.verify(parties.forge())
    XCTAssertEqual(
      verified.claims, ["given_name": .string("Zoë"), "issuing_country": .string("DE")])
    // White space and order of members are the issuer's own affair.
    let spaced = SDJWTParties.disclosure(
      "[ \"AAAAAAAAAAAAAAAAAAAAAA\",\n\"given_name\" , \"Zo\\u00eb\" ]")
    var payload = try parties.payload()
    payload["_sd"] = .array([SDJWTParties.digest(spaced)])
    let again = try parties.verify(parties.forge(payload: payload, disclosures: [spaced]))
    XCTAssertEqual(again.claims, verified.claims)
  }

  func testHeadersThatDifferAreRefused() throws {
    let parties = try SDJWTParties()
    let rest = #""kid":"k1","typ":"dc+sd-jwt""#
    let headers = [
      #"{"alg":"none",\#(rest)}"#, #"{"alg":"ES256",\#(rest)}"#, #"{"alg":"HS256",\#(rest)}"#,
      #"{"alg":"eddsa",\#(rest)}"#, "{\(rest)}", #"{"alg":"EdDSA","typ":"dc+sd-jwt"}"#,
      #"{"alg":"EdDSA","kid":"k1"}"#, #"{"alg":"EdDSA","kid":"k1","typ":"vc+sd-jwt"}"#,
      #"{"alg":"EdDSA","kid":"k1","typ":"DC+SD-JWT"}"#,
      #"{"alg":"EdDSA","kid":"k1","typ":"kb+jwt"}"#, #"{"alg":"EdDSA","kid":"k1","typ":"JWT"}"#,
      #"{"alg":"EdDSA","crit":["exp"],\#(rest)}"#, #"{"alg":"EdDSA","jwk":"x",\#(rest)}"#,
      #"{"alg":"EdDSA","x5c":[],\#(rest)}"#, #"{"alg":["EdDSA"],\#(rest)}"#,
      #"{"alg":"EdDSA","kid":1,"typ":"dc+sd-jwt"}"#, #"{"alg":"none","alg":"EdDSA",\#(rest)}"#,
      #"{"alg":"EdDSA","alg":"EdDSA",\#(rest)}"#, "[]", "", "null", "{", "{} {}",
    ]
    for header in headers {
      assertRefused(.headerRefused, header) { try parties.verify(parties.forge(header: header)) }
    }
  }

  func testTheAlgorithmComesFromTheKey() throws {
    struct Gullible: Verifier {
      let algorithm: SignatureAlgorithm
      func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
    }
    let compact = try SDJWTParties().issue()
    assertRefused(.headerRefused) {
      try SDJWT(parsing: compact).verifyIssued(
        SDJWTParties.expectation(), verifier: Gullible(algorithm: .es256), sha256: Hash.sha256)
    }
    // Unsigned: the right header, no signature.
    let unsigned = compact.split(separator: ".")[0...1].joined(separator: ".") + ".~"
    assertRefused(.malformed) { try SDJWT(parsing: unsigned) }
  }

  func testEveryChangedPartIsNoticed() throws {
    for algorithm in [SignatureAlgorithm.edDSA, .es256] {
      let parties = try SDJWTParties(issuer: algorithm)
      let compact = try parties.issue()
      let other = try parties.issue(salts: "other")
      let signed = parts(compact)[0].split(separator: ".").map(String.init)
      let foreign = parts(other)[0].split(separator: ".").map(String.init)
      let rest = "~" + parts(compact).dropFirst().joined(separator: "~")
      assertRefused(.signatureInvalid) {
        try parties.verify("\(signed[0]).\(foreign[1]).\(signed[2])" + rest)
      }
      assertRefused(.signatureInvalid) {
        try parties.verify("\(signed[0]).\(signed[1]).\(foreign[2])" + rest)
      }
      let header = #"{"alg":"\#(algorithm.rawValue)","kid":"k2","typ":"dc+sd-jwt"}"#
      assertRefused(.signatureInvalid) {
        try parties.verify("\(Base64URL.encode(header.utf8)).\(signed[1]).\(signed[2])" + rest)
      }
      let stranger = try Party(algorithm, "stranger")
      assertRefused(.signatureInvalid) {
        try SDJWT(parsing: compact).verifyIssued(
          SDJWTParties.expectation(), verifier: stranger.verifier, sha256: Hash.sha256)
      }
    }
  }

  func testDisclosuresMustBeTheIssuersOwn() throws {
    let parties = try SDJWTParties()
    let own = parts(try parties.issue())
    let other = parts(try parties.issue(salts: "other"))
    func verify(_ disclosures: [String]) throws -> VerifiedSDJWT {
      try parties.verify(([own[0]] + disclosures).joined(separator: "~") + "~")
    }
    let good = Array(own[1...4])
    // Any order is the same set of claims; any part of them is a smaller one.
    XCTAssertEqual(try verify(good.reversed()).claims, try verify(good).claims)
    XCTAssertEqual(try verify(Array(good[1...])).withheldCount, 1)
    XCTAssertEqual(try verify([]).disclosed, [])
    // Swapped, added, repeated, with another salt, value or name.
    for index in good.indices {
      var swapped = good
      swapped[index] = other[index + 1]
      assertRefused(.disclosureUnreferenced) { try verify(swapped) }
      assertRefused(.disclosureUnreferenced) { try verify(good + [other[index + 1]]) }
      assertRefused(.disclosureRepeated) { try verify(good + [good[index]]) }
      let bytes = try XCTUnwrap(Base64URL.decode(good[index]))
      let json = String(decoding: bytes, as: UTF8.self)
      for (from, to) in [("[\"", "[\"A"), ("\",\"", "\",\"x"), ("]", "  ]")] {
        let changed = json.replacing(from, with: to, maxReplacements: 1)
        XCTAssertNotEqual(changed, json)
        XCTAssertThrowsError(try verify([Base64URL.encode(changed.utf8)]))
      }
    }
    assertRefused(.disclosureUnreferenced) {
      try verify([SDJWTParties.disclosure(#"["AAAAAAAAAAAAAAAAAAAAAA","admin",true]"#)])
    }
  }

  func testMalformedDisclosuresAreRefused() throws {
    let parties = try SDJWTParties()
    let salt = #""AAAAAAAAAAAAAAAAAAAAAA""#
    let malformed = [
      "", "[]", "{}", "null", "[\(salt)]", #"[\#(salt),"x"]"#, #"[\#(salt),"x",1,2]"#,
      #"[\#(salt),1,2]"#, #"[1,"x",2]"#, #"["short","x",2]"#, #"["AAAAAAAAAAAAAAAAAAAA","x",2]"#,
      #"["AAAAAAAAAAAAAAAAAAAAA!","x",2]"#, #"[\#(salt),"x",1.5]"#,
      #"[\#(salt),"x",{"a":1,"a":2}]"#,
      #"[\#(salt),"x",1] "# + "x", #"[\#(salt),"x","\ud800"]"#,
    ]
    for json in malformed {
      let text = SDJWTParties.disclosure(json)
      var payload = try parties.payload()
      payload["_sd"] = .array([SDJWTParties.digest(text)])
      assertRefused(.disclosureMalformed, json) {
        try parties.verify(parties.forge(payload: payload, disclosures: [text]))
      }
    }
    for text in ["=", SDJWTParties.disclosure() + "=", " ", SDJWTParties.disclosure() + "\n", "é"] {
      assertRefused(.disclosureMalformed, text) {
        try parties.verify(parties.forge(disclosures: [text]))
      }
    }
  }

  func testDisclosuresThatTheIssuerShouldNotHaveSignedAreRefused() throws {
    let parties = try SDJWTParties()
    func verify(_ disclosures: [String], digests: [JSONValue]? = nil) throws -> VerifiedSDJWT {
      var payload = try parties.payload()
      payload["_sd"] = .array(digests ?? disclosures.map { SDJWTParties.digest($0) })
      return try parties.verify(parties.forge(payload: payload, disclosures: disclosures))
    }
    func disclosure(_ name: String, _ value: String = "1", salt: Character = "A") -> String {
      let salt = String(repeating: salt, count: 21) + "A"
      return SDJWTParties.disclosure(#"["\#(salt)","\#(name)",\#(value)]"#)
    }
    XCTAssertNoThrow(try verify([disclosure("x"), disclosure("y")]))
    for name in ["_sd", "...", "_sd_alg", "iss", "iat", "exp", "nbf", "cnf", "vct", "status"] {
      assertRefused(.nameReserved, name) { try verify([disclosure(name)]) }
    }
    for value in [#"{"_sd":[]}"#, #"[{"...":"x"}]"#, #"{"a":{"_sd":["x"]}}"#] {
      assertRefused(.nameReserved, value) { try verify([disclosure("x", value)]) }
    }
    // Names twice: in two disclosures, and beside the same claim in the open.
    assertRefused(.claimRepeated) {
      try verify([disclosure("x"), disclosure("x", "2", salt: "B")])
    }
    assertRefused(.claimRepeated) { try verify([disclosure("issuing_country")]) }
    let digest = SDJWTParties.digest(disclosure("x"))
    assertRefused(.digestRepeated) { try verify([disclosure("x")], digests: [digest, digest]) }
    assertRefused(.digestRepeated) { try verify([], digests: [digest, digest]) }
    // Digests without a disclosure may be decoys (RFC 9901 section 4.2.5).
    let decoy = SDJWTParties.digest("decoy")
    XCTAssertEqual(try verify([disclosure("x")], digests: [digest, decoy]).withheldCount, 1)
  }

  func testAPayloadOfAnotherShapeIsRefused() throws {
    let parties = try SDJWTParties()
    let payload = try parties.payload()
    let short = Base64URL.encode([UInt8](repeating: 1, count: 31))
    let changes: [(String, [JSONValue?])] = [
      ("iss", [nil, .null, .integer(1), .string("")]), ("vct", [nil, .null, .string("")]),
      ("iat", [nil, .string("1"), .integer(-1), .integer(.max), .boolean(true)]),
      ("exp", [nil, .string("1"), .integer(SDJWTParties.now), .integer(.max)]),
      ("nbf", [.string("1"), .null, .integer(.max)]),
      ("cnf", [nil, .null, .object([:]), parties.holder.key.jwk, .object(["jwk": .null])]),
      ("cnf", [.object(["jwk": parties.holder.key.jwk, "kid": .string("x")])]),
      ("status", [.object([:]), .null]),
      ("_sd_alg", [.string("sha-512"), .string("SHA-256"), .null, .integer(1)]),
      ("_sd", [.null, .object([:]), .string("x"), .array([.null]), .array([.string(short)])]),
      ("_sd", [.array([.string("")]), .array(.init(repeating: .string("x"), count: 300))]),
    ]
    for (name, values) in changes {
      for value in values {
        var changed = payload
        changed[name] = value
        assertRefused(.contentMalformed, name) {
          try parties.verify(parties.forge(payload: changed, disclosures: []))
        }
      }
    }
    var nested = payload
    nested["address"] = .object(["_sd": .array([])])
    assertRefused(.nameReserved) { try parties.verify(parties.forge(payload: nested)) }
    nested = payload
    nested["..."] = .string("x")
    assertRefused(.nameReserved) { try parties.verify(parties.forge(payload: nested)) }
    let good = String(decoding: JSONValue.object(payload).encoded, as: UTF8.self)
    let texts = [
      "", "[]", "null", "{", good + "x", good.dropLast() + #","iss":"provider"}"#,
      good.dropLast() + #","x":1.5}"#, good.dropLast() + ",}", "\u{FEFF}" + good,
    ]
    for json in texts {
      assertRefused(.contentMalformed, json) { try parties.verify(parties.forge(json: json)) }
    }
    var defaulted = payload
    defaulted["_sd_alg"] = nil
    XCTAssertNoThrow(try parties.verify(parties.forge(payload: defaulted)))
  }

  func testIssuerTypeAndTimesAreChecked() throws {
    let parties = try SDJWTParties()
    let compact = try parties.issue()
    let now = SDJWTParties.now
    var expected = SDJWTParties.expectation()
    expected.issuer = "other"
    assertRefused(.issuerRefused) { try parties.verify(compact, expected) }
    expected = SDJWTParties.expectation()
    expected.type = "urn:eudi:pid:1"
    assertRefused(.typeRefused) { try parties.verify(compact, expected) }
    // The skew is 60 seconds.
    for (time, reason) in [
      (now - 60, nil), (now - 61, .notYetValid), (now + 86_459, nil), (now + 86_460, .expired),
      (Int64.min, .notYetValid), (Int64.max, .expired), (0, .notYetValid),
    ] as [(Int64, SDJWTError?)] {
      guard let reason else {
        XCTAssertNoThrow(try parties.verify(compact, SDJWTParties.expectation(at: time)))
        continue
      }
      assertRefused(reason) { try parties.verify(compact, SDJWTParties.expectation(at: time)) }
    }
    var later = try parties.payload()
    later["nbf"] = .integer(now + 61)
    assertRefused(.notYetValid) { try parties.verify(parties.forge(payload: later)) }
    later["nbf"] = .integer(now + 60)
    XCTAssertNoThrow(try parties.verify(parties.forge(payload: later)))
  }

  func testNamesThatOnlyLookAlikeAreNotEqual() throws {
    let parties = try SDJWTParties()
    let compact = try parties.issue { $0.issuer = "provid\u{00E9}r" }
    var expected = SDJWTParties.expectation()
    expected.issuer = "provid\u{0065}\u{0301}r"
    assertRefused(.issuerRefused) { try parties.verify(compact, expected) }
  }

  func testWhatIsNoSDJWTIsRefused() throws {
    let parties = try SDJWTParties()
    let compact = try parties.issue()
    let signed = parts(compact)[0]
    let malformed = [
      "", "~", "~~", "..~", signed, "~" + compact, " " + compact, signed + ".~", "." + signed + "~",
      signed + "=~", signed.replacing(".", with: "..") + "~",
      String(repeating: "A", count: SDJWT.maximumLength + 1),
      signed + String(repeating: "~", count: 300), compact + "x", compact + "a.b.c",
    ]
    for text in malformed {
      XCTAssertThrowsError(try SDJWT(parsing: text), text) {
        XCTAssertTrue([.malformed, .disclosureMalformed].contains($0 as? SDJWTError), text)
      }
    }
  }

  func testADigestOfTheStandard() throws {
    // RFC 9901 section 4.2.3.
    let disclosure = "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"
    let parties = try SDJWTParties()
    var payload = try parties.payload()
    payload["_sd"] = .array([.string("X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0")])
    let verified = try parties.verify(
      parties.forge(payload: payload, disclosures: [disclosure]))
    XCTAssertEqual(verified.claims["family_name"], .string("Möbius"))
  }
}
