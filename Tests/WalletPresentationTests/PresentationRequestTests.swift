import Crypto
import ServerTestSupport
import WalletCredentials
import WalletJOSE
import WalletPresentation
import WalletProtocol
import WalletTrust
import XCTest

/// Request objects of relying parties: which are taken for genuine, what is answered to the others.
final class PresentationRequestTests: XCTestCase {
  private let now = TestParty.now
  private let party = Result { try TestParty() }
  private let encryptionKey = Result { try KeyAgreementKey().publicKey }
  private let responseURI = "https://verifier.example/response?id=1"

  private func anchors(role: TrustRole = .relyingParty) throws -> TrustAnchors {
    try party.get().anchors(role: role)
  }

  private func chain(_ hosts: [String] = ["verifier.example"]) throws -> [[UInt8]] {
    try party.get().chain(hosts)
  }

  private func hash(_ chain: [[UInt8]]) -> String {
    "x509_hash:" + Base64URL.encode(Array(SHA256.hash(data: chain[0])))
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8), profile: .foreign)
  }

  private func jwk(_ more: [String: JSONValue] = [:]) throws -> JSONValue {
    TestParty.jwk(try encryptionKey.get(), more)
  }

  private func metadata(_ more: [String: JSONValue] = [:]) throws -> JSONValue {
    let members = TestParty.members("", key: try encryptionKey.get(), metadata: more)
    return try XCTUnwrap(members["client_metadata"])
  }

  /// Signs a request after `change` and judges it.
  private func judge(
    chain given: [[UInt8]]? = nil, clientID given2: String? = nil, linkClientID: String? = nil,
    requestURI: String = "https://verifier.example/request/1", walletNonce: String? = nil,
    type: String = "oauth-authz-req+jwt", signer: P256.Signing.PrivateKey? = nil,
    anchors: TrustAnchors? = nil, _ change: (inout [String: JSONValue]) -> Void = { _ in }
  ) throws -> PresentationRequest {
    let chain = try given ?? chain()
    let clientID = given2 ?? hash(chain)
    var members = TestParty.members(clientID, key: try encryptionKey.get())
    change(&members)
    let text = try party.get().object(members, chain: chain, type: type, by: signer)
    let link = try PresentationLink(
      parsing: "openid4vp://?client_id=\(linkClientID ?? clientID)&request_uri=\(requestURI)")
    return try PresentationRequest(
      parsing: text, calledBy: link, walletNonce: walletNonce, anchors: anchors ?? self.anchors(),
      now: now)
  }

  /// Without `error`, nothing may be told to anybody.
  private func assertRefused(
    _ reason: RequestRefusal.Reason, _ error: String? = nil, line: UInt = #line,
    _ request: () throws -> PresentationRequest
  ) {
    XCTAssertThrowsError(try request(), line: line) {
      let refusal = $0 as? RequestRefusal
      XCTAssertEqual(refusal?.reason, reason, line: line)
      XCTAssertEqual(refusal?.reply?.error, error, line: line)
      if error != nil { XCTAssertEqual(refusal?.reply?.responseURI, responseURI, line: line) }
    }
  }

  func testAGenuineRequestSaysWhoAsksForWhat() throws {
    let request = try judge(walletNonce: "w1") {
      $0["wallet_nonce"] = .string("w1")
      $0["later"] = .string("ignored")
    }
    XCTAssertEqual(request.party.host, "verifier.example")
    XCTAssertEqual(request.party.authority, "Authority")
    XCTAssertTrue(request.party.isHostCertified)
    XCTAssertEqual(request.nonce, "n-0.1_2~3")
    XCTAssertEqual(request.state, "s1")
    XCTAssertEqual(request.responseURI, responseURI)
    XCTAssertEqual(request.expiresAt, now + 300)
    XCTAssertEqual(request.query.credentials.map(\.id), ["p"])
    XCTAssertEqual(request.encryption.keyID, "k1")
    XCTAssertEqual(request.encryption.cipher, .a128gcm)
    let byName = try judge(clientID: "x509_san_dns:verifier.example")
    XCTAssertEqual(byName.party.clientID, "x509_san_dns:verifier.example")
    let unnamed = try judge(chain: chain([]))
    XCTAssertFalse(unnamed.party.isHostCertified, "no name in the certificate")
  }

  func testTraps1To3TheClientIsTheSameInLinkObjectAndCertificate() throws {
    let genuine = hash(try chain())
    assertRefused(.clientMismatch) { try judge(linkClientID: "x509_hash:other") }
    let bare = String(genuine.dropFirst("x509_hash:".count))
    assertRefused(.clientMismatch) { try judge(linkClientID: "x509_san_dns:" + bare) }
    // The hash of something else, such as of the PEM.
    assertRefused(.clientMismatch) { try judge(clientID: "x509_hash:" + bare.dropLast() + "A") }
    assertRefused(.clientMismatch) { try judge { $0["client_id"] = nil } }
    assertRefused(.clientMismatch) { try judge(clientID: "x509_san_dns:other.example") }
    for id in [
      "redirect_uri:https://verifier.example/response", "decentralized_identifier:did:a:b",
      "verifier_attestation:a", "openid_federation:https://a.example", "origin:https://a.example",
      "later:a", "plain", "X509_HASH:a",
    ] { assertRefused(.clientKindUnknown) { try judge(clientID: id) } }
  }

  func testTrap40OnlyChainsOfTheConfigurationCount() throws {
    let other = try TestAuthority("Access authority")
    let foreign = try other.chain(
      of: "Example Verifier", key: Array(party.get().key.publicKey.x963Representation))
    assertRefused(.partyNotTrusted) { try judge(chain: foreign) }
    assertRefused(.partyNotTrusted) { try judge(anchors: anchors(role: .issuer)) }
    assertRefused(.partyNotTrusted) { try judge(anchors: TrustAnchors.none) }
    // With the anchor inside, and the anchor alone.
    let anchor = try party.get().authority.certificate
    let withAnchor = try chain() + [anchor]
    assertRefused(.partyNotTrusted) { try judge(chain: withAnchor) }
    assertRefused(.partyNotTrusted) { try judge(chain: [anchor]) }
    assertRefused(.signatureInvalid) { try judge(signer: P256.Signing.PrivateKey()) }
    assertRefused(.objectMalformed) { try judge(type: "JWT") }
    assertRefused(.objectMalformed) { try judge(chain: [], clientID: "x509_hash:a") }
    let link = try PresentationLink(
      parsing: "openid4vp://?client_id=a&request_uri=https://verifier.example/r")
    for text in ["", "a.b.c", "e30.e30.", "eyJhbGciOiJub25lIn0.e30."] {
      assertRefused(.objectMalformed) {
        try PresentationRequest(
          parsing: text, calledBy: link, walletNonce: nil, anchors: anchors(), now: now)
      }
    }
  }

  func testTrap39TheAnswerGoesToAHostOfTheParty() throws {
    for uri in ["https://evil.example/response", "https://verifier.example.evil.example/"] {
      assertRefused(.responseHostRefused) { try judge { $0["response_uri"] = .string(uri) } }
      assertRefused(.responseHostRefused) {
        try judge(clientID: "x509_san_dns:verifier.example") { $0["response_uri"] = .string(uri) }
      }
    }
    assertRefused(.responseHostRefused) { try judge(requestURI: "https://evil.example/request") }
    // Without names in the certificate both hosts must be one.
    assertRefused(.responseHostRefused) {
      try judge(chain: chain([]), requestURI: "https://evil.example/request")
    }
    for uri in [
      "http://verifier.example/", "javascript:alert(1)", "https://a@verifier.example/", "",
    ] {
      assertRefused(.invalid) { try judge { $0["response_uri"] = .string(uri) } }
    }
    assertRefused(.invalid) { try judge { $0["response_uri"] = nil } }
  }

  func testTraps12And35TheRequestIsForThisWalletAndForNow() throws {
    assertRefused(.nonceMismatch) { try judge(walletNonce: "w1") }
    assertRefused(.nonceMismatch) {
      try judge(walletNonce: "w1") { $0["wallet_nonce"] = .string("w2") }
    }
    assertRefused(.notForNow) { try judge { $0["aud"] = nil } }
    assertRefused(.notForNow) { try judge { $0["aud"] = .string("https://self-issued.me") } }
    _ = try judge { $0["aud"] = .array([.string("a"), .string("https://self-issued.me/v2")]) }
    for (name, time) in [("exp", now), ("exp", now - 1), ("iat", now + 61), ("nbf", now + 61)] {
      assertRefused(.notForNow) { try judge { $0[name] = .integer(time) } }
      assertRefused(.notForNow) { try judge { $0[name] = .string("soon") } }
    }
    _ = try judge {
      $0["exp"] = .integer(now + 1)
      $0["iat"] = .integer(now + 60)
      $0["nbf"] = .integer(now + 60)
    }
    XCTAssertEqual(try judge { $0["exp"] = nil }.expiresAt, now + 3600)
  }

  func testATimeThatHasNoDateIsRefused() throws {
    let lastSecond: Int64 = 253_402_300_799
    XCTAssertEqual(try judge { $0["exp"] = .integer(lastSecond) }.expiresAt, now + 3600)
    for name in ["exp", "iat", "nbf"] {
      for time in try [
        .integer(lastSecond + 1), .integer(.max), .integer(.min), .integer(-1), .null,
        json("9223372036854775808"), json("1e300"), json("-1e300"), json("1e19"), json("1.5"),
      ] as [JSONValue] {
        assertRefused(.notForNow) { try judge { $0[name] = time } }
      }
    }
    XCTAssertEqual(try judge { $0["iat"] = .integer(0) }.expiresAt, now + 300)
  }

  /// The user reads them, so they must not disguise anything.
  func testNamesThatCannotBeShownAreRefused() throws {
    func query(type: String = "urn:a", claim: String = "b") -> JSONValue {
      .object([
        "credentials": .array([
          .object([
            "id": .string("p"), "format": .string("dc+sd-jwt"),
            "meta": .object(["vct_values": .array([.string("urn:b"), .string(type)])]),
            "claims": .array([
              .object(["path": .array([.string("a"), .null, .integer(1), .string(claim)])])
            ]),
          ])
        ])
      ])
    }
    let longest = String(repeating: "a", count: 1024)
    _ = try judge { $0["dcql_query"] = query(type: longest, claim: longest) }
    _ = try judge { $0["dcql_query"] = query(type: "Prüfung 証明", claim: "straße") }
    for name in [
      "a\u{202E}b", "a\u{2066}b", "a\u{200B}b", "a\nb", "a\u{7}b", "\u{2028}", "\u{E000}", "",
      longest + "a",
    ] {
      assertRefused(.invalid, "invalid_request") {
        try judge { $0["dcql_query"] = query(type: name) }
      }
      assertRefused(.invalid, "invalid_request") {
        try judge { $0["dcql_query"] = query(claim: name) }
      }
    }
  }

  func testMistakesOfAnAuthenticatedPartyAreToldByTheirCode() throws {
    let mistakes: [(String, JSONValue?, RequestRefusal.Reason, String)] = [
      ("response_type", nil, .invalid, "unsupported_response_type"),
      ("response_type", .string("code"), .invalid, "unsupported_response_type"),
      ("response_mode", nil, .invalid, "invalid_request"),
      ("response_mode", .string("direct_post"), .invalid, "invalid_request"),
      ("response_mode", .string("fragment"), .invalid, "invalid_request"),
      ("redirect_uri", .string("https://verifier.example/"), .invalid, "invalid_request"),
      ("nonce", nil, .invalid, "invalid_request"),
      ("nonce", .string(""), .invalid, "invalid_request"),
      ("nonce", .string("a b"), .invalid, "invalid_request"),
      ("nonce", .string("a/b"), .invalid, "invalid_request"),
      ("dcql_query", nil, .invalid, "invalid_request"),
      ("dcql_query", .object([:]), .invalid, "invalid_request"),
      ("scope", .string("pid"), .invalid, "invalid_request"),
      ("transaction_data", .array([.string("e30")]), .transactionData, "invalid_transaction_data"),
      ("transaction_data", .array([]), .transactionData, "invalid_transaction_data"),
      ("client_metadata", nil, .formatsNotSupported, "vp_formats_not_supported"),
    ]
    for (name, value, reason, error) in mistakes {
      assertRefused(reason, error) { try judge { $0[name] = value } }
    }
    assertRefused(.scopeUnknown, "invalid_scope") {
      try judge {
        $0["dcql_query"] = nil
        $0["scope"] = .string("pid")
      }
    }
    assertRefused(.invalid) { try judge { $0["state"] = .string("a b") } }
    XCTAssertNil(try judge { $0["state"] = nil }.state)
  }

  func testFormatsAndAlgorithmsInCommon() throws {
    for (formats, isCommon) in [
      (#"{"dc+sd-jwt":{}}"#, true),
      (#"{"dc+sd-jwt":{"kb-jwt_alg_values":["ES256","ES384"]}}"#, true),
      (#"{"dc+sd-jwt":{"sd-jwt_alg_values":["ES384"]}}"#, false),
      (#"{"dc+sd-jwt":{"kb-jwt_alg_values":["EdDSA"]}}"#, false),
      (#"{"dc+sd-jwt":{"sd-jwt_alg_values":"ES256"}}"#, false), (#"{"mso_mdoc":{}}"#, false),
      (#"{"vc+sd-jwt":{}}"#, false), ("{}", false), ("[]", false),
    ] {
      let metadata = try metadata(["vp_formats_supported": json(formats)])
      if isCommon {
        _ = try judge { $0["client_metadata"] = metadata }
      } else {
        assertRefused(.formatsNotSupported, "vp_formats_not_supported") {
          try judge { $0["client_metadata"] = metadata }
        }
      }
    }
  }

  func testTheAnswerIsEncryptedToAKeyOfTheParty() throws {
    func encryption(_ more: [String: JSONValue]) throws -> ResponseEncryption {
      let metadata = try metadata(more)
      return try judge { $0["client_metadata"] = metadata }.encryption
    }
    func keys(_ keys: JSONValue...) -> [String: JSONValue] {
      ["jwks": .object(["keys": .array(keys)])]
    }
    let enc = "encrypted_response_enc_values_supported"
    XCTAssertEqual(
      try encryption([enc: .array([.string("A128GCM"), .string("A256GCM")])]).cipher, .a256gcm)
    XCTAssertEqual(try encryption([enc: .array([.string("A128GCM")])]).cipher, .a128gcm)
    let other = try jwk(["kid": .string("k2")])
    XCTAssertEqual(try encryption(keys(jwk(["alg": .string("ECDH-ES+A128KW")]), other)).keyID, "k2")
    XCTAssertEqual(try encryption(keys(jwk(["use": .string("sig")]), other)).keyID, "k2")
    XCTAssertEqual(try encryption(keys(jwk(["use": .string("enc")]), other)).keyID, "k1")
    XCTAssertEqual(try encryption(keys(jwk(["kty": .string("RSA")]), other)).keyID, "k2")
    let offCurve = try jwk(["y": .string(Base64URL.encode([UInt8](repeating: 1, count: 32)))])
    for broken in try [
      [enc: .array([.string("A128CBC-HS256")])], [enc: .array([])], [enc: .string("A128GCM")],
      keys(), keys(offCurve), keys(jwk(["alg": .null])), keys(jwk(["kid": .integer(1)])),
      keys(jwk(["d": .string("AAAA")])), ["jwks": .null],
    ] as [[String: JSONValue]] {
      XCTAssertThrowsError(try encryption(broken)) {
        XCTAssertEqual(($0 as? RequestRefusal)?.reply?.error, "invalid_request")
      }
    }
  }
}
