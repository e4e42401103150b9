import CWalletCore
import CWalletCoreTesting
import Crypto
import Foundation
import TestSupport
import WalletModel
import WalletProtocol
import WalletRuntime
import XCTest

@testable import wallet_core

/// A wallet that trusts, by the provider's configuration, the authority of cards that the packages
/// sd-jwt and openvc-core made. No function of the header takes a card yet, so that alone is done by
/// the operation behind it.
///
/// Tests/Interop/cards_for_wallet.py makes the cards; the environment variable
/// WALLET_CORE_CARDS_FOR_WALLET names its file.
class CardTestCase: XCTestCase {
  struct Offer {
    var by: String
    var copies: [String]
    var claims: JSONValue
  }

  let pin = "142032"
  private(set) var provider: TestProvider!
  private(set) var middle: ManInTheMiddle!
  private(set) var host: TestHost!
  private(set) var offers: [Offer] = []
  /// A card of which every part can be withheld.
  private(set) var known: Offer!
  private(set) var untrusted = ""
  /// The public key of the issuer, as JWK.
  private(set) var issuer = JSONValue.null
  private(set) var keyCount = 0
  /// The file of cards.
  private(set) var file: URL!

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    let path = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_CARDS_FOR_WALLET"],
      "WALLET_CORE_CARDS_FOR_WALLET is not set: the part `judges` makes the file that it names, "
        + "and .ci/tests/run.py runs this test as the part `swift-judged`")
    self.file = URL(fileURLWithPath: path)
    let bytes = try Array(Data(contentsOf: self.file))
    let file = try XCTUnwrap(JSONValue(parsing: bytes, profile: .foreign).object)
    func offer(_ card: JSONValue?) throws -> Offer {
      Offer(
        by: try XCTUnwrap(card?.object?["by"]?.string),
        copies: try XCTUnwrap(card?.object?["copies"]?.array).compactMap(\.string),
        claims: try XCTUnwrap(card?.object?["claims"]))
    }
    offers = try XCTUnwrap(file["cards"]?.array).map(offer)
    known = try offer(file["known"])
    issuer = try XCTUnwrap(file["issuer"])
    untrusted = try XCTUnwrap(file["untrusted"]?.string)
    provider = try TestProvider(settings: ["trust-anchors": try anchors(file).path])
    middle = try ManInTheMiddle(before: provider)
    host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    let keys = try XCTUnwrap(file["keys"]?.array).map { key in
      let raw = try XCTUnwrap(key.object?["d"]?.string.flatMap { Base64URL.decode($0) })
      return try P256.Signing.PrivateKey(rawRepresentation: raw)
    }
    keyCount = keys.count
    host.keys.give(cardKeys: keys)
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  override func tearDown() {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    host = nil
    middle.stop()
    provider = nil
  }

  /// The operator's list of anchors.
  private func anchors(_ file: [String: JSONValue]) throws -> URL {
    let day: Int64 = 86_400
    let now = Int64(Date().timeIntervalSince1970)
    func date(_ seconds: Int64) -> JSONValue {
      .string(
        String(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).prefix(10)))
    }
    let anchor: [String: JSONValue] = [
      "name": .string("Authority of others"), "role": .string("issuer"),
      "types": .array([file["type"], file["other_type"]].compactMap(\.self)),
      "certificate": try XCTUnwrap(file["anchor"]), "from": date(now - day),
      "until": date(now + 20 * day),
    ]
    let url = try Scratch.directory("anchors").appendingPathComponent("anchors.json")
    try Data(JSONValue.object(["anchors": .array([.object(anchor)])]).encoded).write(to: url)
    return url
  }

  func run(_ request: WalletRequest) throws -> Completion {
    var number: UInt64 = 0
    do {
      try CoreInstance.core().start(request, for: host.client, number: &number)
    } catch { return Completion(status: error.kind.status) }
    return try host.complete(number)
  }

  func take(_ copies: [String], name: String? = nil) throws -> Completion {
    try run(.takeCard(copies, CardDisplay(name: name)))
  }

  func takeAll() throws {
    XCTAssertEqual(try run(.prepareCardKeys(offers.reduce(0) { $0 + $1.copies.count })), .done)
    for offer in offers {
      let taken = try take(offer.copies, name: "Card of \(offer.by)")
      XCTAssertEqual(taken, .done, "\(offer.by): \(taken.message)")
    }
  }

  /// The cards as the JSON of the event has them.
  func cards() throws -> [[String: JSONValue]] {
    let request = try host.begin(wallet_core_cards)
    let event = try host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_OK)
    let text = String(cString: wallet_core_event_json(event, nil))
    let json = try JSONValue(parsing: Array(text.utf8), profile: .foreign)
    let cards = try XCTUnwrap(json.object?["cards"]?.array)
    return try cards.map { card throws in try XCTUnwrap(card.object) }
  }
}
