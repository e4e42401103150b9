import WalletCrypto
import WalletProtocol
import XCTest

/// A key of either algorithm with its signer and verifier.
struct Party {
  let signer: any Signer
  let verifier: any Verifier
  let key: SubjectPublicKey

  init(_ algorithm: SignatureAlgorithm, _ label: String, keyID: String? = nil) throws {
    switch algorithm {
    case .edDSA:
      let seed = try Secret(copying: Hash.sha256(Array(label.utf8)))
      let signer = try Ed25519.SigningKey(seed: seed, keyID: keyID)
      self.signer = signer
      verifier = try Ed25519.VerifyingKey(publicKey: signer.publicKey)
      key = try SubjectPublicKey(ed25519: signer.publicKey)
    case .es256:
      let signer = try P256.SigningKey(label: label, keyID: keyID)
      self.signer = signer
      verifier = P256.VerifyingKey(key: signer.publicKey)
      key = signer.publicKey
    }
  }

  static func verifier(of key: SubjectPublicKey) -> (any Verifier)? {
    switch key.algorithm {
    case .edDSA: try? Ed25519.VerifyingKey(publicKey: key.rawKey)
    case .es256: P256.VerifyingKey(key: key)
    }
  }
}

/// An issuer and a holder, a PID between them, and the means to forge one.
struct SDJWTParties {
  static let now: Int64 = 1_760_000_000
  static let audience = "https://verifier.example"
  static let nonce = "fresh"

  let issuer: Party
  let holder: Party

  init(
    issuer: SignatureAlgorithm = .edDSA, holder: SignatureAlgorithm = .edDSA
  ) throws {
    self.issuer = try Party(issuer, "issuer", keyID: "k1")
    self.holder = try Party(holder, "holder")
  }

  static func pid() throws -> PIDClaims {
    PIDClaims(
      familyName: "Möbius", givenName: "Zoë Ann",
      birthdate: try XCTUnwrap(CalendarDate("1979-02-28")),
      issuedOn: try XCTUnwrap(CalendarDate("2025-10-09")), issuingAuthority: "Example",
      issuingCountry: "DE",
      verification: PIDVerification(
        evidence: .drivingPermit, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: false, demonstration: false))
  }

  static func content(holder: SubjectPublicKey) throws -> SDJWTContent {
    try pid().content(
      issuer: "provider", issuedAt: now, expires: now + 86_400, holderKey: holder)
  }

  /// Salts that differ, the same in each run.
  static func salts(_ label: String = "salt") -> () -> [UInt8] {
    var count = 0
    return {
      count += 1
      return Array(Hash.sha256(Array("\(label) \(count)".utf8)).prefix(16))
    }
  }

  func issue(
    salts: String = "salt", _ change: (inout SDJWTContent) -> Void = { _ in }
  ) throws -> String {
    var content = try Self.content(holder: holder.key)
    change(&content)
    return try SDJWT.issue(
      content, signer: issuer.signer, salt: Self.salts(salts), sha256: Hash.sha256)
  }

  static func expectation(at time: Int64 = now) -> SDJWTExpectation {
    SDJWTExpectation(issuer: "provider", type: PIDClaims.type, now: time)
  }

  func verify(
    _ compact: String, _ expected: SDJWTExpectation = expectation()
  ) throws -> VerifiedSDJWT {
    try SDJWT(parsing: compact).verifyIssued(
      expected, verifier: issuer.verifier, sha256: Hash.sha256)
  }

  func present(
    _ names: Set<String> = ["birthdate", "family_name"], audience: String = audience,
    nonce: String = nonce, now: Int64 = now, of compact: String? = nil
  ) throws -> String {
    try verify(compact ?? issue()).present(
      disclosing: names, audience: audience, nonce: nonce, now: now, signer: holder.signer,
      sha256: Hash.sha256)
  }

  func check(
    _ presentation: String, _ expected: SDJWTExpectation = expectation(),
    _ binding: KeyBindingExpectation = KeyBindingExpectation(audience: audience, nonce: nonce)
  ) throws -> VerifiedSDJWT {
    try SDJWT(parsing: presentation).verifyPresentation(
      expected, keyBinding: binding, verifier: issuer.verifier,
      holderVerifier: Party.verifier(of:), sha256: Hash.sha256)
  }

  /// What the issuer would sign, for tests that change it; its one digest is of `disclosure()`.
  func payload() throws -> [String: JSONValue] {
    let digest = Hash.sha256(Array(Self.disclosure().utf8))
    return [
      "iss": .string("provider"), "vct": .string(PIDClaims.type), "iat": .integer(Self.now),
      "exp": .integer(Self.now + 86_400), "cnf": .object(["jwk": holder.key.jwk]),
      "_sd_alg": .string("sha-256"), "_sd": .array([.string(Base64URL.encode(digest))]),
      "issuing_country": .string("DE"),
    ]
  }

  static func disclosure(
    _ json: String = #"["AAAAAAAAAAAAAAAAAAAAAA","given_name","Zoë"]"#
  ) -> String { Base64URL.encode(json.utf8) }

  static func digest(_ disclosure: String) -> JSONValue {
    .string(Base64URL.encode(Hash.sha256(Array(disclosure.utf8))))
  }

  /// Rightly signed over a header and payload of our choice.
  static func sign(_ header: String, _ payload: String, _ party: Party) throws -> String {
    let input = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
    return input + "." + Base64URL.encode(try party.signer.sign(Array(input.utf8)))
  }

  static let header = #"{"alg":"EdDSA","kid":"k1","typ":"dc+sd-jwt"}"#

  func forge(
    header: String = header, payload: [String: JSONValue]? = nil, json: String? = nil,
    disclosures: [String] = [disclosure()]
  ) throws -> String {
    let object = JSONValue.object(try payload ?? self.payload())
    let signed = try Self.sign(
      header, json ?? String(decoding: object.encoded, as: UTF8.self), issuer)
    return ([signed] + disclosures).joined(separator: "~") + "~"
  }
}

extension XCTestCase {
  func assertRefused(
    _ reason: SDJWTError, _ note: String = "", line: UInt = #line, file: StaticString = #filePath,
    _ body: () throws -> some Any
  ) {
    XCTAssertThrowsError(try body(), note, file: file, line: line) {
      XCTAssertEqual($0 as? SDJWTError, reason, note, file: file, line: line)
    }
  }
}
