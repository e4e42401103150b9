import Crypto
import ServerTestSupport
import WalletCredentials
import WalletJOSE
import WalletPresentation
import WalletProtocol
import WalletTrust
import XCTest

/// Which registrations of relying parties count, and what they say.
final class PartyRegistrationTests: XCTestCase {
  private let now = TestParty.now
  private let world = Result { try RegistrationWorld() }

  /// The registration of a request with these members, after `change`.
  private func registration(
    type: String = TestRegistrar.type, chain: [[UInt8]]? = nil,
    signer: P256.Signing.PrivateKey? = nil, identifier: String? = TestParty.identifier,
    anchors: TrustAnchors? = nil, _ change: (inout [String: JSONValue]) throws -> Void = { _ in }
  ) throws -> PartyRegistration? {
    let world = try world.get()
    var members = try TestRegistrar.members()
    try change(&members)
    let text = try world.registrar.certificate(members, type: type, chain: chain, by: signer)
    return try world.request(
      [RegistrationWorld.entry(text)], identifier: identifier, anchors: anchors
    ).registration
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8), profile: .foreign)
  }

  func testARegistrationSaysWhatTheDataIsFor() throws {
    let found = try registration {
      $0["purpose"] = try json(
        #"[{"lang":"nl","value":"Leeftijd"},{"lang":"en-GB","value":"Your age"}]"#)
      $0["privacy_policy"] = .string("https://verifier.example/privacy")
      $0["intended_use_id"] = .string("use-1")
      $0["supervisory_authority"] = try json(#"{"email":"dpa@example.org","other":1}"#)
      $0["later"] = .string("ignored")
    }
    let registration = try XCTUnwrap(found)
    XCTAssertEqual(registration.purposes, ["nl": "Leeftijd", "en-GB": "Your age"])
    XCTAssertEqual(registration.privacyPolicy, "https://verifier.example/privacy")
    XCTAssertEqual(registration.intendedUse, "use-1")
    XCTAssertEqual(registration.supervisoryAuthority, ["email": "dpa@example.org"])
    XCTAssertEqual(registration.authority, "National register")
    XCTAssertEqual(registration.expiresAt, now + 1000)
    XCTAssertEqual(registration.queries, ["p"])
    XCTAssertEqual(registration.credentials.map(\.types), [["a"]])
    XCTAssertEqual(registration.credentials.map(\.paths), [[try ClaimsPath([.name("name")])]])
  }

  func testARegistrationMayStateNoMoreThanWhoseItIs() throws {
    let found = try registration {
      for name in ["exp", "credentials"] { $0[name] = nil }
    }
    let registration = try XCTUnwrap(found)
    XCTAssertEqual(registration.purposes, [:])
    XCTAssertNil(registration.privacyPolicy)
    XCTAssertNil(registration.intendedUse)
    XCTAssertNil(registration.expiresAt)
    XCTAssertEqual(registration.supervisoryAuthority, [:])
    XCTAssertEqual(registration.credentials, [])
  }

  func testPurposesAreTextsThatCanBeShown() throws {
    for (purpose, expected) in [
      (#""One text""#, ["und": "One text"]), (#"[{"lang":"en","value":"a"}]"#, ["en": "a"]),
      (#"[{"lang":"en","value":"a"},{"lang":"en","value":"b"}]"#, ["en": "a"]),
      (#"[{"lang":"en","value":"a\u202Eb"},{"lang":"nl","value":"b"}]"#, ["nl": "b"]),
      (#"[{"lang":"e n","value":"a"},{"value":"a"},{"lang":"en"},1,null]"#, [:]),
      (#"[{"lang":"en","value":""},{"lang":"","value":"a"}]"#, [:]), (#""a\nb""#, [:]),
      ("[]", [:]), ("1", [:]), ("null", [:]), ("{}", [:]),
    ] as [(String, [String: String])] {
      let found = try registration { $0["purpose"] = try json(purpose) }
      XCTAssertEqual(found?.purposes, expected, purpose)
    }
  }

  func testAPrivacyPolicyIsAnAddressThatMayBeOpened() throws {
    for address in [
      "http://verifier.example/", "javascript:alert(1)", "verifier.example", "", "https://",
      "https://a@verifier.example/", "https://verifier.example/a b",
    ] {
      let found = try registration { $0["privacy_policy"] = .string(address) }
      XCTAssertNotNil(found)
      XCTAssertNil(found?.privacyPolicy, address)
    }
  }

  func testOnlyARegistrarsSignatureCounts() throws {
    let world = try world.get()
    XCTAssertNotNil(try registration())
    XCTAssertNil(try registration(type: "JWT"))
    XCTAssertNil(try registration(type: "application/rc-wrp+jwt"))
    XCTAssertNil(try registration(type: "rc-rp+jwt"))
    XCTAssertNil(try registration(type: "oauth-authz-req+jwt"))
    XCTAssertNil(try registration(signer: P256.Signing.PrivateKey()))
    XCTAssertNil(try registration(chain: []))
    // A party that registers itself.
    XCTAssertNil(
      try registration(chain: world.party.chain(), signer: world.party.key))
    let withAnchor = try world.registrar.chain() + [world.registrar.authority.certificate]
    XCTAssertNil(try registration(chain: withAnchor))
    for role in TrustRole.allCases where role != .registrar {
      let anchors = try TrustAnchors(
        world.party.anchors().anchors + [world.registrar.anchor(role: role)])
      XCTAssertNil(try registration(anchors: anchors), role.rawValue)
    }
    XCTAssertNil(try registration(anchors: world.party.anchors()))
  }

  func testARegistrationIsForOneOrganisation() throws {
    for sub in [
      #""NTRNL-87654321""#, #""ntrnl-12345678""#, #""NTRNL-12345678 ""#, #""""#, "null", "1", "{}",
      #"["NTRNL-12345678"]"#, #"{"id":["NTRNL-12345678"]}"#, #"{"name":"NTRNL-12345678"}"#,
    ] { XCTAssertNil(try registration { $0["sub"] = try json(sub) }, sub) }
    XCTAssertNil(try registration { $0["sub"] = nil })
    XCTAssertNotNil(
      try registration { $0["sub"] = try json(#"{"legal_name":"x","id":"NTRNL-12345678"}"#) })
    XCTAssertNil(try registration(identifier: "NTRNL-87654321"))
    // Nothing on either side is no match.
    XCTAssertNil(try registration(identifier: nil))
    XCTAssertNil(try registration(identifier: nil) { $0["sub"] = nil })
  }

  func testARegistrationIsForATime() throws {
    let year: Int64 = 366 * 86_400
    for (iat, exp, counts) in [
      (now, now + 1, true), (now + 60, now + 61, true), (now + 61, now + 100, false),
      (now - 1000, now, false), (now - 1000, now - 1, false), (now - 1, now - 1 + year, true),
      (now - 1, now + year, false), (Int64.min, Int64.max, false),
    ] {
      let found = try registration {
        $0["iat"] = .integer(iat)
        $0["exp"] = .integer(exp)
      }
      XCTAssertEqual(found != nil, counts, "from \(iat - now) to \(exp - now)")
    }
    for name in ["iat", "nbf", "exp"] {
      XCTAssertNil(try registration { $0[name] = .string("soon") }, name)
      XCTAssertNil(try registration { $0[name] = .number("1800000500.5") }, name)
    }
    XCTAssertNil(try registration { $0["iat"] = nil })
    XCTAssertNil(try registration { $0["nbf"] = .integer(now + 61) })
    XCTAssertNotNil(try registration { $0["nbf"] = .integer(now + 60) })
  }
}
