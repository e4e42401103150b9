import Crypto
import ServerTestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// Cards as this project issues them (RFC 9901 section 4).
final class CredentialIssuanceTests: XCTestCase {
  private let parties = CardIssuer()
  private let chain: [[UInt8]] = [[0x30, 1], [0x30, 2]]

  /// Signs ES256.
  private struct Hand: Signer {
    let algorithm = SignatureAlgorithm.es256
    let keyID: String? = "k1"
    let key: P256.Signing.PrivateKey

    func sign(_ message: [UInt8]) throws -> [UInt8] {
      Array(try key.signature(for: message).rawRepresentation)
    }
  }

  private func statement(
    _ claims: [String: JSONValue], hiding paths: [String]
  ) throws -> CredentialStatement {
    CredentialStatement(
      type: "urn:example:card:1", issuer: "https://issuer.example",
      issuedAt: CardIssuer.now, expires: CardIssuer.now + 86_400,
      holderKey: try parties.holderKey,
      status: .list(index: 7, uri: "https://issuer.example/status/1"), claims: claims,
      disclosable: Set(try paths.map(path)))
  }

  private func issue(_ statement: CredentialStatement) throws -> String {
    var random = SystemRandomNumberGenerator()
    return try Credential.issue(
      statement, chain: chain, signer: Hand(key: parties.key),
      salt: { (0..<Credential.saltLength).map { _ in .random(in: 0...255, using: &random) } })
  }

  private let claims: [String: JSONValue] = [
    "name": .string("Zoë"), "country": .string("US"), "rounds": .integer(-3),
    "ages": .object(["18": .boolean(true), "21": .boolean(false)]),
    "places": .array([.string("A"), .object(["street": .string("B")])]),
  ]
  private let hidden = [
    #"["name"]"#, #"["ages","18"]"#, #"["ages","21"]"#, #"["places",0]"#, #"["places",1,"street"]"#,
  ]

  func testWhatIsIssuedIsReadAgainWithItsTerms() throws {
    let text = try issue(statement(claims, hiding: hidden))
    let credential = try Credential(parsing: text)
    XCTAssertEqual(credential.chain, chain)
    XCTAssertNil(credential.keyID, "the chain names the key")
    let verified = try credential.verify(by: parties.verifier)
    XCTAssertEqual(verified.terms.statedIssuer, "https://issuer.example")
    XCTAssertEqual(verified.terms.issuedAt, CardIssuer.now)
    XCTAssertEqual(verified.terms.expires, CardIssuer.now + 86_400)
    XCTAssertEqual(verified.terms.holderKey, try parties.holderKey)
    XCTAssertEqual(
      verified.terms.status, .list(index: 7, uri: "https://issuer.example/status/1"))
    let read = try XCTUnwrap(verified.claims.object)
    for (name, value) in claims { XCTAssertEqual(read[name], value, name) }
    XCTAssertEqual(Set(verified.disclosable), Set(try hidden.map(path)))
  }

  func testOnlyWhatEveryoneMaySeeIsInThePayload() throws {
    let text = try issue(statement(claims, hiding: hidden))
    let parts = text.split(separator: "~")
    XCTAssertEqual(parts.count, 1 + hidden.count)
    let payload = try XCTUnwrap(Base64URL.decode(parts[0].split(separator: ".")[1]))
    let shown = String(decoding: payload, as: UTF8.self)
    // Quotes and colons are in no digest, which is base64url and may hold any short word.
    for word in ["Zoë", ":true", ":false", "\"street\"", "\"A\"", "\"B\"", "\"k1\""] {
      XCTAssertFalse(shown.contains(word), word)
    }
    XCTAssertTrue(shown.contains(#""country":"US""#))
  }

  func testTheOrderOfDigestsTellsNothing() throws {
    for _ in 0..<20 {
      let parts = try issue(statement(claims, hiding: hidden)).split(separator: "~")
      let payload = try JSONValue(
        parsing: XCTUnwrap(Base64URL.decode(parts[0].split(separator: ".")[1])))
      let digests = payload.object?["ages"]?.object?["_sd"]?.array?.compactMap(\.string)
      XCTAssertEqual(digests?.count, 2)
      XCTAssertEqual(digests, digests?.sorted())
    }
  }

  func testTwoCopiesHaveNoSaltAndNoDigestInCommon() throws {
    let statement = try statement(claims, hiding: hidden)
    let copies = try (0..<2).map { _ in try issue(statement).split(separator: "~") }
    XCTAssertTrue(Set(copies[0]).isDisjoint(with: copies[1]))
  }

  func testSaltsMustBeFreshAnd128BitsLong() throws {
    let statement = try statement(claims, hiding: hidden)
    for salt in [[UInt8](repeating: 1, count: 16), [1, 2, 3], []] {
      assertRefused(CredentialError.saltRefused) {
        try Credential.issue(
          statement, chain: chain, signer: Hand(key: parties.key), salt: { salt })
      }
    }
  }

  func testNothingIsIssuedThatWouldSayMoreThanItShould() throws {
    for path in [#"["nobody"]"#, #"["ages","99"]"#, #"["places",2]"#] {
      assertRefused(CredentialError.contentMalformed, path) {
        try issue(statement(claims, hiding: [path]))
      }
    }
  }

  func testContentThatAWalletWouldRefuseIsNotIssued() throws {
    for name in ["vct", "cnf", "exp", "_sd_alg", "status", "_sd", "..."] {
      XCTAssertThrowsError(
        try issue(statement([name: .string("x")], hiding: [])), name)
    }
    var ended = try statement(claims, hiding: [])
    ended.expires = ended.issuedAt
    assertRefused(CredentialError.contentMalformed) { try issue(ended) }
    var named = try statement(claims, hiding: [])
    named.issuer = "http://issuer.example"
    assertRefused(CredentialError.contentMalformed) { try issue(named) }
    var listed = try statement(claims, hiding: [])
    listed.status = .list(index: 0, uri: "http://issuer.example/status")
    assertRefused(CredentialError.contentMalformed) { try issue(listed) }
  }

  func testAProviderOnALoopbackAddressMayHaveAStatusList() throws {
    for (uri, isAccepted) in [
      ("http://127.0.0.1:8080/status-lists/a", true), ("http://[::1]/a", true),
      ("http://127.0.0.1", true), ("http://127.0.0.1.example/a", false),
      ("http://127.0.0.10/a", false), ("http://localhost/a", false),
      ("http://127.0.0.1@example.org/a", false), ("ftp://127.0.0.1/a", false),
    ] {
      var listed = try statement(claims, hiding: [])
      listed.status = .list(index: 0, uri: uri)
      XCTAssertEqual((try? issue(listed)) != nil, isAccepted, uri)
    }
  }
}
