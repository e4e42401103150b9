import Foundation
import WalletCredentials
import WalletJOSE
import WalletProtocol
import XCTest

/// Cards of the packages sd-jwt and openvc-core, and one that is spoilt in many ways.
///
/// Tests/Interop/cards_by_others.py makes them and says what these packages make of them; the
/// environment variable WALLET_CORE_CARDS_BY_OTHERS names its file.
final class CardsByOthersTests: XCTestCase {
  private func file() throws -> [String: JSONValue] {
    let path = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_CARDS_BY_OTHERS"],
      "WALLET_CORE_CARDS_BY_OTHERS is not set: the part `judges` makes the file that it names, "
        + "and .ci/tests/run.py runs this test as the part `swift-judged`")
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    return try XCTUnwrap(JSONValue(parsing: bytes, profile: .foreign).object)
  }

  /// The cards of one kind, with the key of their issuer.
  private func cards(
    _ kind: String, in file: [String: JSONValue]
  ) throws -> (cards: [[String: JSONValue]], verifier: P256VerifyingKey) {
    let cards = try XCTUnwrap(file[kind]?.array).map { try XCTUnwrap($0.object) }
    return (cards, try P256VerifyingKey(jwk: XCTUnwrap(file["issuer"])))
  }

  private func read(
    _ card: [String: JSONValue], by verifier: P256VerifyingKey
  ) throws -> VerifiedCredential {
    try Credential(parsing: XCTUnwrap(card["card"]?.string)).verify(by: verifier)
  }

  func testGoodCardsHaveTheClaimsThatWentIn() throws {
    let file = try file()
    let now = try XCTUnwrap(file["now"]?.integer)
    let (good, verifier) = try cards("good", in: file)
    for (number, card) in good.enumerated() {
      let made = try "card \(number) of \(XCTUnwrap(card["by"]?.string))"
      let credential = try read(card, by: verifier)
      var seen = try XCTUnwrap(credential.claims.object)
      seen["_sd_alg"] = nil
      // As bytes: texts are also equal if they are only canonically equivalent.
      XCTAssertEqual(JSONValue.object(seen).encoded, card["claims"]?.encoded, made)
      XCTAssertEqual(credential.terms.validity(at: now), .valid, made)
      let parts = try XCTUnwrap(card["card"]?.string).split(separator: "~")
      XCTAssertEqual(credential.disclosable.count, parts.count - 1, made)
    }
    print("cards of others: \(good.count) read")
    XCTAssertGreaterThanOrEqual(good.count, 100)
  }

  func testSpoiltCardsAreRefusedForTheirDamage() throws {
    let (spoilt, verifier) = try cards("spoilt", in: file())
    var alone = 0
    for card in spoilt {
      let name = try XCTUnwrap(card["name"]?.string)
      XCTAssertThrowsError(try read(card, by: verifier), name) {
        XCTAssertEqual(($0 as? CredentialError).map(Self.name), card["error"]?.string, name)
      }
      guard let reasons = card["stricter"]?.object, !reasons.isEmpty else { continue }
      alone += 1
      for (judge, reason) in reasons.sorted(by: { $0.key < $1.key }) {
        print("stricter than \(judge) with \(name): \(reason.string ?? "")")
      }
    }
    print("spoilt cards: \(spoilt.count) refused, \(alone) of them more strictly than by a package")
    XCTAssertGreaterThanOrEqual(spoilt.count - alone, 30)
  }

  /// The error as the file writes it.
  private static func name(_ error: CredentialError) -> String {
    guard case .issuerJWSRefused(let inner) = error else { return "\(error)" }
    return "issuerJWSRefused.\(inner)"
  }
}
