import WalletCrypto
import WalletProtocol
import XCTest

final class KeyBindingTests: XCTestCase {
  private let now = SDJWTParties.now

  /// A presentation with a key binding of our choice, rightly signed by `signer`.
  private func forge(
    _ parties: SDJWTParties, header: String = #"{"alg":"EdDSA","typ":"kb+jwt"}"#,
    signer: Party? = nil, json: String? = nil,
    _ change: (inout [String: JSONValue]) -> Void = { _ in }
  ) throws -> String {
    let credential = try parties.issue()
    var members: [String: JSONValue] = [
      "iat": .integer(now), "aud": .string(SDJWTParties.audience),
      "nonce": .string(SDJWTParties.nonce), "sd_hash": SDJWTParties.digest(credential),
    ]
    change(&members)
    let payload = String(decoding: JSONValue.object(members).encoded, as: UTF8.self)
    return credential
      + (try SDJWTParties.sign(header, json ?? payload, signer ?? parties.holder))
  }

  func testWhatIsPresentedIsReadAgain() throws {
    for holder in [SignatureAlgorithm.edDSA, .es256] {
      for issuer in [SignatureAlgorithm.edDSA, .es256] {
        let parties = try SDJWTParties(issuer: issuer, holder: holder)
        let verified = try parties.check(parties.present())
        XCTAssertEqual(verified.disclosed, ["birthdate", "family_name"])
        XCTAssertEqual(verified.withheldCount, 2)
        var expected = try SDJWTParties.pid()
        expected.givenName = nil
        expected.ageEqualOrOver = nil
        XCTAssertEqual(try verified.claims(as: PIDClaims.self), expected)
      }
    }
  }

