import Foundation
import WalletJOSE
import WalletPresentation
import WalletProtocol
import XCTest

/// What is sent for a request object, and what is taken for one.
final class RequestFetchTests: XCTestCase {
  private let nonce = (0..<32).map { UInt8($0) }
  private let key = Result { try KeyAgreementKey() }
  private let jws = "aa.bb.cc"

  private func fetch(method: String = "post") throws -> RequestFetch {
    let link = try PresentationLink(
      parsing: "openid4vp://?client_id=x509_hash:a&request_uri=https://v.example/r?a=b"
        + "&request_uri_method=\(method)")
    return RequestFetch(link, nonce: nonce, key: try key.get())
  }

  /// The members of the form.
  private func form(_ fetch: RequestFetch) -> [String: String] {
    var components = URLComponents()
    components.percentEncodedQuery = String(decoding: fetch.body, as: UTF8.self)
    let items = components.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  private func metadata(_ fetch: RequestFetch) throws -> [String: JSONValue] {
    let text = try XCTUnwrap(form(fetch)["wallet_metadata"])
    return try XCTUnwrap(JSONValue(parsing: Array(text.utf8), profile: .foreign).object)
  }

  private func offered(_ fetch: RequestFetch) throws -> [String: JSONValue] {
    let keys = try XCTUnwrap(metadata(fetch)["jwks"]?.object?["keys"]?.array)
    XCTAssertEqual(keys.count, 1)
    return try XCTUnwrap(keys.first?.object)
  }

  /// Encrypts `content` to the offered key under a header with `changes`, where null takes away.
  private func sealed(
    _ content: String, to recipient: SubjectPublicKey? = nil, _ changes: [String: JSONValue] = [:]
  ) throws -> String {
    let key = try self.key.get().publicKey
    return try ForeignJWE.sealed(
      Array(content.utf8), for: recipient ?? key,
      header: ["kid": .string(Base64URL.encode(key.thumbprint)), "cty": .string("JWT")]
        .merging(changes) { $1 }.filter { $0.value != .null })
  }

  private func assertRefused(
    _ object: @autoclosure () throws -> String, by fetch: @autoclosure () throws -> RequestFetch,
    line: UInt = #line
  ) {
    XCTAssertThrowsError(try fetch().open(object()), line: line) {
      XCTAssertEqual(($0 as? RequestRefusal)?.reason, .objectMalformed, line: line)
      XCTAssertNil(($0 as? RequestRefusal)?.reply, line: line)
    }
  }

  func testAGETSendsNothing() throws {
    let fetch = try fetch(method: "get")
    XCTAssertEqual(fetch.url, "https://v.example/r?a=b")
    XCTAssertFalse(fetch.isPOST)
    XCTAssertEqual(fetch.body, [])
    XCTAssertNil(fetch.mediaType)
    XCTAssertNil(fetch.walletNonce)
    XCTAssertEqual(fetch.accept, "application/oauth-authz-req+jwt")
    XCTAssertEqual(try fetch.open(jws), jws)
  }

  func testAPOSTSendsANonceAndWhatEveryWalletOfThisKindSupports() throws {
    let fetch = try fetch()
    XCTAssertEqual(fetch.url, "https://v.example/r?a=b")
    XCTAssertTrue(fetch.isPOST)
    XCTAssertEqual(fetch.mediaType, "application/x-www-form-urlencoded")
    XCTAssertEqual(fetch.accept, "application/oauth-authz-req+jwt")
    XCTAssertEqual(fetch.walletNonce, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    let form = form(fetch)
    XCTAssertEqual(form.keys.sorted(), ["wallet_metadata", "wallet_nonce"])
    XCTAssertEqual(form["wallet_nonce"], fetch.walletNonce)
    var metadata = try metadata(fetch)
    XCTAssertNotNil(metadata.removeValue(forKey: "jwks"))
    let expected = #"""
      {"vp_formats_supported":{"dc+sd-jwt":{"sd-jwt_alg_values":["ES256"],
      "kb-jwt_alg_values":["ES256"]}},"client_id_prefixes_supported":["x509_hash","x509_san_dns"],
      "request_object_signing_alg_values_supported":["ES256"],
      "response_types_supported":["vp_token"],"response_modes_supported":["direct_post.jwt"],
      "request_object_encryption_alg_values_supported":["ECDH-ES"],
      "request_object_encryption_enc_values_supported":["A128GCM","A256GCM"]}
      """#
    XCTAssertEqual(
      JSONValue.object(metadata), try JSONValue(parsing: Array(expected.utf8), profile: .foreign))
  }

  func testTheOfferedKeyIsThatOfTheRequestAndPublicOnly() throws {
    let offered = try offered(fetch())
    let key = try self.key.get().publicKey
    XCTAssertEqual(try SubjectPublicKey(foreignJWK: .object(offered)), key)
    XCTAssertEqual(offered["kid"], .string(Base64URL.encode(key.thumbprint)))
    XCTAssertEqual(offered["use"], .string("enc"))
    XCTAssertEqual(offered["alg"], .string("ECDH-ES"))
    XCTAssertNil(offered["d"])
    XCTAssertFalse("\(try fetch())".contains("AAECAwQF"), "a description shows nothing")
  }

  func testAnEncryptedObjectIsOpenedWithTheOfferedKey() throws {
    XCTAssertEqual(try fetch().open(jws), jws, "encryption is offered, not demanded")
    XCTAssertEqual(try fetch().open(sealed(jws)), jws)
    let key = try self.key.get().publicKey
    for cipher in ContentEncryption.allCases {
      XCTAssertEqual(
        try fetch().open(sealed(jws, ["enc": .string(cipher.rawValue)])), jws)
    }
    // Without the type of its content.
    let untyped = try CompactJWE.encrypt(
      Array(jws.utf8), for: key, keyID: Base64URL.encode(key.thumbprint), with: .a128gcm)
    assertRefused(untyped, by: try fetch())
  }

  func testWhatIsNotForTheOfferedKeyIsRefused() throws {
    let other = try KeyAgreementKey().publicKey
    assertRefused(try sealed(jws, to: other), by: try fetch())
    assertRefused(try sealed(jws), by: try fetch(method: "get"))
    for changes in [
      ["kid": .null], ["kid": .string("other")], ["kid": .integer(1)], ["cty": .null],
      ["cty": .string("jwt")], ["cty": .string("application/jwt")], ["cty": .array([])],
      ["zip": .string("DEF")], ["crit": .array([.string("exp")])],
    ] as [[String: JSONValue]] { assertRefused(try sealed(jws, changes), by: try fetch()) }
  }

  func testOtherTextsAreRefused() throws {
    for text in ["", "a", "a.b", "a.b.c.d", "a.b.c.d.e", "a.b.c.d.e.f", #"{"payload":""}"#] {
      assertRefused(text, by: try fetch())
    }
    // No JWS inside: another encryption, half a JWS, no text.
    assertRefused(try sealed(sealed(jws)), by: try fetch())
    assertRefused(try sealed("a.b"), by: try fetch())
    let key = try self.key.get().publicKey
    let header: [String: JSONValue] = [
      "kid": .string(Base64URL.encode(key.thumbprint)), "cty": .string("JWT"),
    ]
    let noText = try ForeignJWE.sealed([0x2E, 0x2E, 0xFF], for: key, header: header)
    assertRefused(noText, by: try fetch())
  }

  func testObjectsHaveAMaximumLength() throws {
    func jws(_ length: Int) -> String { "a.b." + String(repeating: "c", count: length - 4) }
    let maximum = PresentationRequest.maximumLength
    XCTAssertEqual(try fetch().open(jws(maximum)).utf8.count, maximum)
    assertRefused(jws(maximum + 1), by: try fetch())
    XCTAssertEqual(try fetch().open(sealed(jws(maximum))).utf8.count, maximum)
    assertRefused(try sealed(jws(maximum + 1)), by: try fetch())
    let padded = try sealed(
      self.jws, ["later": .string(String(repeating: "a", count: RequestFetch.maximumLength))])
    assertRefused(padded, by: try fetch())
  }
}
