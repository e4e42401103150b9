import WalletCrypto
import WalletProtocol
import XCTest

final class SDJWTIssuanceTests: XCTestCase {
  private let algorithms: [SignatureAlgorithm] = [.edDSA, .es256]

  func testWhatIsIssuedIsReadAgain() throws {
    for issuer in algorithms {
      for holder in algorithms {
        let parties = try SDJWTParties(issuer: issuer, holder: holder)
        let compact = try parties.issue()
        XCTAssertEqual(try SDJWT(parsing: compact).keyID, "k1")
        let verified = try parties.verify(compact)
        XCTAssertEqual(try verified.claims(as: PIDClaims.self), try SDJWTParties.pid())
        XCTAssertEqual(verified.issuer, "provider")
        XCTAssertEqual(verified.type, "urn:wallet-provider:pid:1")
        XCTAssertEqual(verified.issuedAt, SDJWTParties.now)
        XCTAssertEqual(verified.expires, SDJWTParties.now + 86_400)
        XCTAssertEqual(verified.holderKey, parties.holder.key)
        XCTAssertEqual(verified.disclosed, PIDClaims.disclosable.sorted())
        XCTAssertEqual(verified.withheldCount, 0)
      }
    }
  }

  func testOnlyWhatEveryoneMaySeeIsInThePayload() throws {
    let compact = try SDJWTParties().issue()
    let parts = compact.split(separator: "~")[0].split(separator: ".")
    let bytes = try XCTUnwrap(Base64URL.decode(parts[1]))
    guard case .object(let payload) = try JSONValue(parsing: bytes) else { return XCTFail() }
    XCTAssertEqual(
      payload.keys.sorted(),
      [
        "_sd", "_sd_alg", "cnf", "exp", "iat", "iss", "issuing_authority", "issuing_country", "vct",
        "verification",
      ])
    let header = try XCTUnwrap(Base64URL.decode(parts[0]))
    XCTAssertEqual(
      String(decoding: header, as: UTF8.self), #"{"alg":"EdDSA","kid":"k1","typ":"dc+sd-jwt"}"#)
    let text = String(decoding: bytes, as: UTF8.self)
    for hidden in ["Möbius", "Zoë", "1979", "family_name", "birthdate"] {
      XCTAssertFalse(text.contains(hidden))
    }
  }

  func testTheOrderOfDigestsTellsNothing() throws {
    var orders: Set<[Int]> = []
    for run in 0..<20 {
      let compact = try SDJWTParties().issue(salts: "run \(run)")
      let parts = compact.split(separator: "~").map(String.init)
      let payload = try XCTUnwrap(Base64URL.decode(parts[0].split(separator: ".")[1]))
      guard case .object(let members) = try JSONValue(parsing: payload),
        case .array(let entries)? = members["_sd"]
      else { return XCTFail() }
      let digests: [String] = entries.compactMap {
        if case .string(let text) = $0 { text } else { nil }
      }
      XCTAssertEqual(digests, digests.sorted())
      XCTAssertEqual(digests.count, 4)
      orders.insert(
        try parts.dropFirst().map { disclosure in
          let digest = Base64URL.encode(Hash.sha256(Array(disclosure.utf8)))
          return try XCTUnwrap(digests.firstIndex(of: digest))
        })
    }
    XCTAssertGreaterThan(orders.count, 5)
  }

  func testNothingNeedBeDisclosable() throws {
    let parties = try SDJWTParties()
    let compact = try parties.issue { $0.disclosable = [] }
    XCTAssertEqual(compact.split(separator: "~").count, 1)
    let verified = try parties.verify(compact)
    XCTAssertEqual(try verified.claims(as: PIDClaims.self), try SDJWTParties.pid())
    XCTAssertEqual(verified.disclosed, [])
    XCTAssertEqual(try parties.check(parties.present([], of: compact)).claims, verified.claims)
  }

  func testSaltsMustBeFreshAnd128BitsLong() throws {
    let parties = try SDJWTParties()
    let content = try SDJWTParties.content(holder: parties.holder.key)
    func issue(_ salt: @escaping () throws -> [UInt8]) throws -> String {
      try SDJWT.issue(content, signer: parties.issuer.signer, salt: salt, sha256: Hash.sha256)
    }
    let fresh = SDJWTParties.salts()
    assertRefused(.saltRefused) { try issue { [UInt8](repeating: 7, count: 16) } }
    assertRefused(.saltRefused) { try issue { Array(fresh().dropLast()) } }
    assertRefused(.saltRefused) { try issue { fresh() + [0] } }
    assertRefused(.saltRefused) { try issue { [] } }
    struct NoRandomness: Error {}
    XCTAssertThrowsError(try issue { throw NoRandomness() }) {
      XCTAssertTrue($0 is NoRandomness)
    }
    let salts = try parties.issue(salts: "a")
    XCTAssertNotEqual(salts, try parties.issue(salts: "b"))
  }

  func testContentThatWouldNotBeAcceptedIsNotIssued() throws {
    let parties = try SDJWTParties()
    for name in [
      "iss", "vct", "vct#integrity", "iat", "nbf", "exp", "cnf", "status", "_sd", "_sd_alg", "...",
    ] {
      for disclosable in [true, false] {
        assertRefused(.nameReserved, name) {
          try parties.issue {
            $0.claims[name] = .integer(1)
            if disclosable { $0.disclosable.insert(name) }
          }
        }
      }
    }
    let nested: [JSONValue] = [
      .object(["_sd": .array([])]), .array([.object(["...": .string("x")])]),
      .object(["a": .array([.object(["_sd": .null])])]),
    ]
    for value in nested {
      assertRefused(.nameReserved) { try parties.issue { $0.claims["address"] = value } }
    }
    let deep = (0..<JSONValue.maximumDepth).reduce(JSONValue.null) { value, _ in .array([value]) }
    for value in [.number("1.5"), .array([.number("1e3")]), deep] {
      assertRefused(.contentMalformed) { try parties.issue { $0.claims["address"] = value } }
    }
    assertRefused(.claimUnknown) { try parties.issue { $0.disclosable.insert("other") } }
    let changes: [(inout SDJWTContent) -> Void] = [
      { $0.expires = $0.issuedAt }, { $0.expires = $0.issuedAt - 1 }, { $0.issuedAt = -1 },
      { $0.expires = .max }, { $0.issuedAt = .min }, { $0.issuer = "" }, { $0.type = "" },
    ]
    for change in changes { assertRefused(.contentMalformed) { try parties.issue(change) } }
    assertRefused(.malformed) {
      try parties.issue { $0.claims["long"] = .string(String(repeating: "x", count: 65_536)) }
    }
    assertRefused(.malformed) {
      try parties.issue {
        for index in 0..<300 {
          $0.claims["c\(index)"] = .boolean(true)
          $0.disclosable.insert("c\(index)")
        }
      }
    }
  }

  func testTheIssuerMustBeNamed() throws {
    let nameless = try Party(.edDSA, "issuer")
    let content = try SDJWTParties.content(holder: nameless.key)
    assertRefused(.signerRefused) {
      try SDJWT.issue(
        content, signer: nameless.signer, salt: SDJWTParties.salts(), sha256: Hash.sha256)
    }
  }

  func testASignerOfAnotherLengthIsRefused() throws {
    struct Short: Signer {
      var algorithm: SignatureAlgorithm { .es256 }
      var keyID: String? { "k1" }
      // DER as a platform gives it, not converted.
      func sign(_ message: [UInt8]) throws -> [UInt8] {
        try P256.SigningKey(label: "x").der(signing: message)
      }
    }
    let content = try SDJWTParties.content(holder: Party(.edDSA, "holder").key)
    assertRefused(.signerRefused) {
      try SDJWT.issue(content, signer: Short(), salt: SDJWTParties.salts(), sha256: Hash.sha256)
    }
  }
}