  func testEveryChoiceOfClaimsShowsThoseAndNoOthers() throws {
    let parties = try SDJWTParties()
    let all = PIDClaims.disclosable.sorted()
    let values = try parties.verify(parties.issue()).claims
    for choice in 0..<16 {
      let names = Set(all.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element))
      let presentation = try parties.present(names)
      let verified = try parties.check(presentation)
      XCTAssertEqual(Set(verified.disclosed), names)
      let open: Set = ["issuing_authority", "issuing_country", "verification"]
      XCTAssertEqual(verified.claims, values.filter { names.union(open).contains($0.key) })
      for part in presentation.split(whereSeparator: { "~.".contains($0) }) {
        let text = Base64URL.decode(part).map { String(decoding: $0, as: UTF8.self) } ?? ""
        for name in all where !names.contains(name) { XCTAssertFalse(text.contains(name)) }
      }
    }
  }

  func testAPresentationIsNoCredentialAndTheOtherWayRound() throws {
    let parties = try SDJWTParties()
    assertRefused(.keyBindingMissing) { try parties.check(parties.issue()) }
    assertRefused(.keyBindingUnexpected) { try parties.verify(parties.present()) }
    let presentation = try parties.present()
    let bare = try XCTUnwrap(presentation.lastIndex(of: "~"))
    assertRefused(.keyBindingMissing) { try parties.check(String(presentation[...bare])) }
  }

  func testForgeriesThatChangeNothingAreAccepted() throws {
    let parties = try SDJWTParties()
    XCTAssertEqual(try parties.check(forge(parties)).disclosed.count, 4)
  }

  func testAnotherVerifierRequestOrTimeIsRefused() throws {
    let parties = try SDJWTParties()
    let presentation = try parties.present()
    let expected = SDJWTParties.expectation()
    func check(audience: String = SDJWTParties.audience, nonce: String = SDJWTParties.nonce)
      throws -> VerifiedSDJWT
    {
      try parties.check(
        presentation, expected, KeyBindingExpectation(audience: audience, nonce: nonce))
    }
    for other in ["", "https://verifier.example/", "https://other.example"] {
      assertRefused(.audienceRefused) { try check(audience: other) }
    }
    for other in ["", "Fresh", "fresh "] {
      assertRefused(.nonceRefused) { try check(nonce: other) }
    }
    for (age, accepted) in [
      (0, true), (-60, true), (-61, false), (360, true), (361, false), (86_400, false),
    ] as [(Int64, Bool)] {
      let old = try forge(parties) { $0["iat"] = .integer(now - age) }
      if accepted {
        XCTAssertNoThrow(try parties.check(old))
      } else {
        assertRefused(.keyBindingStale) { try parties.check(old) }
      }
    }
    for time in [Int64.min, .max] {
      let odd = try forge(parties) { $0["iat"] = .integer(time) }
      assertRefused(.keyBindingStale) { try parties.check(odd) }
    }
    let endless = KeyBindingExpectation(
      audience: SDJWTParties.audience, nonce: SDJWTParties.nonce, maximumAge: .max)
    XCTAssertNoThrow(try parties.check(presentation, expected, endless))
  }

  func testTheCredentialItselfIsCheckedToo() throws {
    let parties = try SDJWTParties()
    let presentation = try parties.present()
    assertRefused(.expired) {
      try parties.check(presentation, SDJWTParties.expectation(at: now + 90_000))
    }
    let stranger = try Party(.edDSA, "stranger")
    assertRefused(.signatureInvalid) {
      try SDJWT(parsing: presentation).verifyPresentation(
        SDJWTParties.expectation(),
        keyBinding: KeyBindingExpectation(
          audience: SDJWTParties.audience, nonce: SDJWTParties.nonce),
        verifier: stranger.verifier, holderVerifier: Party.verifier(of:), sha256: Hash.sha256)
    }
  }

  func testDisclosuresCannotBeAddedRemovedOrMoved() throws {
    let parties = try SDJWTParties()
    let credential = try parties.issue().split(separator: "~").map(String.init)
    let presentation = try parties.present().split(separator: "~").map(String.init)
    let unused = credential.filter { !presentation.contains($0) }
    XCTAssertEqual(unused.count, 2)
    var changes: [[String]] = unused.map { [presentation[0], $0] + presentation[1...] }
    changes.append([presentation[0]] + presentation[2...])
    changes.append([presentation[0], presentation[2], presentation[1], presentation[3]])
    changes.append([presentation[0], unused[0], presentation[2], presentation[3]])
    for change in changes {
      assertRefused(.presentationChanged) {
        try parties.check(change.joined(separator: "~"))
      }
    }
    // The key binding of another credential for the same holder.
    let other = try parties.present(of: parties.issue(salts: "other")).split(separator: "~")
    assertRefused(.presentationChanged) {
      try parties.check((presentation.dropLast() + [String(other[3])]).joined(separator: "~"))
    }
    assertRefused(.presentationChanged) {
      try parties.check(forge(parties) { $0["sd_hash"] = .string("") })
    }
  }

  func testOnlyTheKeyOfTheCredentialBinds() throws {
    for algorithm in [SignatureAlgorithm.edDSA, .es256] {
      let parties = try SDJWTParties(holder: algorithm)
      let header = #"{"alg":"\#(algorithm.rawValue)","typ":"kb+jwt"}"#
      XCTAssertNoThrow(try parties.check(forge(parties, header: header)))
      let stranger = try Party(algorithm, "stranger")
      assertRefused(.keyBindingInvalid) {
        try parties.check(forge(parties, header: header, signer: stranger))
      }
      // The issuer is not the holder either.
      let other: SignatureAlgorithm = algorithm == .edDSA ? .es256 : .edDSA
      assertRefused(.headerRefused) {
        try parties.check(
          forge(
            parties, header: #"{"alg":"\#(other.rawValue)","typ":"kb+jwt"}"#,
            signer: Party(other, "holder")))
      }
    }
    let parties = try SDJWTParties()
    let mistaken = try Party(.es256, "holder").verifier
    for verifier in [mistaken, nil] as [(any Verifier)?] {
      assertRefused(.keyBindingInvalid) {
        try SDJWT(parsing: parties.present()).verifyPresentation(
          SDJWTParties.expectation(),
          keyBinding: KeyBindingExpectation(
            audience: SDJWTParties.audience, nonce: SDJWTParties.nonce),
          verifier: parties.issuer.verifier, holderVerifier: { _ in verifier }, sha256: Hash.sha256)
      }
    }
  }

  func testKeyBindingsOfAnotherShapeAreRefused() throws {
    let parties = try SDJWTParties()
    let headers = [
      #"{"alg":"none","typ":"kb+jwt"}"#, #"{"alg":"ES256","typ":"kb+jwt"}"#, #"{"typ":"kb+jwt"}"#,
      #"{"alg":"EdDSA","typ":"dc+sd-jwt"}"#, #"{"alg":"EdDSA","typ":"JWT"}"#, #"{"alg":"EdDSA"}"#,
      #"{"alg":"EdDSA","kid":"k","typ":"kb+jwt"}"#,
      #"{"alg":"EdDSA","alg":"EdDSA","typ":"kb+jwt"}"#,
      #"{"alg":"EdDSA","typ":"kb+jwt","crit":[]}"#,
    ]
    for header in headers {
      assertRefused(.headerRefused, header) { try parties.check(forge(parties, header: header)) }
    }
    for name in ["iat", "aud", "nonce", "sd_hash"] {
      for value in [nil, .null, .array([]), .boolean(true)] as [JSONValue?] {
        assertRefused(.keyBindingMalformed, name) {
          try parties.check(forge(parties) { $0[name] = value })
        }
      }
    }
    assertRefused(.keyBindingMalformed) {
      try parties.check(forge(parties) { $0["aud"] = .array([.string(SDJWTParties.audience)]) })
    }
    assertRefused(.keyBindingMalformed) {
      try parties.check(forge(parties) { $0["exp"] = .integer(now) })
    }
    for json in ["", "[]", "{}", #"{"iat":1,"iat":1,"aud":"a","nonce":"b","sd_hash":"c"}"#] {
      assertRefused(.keyBindingMalformed) { try parties.check(forge(parties, json: json)) }
    }
    let presentation = try parties.present()
    for text in [presentation + "~", presentation + ".", presentation + "=", presentation + "A"] {
      XCTAssertThrowsError(try parties.check(text))
    }
  }

  func testPresentationsThatNobodyWouldAcceptAreNotMade() throws {
    let parties = try SDJWTParties()
    assertRefused(.claimUnknown) { try parties.present(["birthdate", "other"]) }
    assertRefused(.claimUnknown) { try parties.present(["issuing_country"]) }
    assertRefused(.audienceRefused) { try parties.present(audience: "") }
    assertRefused(.nonceRefused) { try parties.present(nonce: "") }
    assertRefused(.malformed) { try parties.present(nonce: String(repeating: "n", count: 65_536)) }
    let other = try Party(.es256, "holder")
    let verified = try parties.verify(parties.issue())
    assertRefused(.signerRefused) {
      try verified.present(
        disclosing: [], audience: "a", nonce: "n", now: now, signer: other.signer,
        sha256: Hash.sha256)
    }
    struct Unconverted: Signer {
      var algorithm: SignatureAlgorithm { .edDSA }
      var keyID: String? { nil }
      func sign(_ message: [UInt8]) -> [UInt8] { [UInt8](repeating: 1, count: 70) }
    }
    assertRefused(.signerRefused) {
      try verified.present(
        disclosing: [], audience: "a", nonce: "n", now: now, signer: Unconverted(),
        sha256: Hash.sha256)
    }
  }

  func testWhatWasPresentedCanBeVerifiedButNotExtended() throws {
    // A verifier that passes a presentation on cannot show more than it was shown.
    let parties = try SDJWTParties()
    let shown = try parties.check(parties.present(["birthdate"]))
    assertRefused(.claimUnknown) {
      try shown.present(
        disclosing: ["family_name"], audience: "a", nonce: "n", now: now,
        signer: parties.holder.signer, sha256: Hash.sha256)
    }
  }
}
