import Crypto
import Foundation
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// What a card of another issuer may look like.
final class CredentialTests: XCTestCase {
  func testTheExampleOfRFC9901AppendixA3() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Vectors/rfc9901.json")
    let vector = try XCTUnwrap(
      try JSONValue(parsing: Array(Data(contentsOf: file)), profile: .foreign).object)
    let text = try XCTUnwrap(vector["issued"]?.string)
    let verifier = try ES256Verifier(jwk: XCTUnwrap(vector["issuer"]))
    let card = try Credential(parsing: text).verify(by: verifier)

    // The claims are those of the example, and what the issuer added.
    var claims = try XCTUnwrap(card.claims.object)
    for name in ["iat", "exp", "cnf"] { XCTAssertNotNil(claims.removeValue(forKey: name)) }
    XCTAssertEqual(.object(claims), vector["claims"])
    XCTAssertEqual(card.terms.type, "urn:eudi:pid:de:1")
    XCTAssertEqual(card.terms.statedIssuer, "https://pid-issuer.bund.de.example")
    XCTAssertEqual(card.terms.expires, 1_883_000_000)
    XCTAssertEqual(card.disclosable.count, 27)

    // The example presents these two; it orders the disclosures in another way.
    let example = try XCTUnwrap(vector["presentation"]?.string).split(separator: "~")
    let presented = try card.present(
      disclosing: [path(#"["nationalities"]"#), path(#"["age_equal_or_over","18"]"#)],
      audience: "x", nonce: "y", now: 0, signer: ES256Signer()
    ).split(separator: "~")
    XCTAssertEqual(Set(presented.dropLast()), Set(example.dropLast()))
    let seen = try Credential(parsing: example.dropLast().joined(separator: "~") + "~")
      .verify(by: verifier)
    XCTAssertEqual(seen.claims, vector["presented_claims"])
  }

  func testDigestsOfRFC9901Section42() throws {
    // 4.2.1 for a member, 4.2.2 for an element.
    let issuer = CardIssuer()
    let member = "WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"
    let element = "WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIkZSIl0"
    let card = try issuer.read(
      [
        "_sd": .array([.string("X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0")]),
        "nationalities": .array([
          .string("DE"),
          .object(["...": .string("w0I8EKcdCtUPkGCNUrfwVp2xEgNjtoIDlOxc9-PlOhs")]),
        ]),
      ], [member, element])
    XCTAssertEqual(try path(#"["family_name"]"#).select(in: card.claims), [.string("Möbius")])
    XCTAssertEqual(
      try path(#"["nationalities",null]"#).select(in: card.claims), [.string("DE"), .string("FR")])
  }

  func testDisclosuresInDisclosuresAreFollowed() throws {
    // As issuers were seen to do: an array of one object that hides its own members.
    let locality = disclosure("locality", #""Köln""#)
    let country = disclosure("country", #""DE""#)
    let digests = try [digest(locality), digest(country)].map { try XCTUnwrap($0.string) }
    let place = disclosure(element: #"{"_sd":["\#(digests[0])"],"since":1964.5}"#)
    let birth = disclosure("place_of_birth", #"[{"_sd":["\#(digests[1])"]}]"#)
    let issuer = CardIssuer()
    let card = try issuer.read(
      ["_sd": .array([digest(birth)]), "places": .array([hidden(place)])],
      [birth, place, country, locality])
    XCTAssertEqual(
      card.claims.object?["place_of_birth"], .array([.object(["country": .string("DE")])]))
    XCTAssertEqual(
      card.claims.object?["places"], try json(#"[{"locality":"Köln","since":1964.5}]"#))
    XCTAssertNil(card.claims.object?["_sd"])
    XCTAssertEqual(
      card.disclosable,
      try [
        #"["place_of_birth"]"#, #"["place_of_birth",0,"country"]"#, #"["places",0]"#,
        #"["places",0,"locality"]"#,
      ].map { try path($0) })
  }

  func testDigestsWithoutDisclosureAreDecoys() throws {
    let name = disclosure("name", "true")
    let card = try CardIssuer().read(
      [
        "_sd": .array([digest("decoy 1"), digest(name), digest("decoy 2")]),
        "list": .array([hidden("decoy 3"), .integer(1), hidden("decoy 4")]),
        "empty": .object(["_sd": .array([digest("decoy 5")])]),
        "none": .object(["_sd": .array([])]),
      ], [name])
    XCTAssertEqual(card.claims.object?["name"], .boolean(true))
    XCTAssertEqual(card.claims.object?["list"], .array([.integer(1)]))
    XCTAssertEqual(card.claims.object?["empty"], .object([:]))
    XCTAssertEqual(card.claims.object?["none"], .object([:]))
    XCTAssertEqual(card.disclosable, [try path(#"["name"]"#)])
  }

  func testUnknownMembersAreIgnored() throws {
    let issuer = CardIssuer()
    let header =
      #"{"alg":"ES256","typ":"dc+sd-jwt","kid":"k","x5t":"?","weight":1.5,"x5c":["AQID"]}"#
    let payload = try issuer.payload(["unknown": .number("1.50"), "vct#more": .null])
    let card = try issuer.read(issuer.card(payload, header: header))
    XCTAssertEqual(card.credential.chain, [[1, 2, 3]])
    XCTAssertEqual(card.credential.keyID, "k")
    XCTAssertEqual(card.claims, .object(payload))
    XCTAssertEqual(card.disclosable, [])
  }

  func testWhatMayBeHiddenByAnotherIssuer() throws {
    // Any string as salt; `iat` and `sub`; names that are reserved only at the top.
    let texts = [
      #"["", "iat", 1700000000]"#, #"["!", "sub", "me"]"#, #"["é", "deep", {"_sd": []}]"#,
    ].map { Base64URL.encode($0.utf8) }
    let inner = disclosure("exp", "1")
    var payload = try CardIssuer().payload()
    payload["iat"] = nil
    payload["_sd"] = .array(texts.map(digest))
    payload["_sd_alg"] = .string("sha-256")
    payload["other"] = .object(["_sd": .array([digest(inner)])])
    let issuer = CardIssuer()
    let card = try issuer.read(issuer.card(payload, texts + [inner]))
    XCTAssertEqual(card.terms.issuedAt, 1_700_000_000)
    XCTAssertEqual(card.claims.object?["deep"], .object([:]))
    XCTAssertEqual(card.claims.object?["other"], .object(["exp": .integer(1)]))
    XCTAssertNil(card.claims.object?["_sd_alg"])
  }

  func testNothingIsShownByDescriptions() throws {
    let card = try CardIssuer().read(["name": .string("Zoë")])
    XCTAssertEqual("\(card)", "VerifiedCredential")
    XCTAssertEqual("\(card.credential)", "Credential")
    var dumped = ""
    dump(card, to: &dumped)
    dump(card.terms, to: &dumped)
    XCTAssertFalse(dumped.contains("Zoë") || dumped.contains("urn:example"))
  }
}

/// Signs with a fresh key.
struct ES256Signer: Signer {
  let algorithm = SignatureAlgorithm.es256
  var keyID: String?
  var key = P256.Signing.PrivateKey()

  func sign(_ message: [UInt8]) throws -> [UInt8] {
    Array(try key.signature(for: message).rawRepresentation)
  }
}
