import Crypto
import ServerTestSupport
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// Which disclosures are sent (OpenID4VP 1.0 section 6.4) and how they are signed (RFC 9901
/// section 4.3).
final class CredentialPresentationTests: XCTestCase {
  private let issuer = CardIssuer()

  /// A card with hidden members, elements, and members of hidden objects.
  private func card() throws -> VerifiedCredential {
    func texts(_ disclosures: [String]) -> String {
      disclosures.map { #""\#(digest($0).string ?? "")""# }.joined(separator: ",")
    }
    let name = disclosure("given_name", #""Erika""#)
    let parts = [
      disclosure("locality", #""Köln""#), disclosure("postal_code", #""51147""#),
    ]
    let address = disclosure("address", #"{"country":"DE","_sd":[\#(texts(parts))]}"#)
    let (german, dutch) = (
      disclosure(element: #""DE""#, salt: "1"), disclosure(element: #""NL""#, salt: "2")
    )
    let ages = [disclosure("18", "true"), disclosure("21", "true")]
    return try issuer.read(
      [
        "level": .integer(3),
        "_sd": .array([digest("decoy"), digest(name), digest(address)]),
        "nationalities": .array([hidden(german), hidden(dutch), hidden("decoy 2")]),
        "age_equal_or_over": .object(["_sd": .array(ages.map(digest))]),
      ], [name, address] + parts + [german, dutch] + ages)
  }

  private func present(_ paths: [String]) throws -> String {
    try card().present(
      disclosing: paths.map { try path($0) }, audience: "v", nonce: "n", now: 1,
      signer: TestHardwareKey.p256(issuer.holder))
  }

  func testWhatIsWantedIsShownWithItsParentsAndNothingElse() throws {
    let always = #""level":3"#
    let (noAges, noNations) = (#""age_equal_or_over":{}"#, #""nationalities":[]"#)
    let presentations: [([String], String)] = [
      ([], "{\(always),\(noAges),\(noNations)}"),
      ([#"["level"]"#], "{\(always),\(noAges),\(noNations)}"),
      ([#"["given_name"]"#], #"{"given_name":"Erika",\#(always),\#(noAges),\#(noNations)}"#),
      (
        [#"["address","postal_code"]"#],
        #"{"address":{"country":"DE","postal_code":"51147"},\#(always),\#(noAges),\#(noNations)}"#
      ),
      (
        [#"["address","country"]"#],
        #"{"address":{"country":"DE"},\#(always),\#(noAges),\#(noNations)}"#
      ),
      (
        [#"["address"]"#],
        #"{"address":{"country":"DE","locality":"Köln","postal_code":"51147"},\#(always),\#(noAges),\#(noNations)}"#
      ),
      ([#"["nationalities",null]"#], #"{\#(always),\#(noAges),"nationalities":["DE","NL"]}"#),
      ([#"["nationalities"]"#], #"{\#(always),\#(noAges),"nationalities":["DE","NL"]}"#),
      ([#"["nationalities",1]"#], #"{\#(always),\#(noAges),"nationalities":["NL"]}"#),
      (
        [#"["age_equal_or_over","18"]"#, #"["age_equal_or_over","18"]"#],
        #"{\#(always),"age_equal_or_over":{"18":true},\#(noNations)}"#
      ),
    ]
    let terms = try issuer.payload().keys
    for (paths, expected) in presentations {
      let seen = try issuer.seen(in: present(paths)).object?.filter { !terms.contains($0.key) }
      XCTAssertEqual(seen, try json(expected).object, "\(paths)")
    }
  }

  func testWithoutAWantedClaimNothingIsPresented() {
    for (wanted, error) in [
      (#"["ssn"]"#, .nothingSelected), (#"["nationalities",7]"#, .nothingSelected),
      (#"["given_name",0]"#, .notAnArray), (#"["nationalities","x"]"#, .notAnObject),
    ] as [(String, ClaimsPathError)] {
      assertRefused(error, wanted) { try present([#"["given_name"]"#, wanted]) }
    }
  }

  func testTheHolderSignsWhatIsPresented() throws {
    let presentation = try card().present(
      disclosing: [path(#"["given_name"]"#)], audience: "x509_hash:a", nonce: "b", now: 7,
      signer: ES256Signer(keyID: "mine", key: issuer.holder))
    let end = try XCTUnwrap(presentation.lastIndex(of: "~"))
    let presented = String(presentation[...end])
    XCTAssertEqual(presented.split(separator: "~").count, 2)
    let binding = try CompactJWS(parsing: String(presentation[presentation.index(after: end)...]))
    try binding.verify(type: "kb+jwt", by: ES256Verifier(issuer.holder.publicKey))
    // The key's own id would tell the verifier more than the card.
    XCTAssertEqual(Set(binding.header.members.keys), ["alg", "typ"])
    XCTAssertEqual(
      try JSONValue(parsing: binding.payload),
      .object([
        "iat": .integer(7), "aud": .string("x509_hash:a"), "nonce": .string("b"),
        "sd_hash": digest(presented),
      ]))
  }

  func testWhatCannotBePresented() throws {
    func present(
      _ card: VerifiedCredential, audience: String = "v", nonce: String = "n",
      signer: TestHardwareKey = .makeP256()
    ) throws -> String {
      try card.present(
        disclosing: [], audience: audience, nonce: nonce, now: 1, signer: signer)
    }
    let card = try card()
    XCTAssertNoThrow(try present(card))
    assertRefused(CredentialError.audienceRefused) { try present(card, audience: "") }
    assertRefused(CredentialError.nonceRefused) { try present(card, nonce: "") }
    assertRefused(CredentialError.signerRefused) { try present(card, signer: .makeEd25519()) }
    let unbound = try issuer.read(issuer.card(["vct": .string("x")]))
    assertRefused(CredentialError.holderKeyMissing) { try present(unbound) }
    struct Broken: Signer {
      let algorithm = SignatureAlgorithm.es256
      let keyID: String? = nil
      func sign(_ message: [UInt8]) -> [UInt8] { [1] }
    }
    assertRefused(JOSEError.signerRefused) {
      try card.present(
        disclosing: [], audience: "v", nonce: "n", now: 1, signer: Broken())
    }
  }
}
