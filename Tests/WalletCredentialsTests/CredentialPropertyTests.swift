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
      let count = presentation.split(separator: "~").count - 2
      disclosed += count
      withheld += issued.disclosures.count - count
    }
    XCTAssertGreaterThan(disclosed, 100)
    XCTAssertGreaterThan(withheld, 100)
  }

  /// The claims about the subject.
  private func claims(_ all: JSONValue) -> JSONValue {
    .object(all.object?.filter { $0.key != "vct" && $0.key != "cnf" } ?? [:])
  }
}
