import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// What a card states about itself (draft-ietf-oauth-sd-jwt-vc section 2.2.2.2).
final class CredentialTermsTests: XCTestCase {
  private let issuer = CardIssuer()

  private func terms(_ members: [String: JSONValue]) throws -> CredentialTerms {
    try issuer.read(members).terms
  }

  func testAllThatACardMayState() throws {
    let terms = try terms([
      "iss": .string("https://issuer.example"), "nbf": .integer(5),
      "aka_vcts": .array([.string("a"), .string("b")]), "vct#integrity": .string("sha256-x"),
      "status": json(#"{"status_list":{"idx":7,"uri":"https://s.example/1","x":1},"y":2}"#),
    ])
    XCTAssertEqual(terms.type, "urn:example:card:1")
    XCTAssertEqual(terms.otherTypes, ["a", "b"])
    XCTAssertEqual(terms.statedIssuer, "https://issuer.example")
    XCTAssertEqual(terms.issuedAt, CardIssuer.now)
    XCTAssertEqual(terms.notBefore, 5)
    XCTAssertEqual(terms.expires, CardIssuer.now + 86_400)
    XCTAssertEqual(terms.holderKey, try issuer.holderKey)
    XCTAssertEqual(terms.status, .list(index: 7, uri: "https://s.example/1"))
  }

  func testTheLeastThatACardMustState() throws {
    let card = try issuer.read(issuer.card(["vct": .string("x")]))
    XCTAssertEqual(card.terms.type, "x")
    XCTAssertNil(card.terms.statedIssuer)
    XCTAssertNil(card.terms.issuedAt)
    XCTAssertNil(card.terms.expires)
    XCTAssertNil(card.terms.holderKey)
    XCTAssertEqual(card.terms.status, .none)
    XCTAssertEqual(card.terms.validity(at: 0), .valid)
    assertRefused(CredentialError.contentMalformed) { try issuer.read(issuer.card([:])) }
  }

  func testMalformedMembersAreRefused() throws {
    let malformed: [(String, [String])] = [
      ("vct", ["null", "1", #""""#, "[]"]), ("iss", ["null", "1", "{}"]),
      ("vct#integrity", ["null", "1"]),
      (
        "aka_vcts",
        [
          "null", #""a""#, "[1]", #"["a",null]"#, "[]", #"[""]"#, #"["a","urn:example:card:1"]"#,
        ]
      ),
      (
        "iat",
        [
          "null", #""1""#, "1e3", "-1", "-0", "-0.5", "253402300800", "253402300799.5", "true",
        ]
      ),
      ("nbf", ["null", #""1""#, "1.5e1", "-1.5"]),
      ("exp", ["null", #""1""#, "1.5E1", "9223372036854775808", "9223372036854775808.5"]),
      (
        "cnf",
        [
          "null", "{}", "[]", #"{"kid":"x"}"#, #"{"jwk":null}"#, #"{"jwk":{}}"#,
          #"{"jwk":{"kty":"RSA","n":"AQ","e":"AQ"}}"#,
          #"{"jwk":{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}}"#,
        ]
      ),
      (
        "status",
        [
          "null", "[]", #""x""#, #"{"status_list":null}"#, #"{"status_list":{"idx":1}}"#,
          #"{"status_list":{"uri":"https://s.example"}}"#,
          #"{"status_list":{"idx":-1,"uri":"https://s.example"}}"#,
          #"{"status_list":{"idx":1.0,"uri":"https://s.example"}}"#,
          #"{"status_list":{"idx":"1","uri":"https://s.example"}}"#,
          #"{"status_list":{"idx":1,"uri":"http://s.example"}}"#,
          #"{"status_list":{"idx":1,"uri":"https://"}}"#,
          #"{"status_list":{"idx":1,"uri":"https://a@s.example/"}}"#,
          #"{"status_list":{"idx":1,"uri":"https://s.example/ "}}"#,
          #"{"status_list":{"idx":1,"uri":"https://s.example/#x"}}"#,
        ]
      ),
    ]
    for (name, values) in malformed {
      for value in values {
        assertRefused(CredentialError.contentMalformed, "\(name): \(value)") {
          try terms([name: json(value)])
        }
      }
    }
  }

  func testAHolderKeyOfAnotherPartyMayHaveMoreMembersButNotThePrivateKey() throws {
    var jwk = try XCTUnwrap(issuer.holderKey.jwk.object)
    jwk["key_ops"] = .array([.string("verify")])
    jwk["x5t"] = .integer(1)
    // What the issuer says that the key is for is no part of it.
    jwk["alg"] = .string("ECDH-ES")
    jwk["use"] = .string("enc")
    jwk["kid"] = .integer(1)
    XCTAssertEqual(
      try terms(["cnf": .object(["jwk": .object(jwk), "jku": .null])]).holderKey,
      try issuer.holderKey)
    jwk["d"] = .string("AQ")
    assertRefused(CredentialError.contentMalformed) {
      try terms(["cnf": .object(["jwk": .object(jwk)])])
    }
    let key = try SubjectPublicKey(ed25519: [UInt8](repeating: 1, count: 32))
    XCTAssertEqual(try terms(["cnf": .object(["jwk": key.jwk])]).holderKey, key)
  }

  func testTimesMayHaveFractionsWhichLengthenNothingRFC7519Section2() throws {
    for (text, first, last) in [
      ("1000", 1000, 1000), ("1000.0", 1000, 1000), ("1000.000001", 1001, 1000),
      ("1000.999", 1001, 1000), ("0.5", 1, 0), ("253402300798.5", 253_402_300_799, 253_402_300_798),
    ] as [(String, Int64, Int64)] {
      let time = try json(text)
      let terms = try terms(["iat": time, "nbf": time, "exp": time])
      XCTAssertEqual(terms.issuedAt, first, text)
      XCTAssertEqual(terms.notBefore, first, text)
      XCTAssertEqual(terms.expires, last, text)
    }
    XCTAssertEqual(
      try terms(["exp": json("253402300799.5")]).expires, 253_402_300_799, "the last second")
  }

  func testAnIssuerBesideCertificatesIsAnHTTPSURLOrIgnored() throws {
    let header = #"{"alg":"ES256","typ":"dc+sd-jwt","x5c":["AQID"]}"#
    for (stated, given) in [
      ("https://issuer.example/a?b=c", "https://issuer.example/a?b=c"),
      ("http://issuer.example", nil), ("did:example:1", nil), ("", nil), ("https://", nil),
      ("https://:443", nil), ("https://é.example", nil), ("HTTPS://issuer.example", nil),
    ] as [(String, String?)] {
      let payload = try issuer.payload(["iss": .string(stated)])
      let card = try issuer.read(issuer.card(payload, header: header))
      XCTAssertEqual(card.terms.statedIssuer, given, stated)
      // Without certificates it is what the card states.
      XCTAssertEqual(try issuer.read(issuer.card(payload)).terms.statedIssuer, stated)
    }
  }

  func testAnUnknownKindOfStatusIsNotNoStatus() throws {
    XCTAssertEqual(try terms(["status": .object([:])]).status, .unsupported)
    XCTAssertEqual(try terms(["status": json(#"{"other":1}"#)]).status, .unsupported)
  }

  func testValidity() throws {
    let terms = try terms([
      "iat": .integer(1000), "nbf": .integer(2000), "exp": .integer(3000),
    ])
    for (now, expected) in [
      (1939, .notYetValid), (1940, .valid), (2999, .valid), (3000, .expired), (0, .notYetValid),
      (.min, .notYetValid), (.max, .expired),
    ] as [(Int64, CredentialValidity)] {
      XCTAssertEqual(terms.validity(at: now), expected, "\(now)")
    }
    XCTAssertEqual(terms.validity(at: 1999, skew: 0), .notYetValid)
    XCTAssertEqual(terms.validity(at: 2000, skew: 0), .valid)
    let later = try self.terms(["iat": .integer(1000), "exp": .integer(3000)])
    XCTAssertEqual(later.validity(at: 939), .notYetValid)
    XCTAssertEqual(later.validity(at: 940), .valid)
  }
}
