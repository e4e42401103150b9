import ServerTestSupport
import TestSupport
import WalletCredentials
import WalletProtocol
import XCTest

/// Random claims in random hiding places.
final class CredentialPropertyTests: XCTestCase {
  func testWhatIsIssuedIsReadAndWhatIsWantedIsSeen() throws {
    let seed = Sample.stressSeed
    print("random cards: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let issuer = CardIssuer()
    let cnf = JSONValue.object(["jwk": try issuer.holderKey.jwk])
    var (disclosed, withheld) = (0, 0)
    for round in 0..<Sample.rounds(150, of: 3000) {
      let issued = RandomCard(&random)
      var payload = issued.payload
      payload["cnf"] = cnf
      let card = try issuer.read(issuer.card(payload, issued.disclosures))
      XCTAssertEqual(claims(card.claims), .object(issued.claims), "round \(round)")
      XCTAssertEqual(Set(card.disclosable.map(\.components)), issued.hiddenWays, "round \(round)")

      let wanted = issued.ways.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
      let presentation = try card.present(
        disclosing: wanted.map { try ClaimsPath($0) }, audience: "v", nonce: "n", now: 1,
        signer: TestHardwareKey.p256(issuer.holder))
      XCTAssertEqual(
        claims(try issuer.seen(in: presentation)), issued.seen(disclosing: wanted),
        "round \(round)")
      try checkTold(card, issued, wanted)
      let count = presentation.split(separator: "~").count - 2
      disclosed += count
      withheld += issued.disclosures.count - count
    }
    XCTAssertGreaterThan(disclosed, 100)
    XCTAssertGreaterThan(withheld, 100)
  }

  /// The match of a query tells of everything that its verifier sees beside what cannot be withheld.
  private func checkTold(
    _ card: VerifiedCredential, _ issued: RandomCard, _ wanted: [RandomCard.Way]
  ) throws {
    let always = issued.leaves(disclosing: [])
    let parts = WithheldParts(card.disclosable).alwaysSeen(in: .object(issued.claims))
    XCTAssertEqual(issued.leaves(in: parts.map(\.components)), always)
    guard !wanted.isEmpty else { return }
    let asked = try wanted.prefix(64).map { way in
      #"{"path":\#(String(decoding: try ClaimsPath(way).json.encoded, as: UTF8.self))}"#
    }
    let query = try CredentialsQuery(
      parsing: JSONValue(
        parsing: Array(
          #"""
          {"credentials":[{"id":"q","format":"dc+sd-jwt","meta":{"vct_values":["t"]},\#
          "claims":[\#(asked.joined(separator: ","))]}]}
          """#.utf8), profile: .foreign))
    let matches = QueryAnswer(
      query,
      cards: [
        QueriedCard(
          id: "c", types: ["t"], claims: .object(issued.claims), disclosable: card.disclosable)
      ]
    ).matches["q"]
    let told = try XCTUnwrap(matches?.first).paths.map(\.components)
    XCTAssertEqual(
      issued.leaves(in: told).union(always),
      issued.leaves(disclosing: Array(wanted.prefix(64))), "\(wanted)")
  }

  /// The claims about the subject.
  private func claims(_ all: JSONValue) -> JSONValue {
    .object(all.object?.filter { $0.key != "vct" && $0.key != "cnf" } ?? [:])
  }
}
