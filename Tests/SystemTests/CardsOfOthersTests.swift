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

/// Cards that the packages sd-jwt and openvc-core made, in a wallet that trusts their authority by
/// the provider's configuration. No function of the header takes a card yet, so that alone is done
/// by the operation behind it.
///
/// Tests/Interop/cards_for_wallet.py makes the cards; the environment variable
/// WALLET_CORE_CARDS_FOR_WALLET names its file.
final class CardsOfOthersTests: XCTestCase {
  private struct Offer {
    var by: String
    var copies: [String]
    var claims: JSONValue
  }

  private let pin = "142032"
  private var provider: TestProvider!
  private var host: TestHost!
  private var offers: [Offer] = []
  private var untrusted = ""

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    let path = try XCTUnwrap(
      ProcessInfo.processInfo.environment["WALLET_CORE_CARDS_FOR_WALLET"],
      "WALLET_CORE_CARDS_FOR_WALLET is not set: the part `judges` makes the file that it names, "
        + "and .ci/tests/run.py runs this test as the part `swift-judged`")
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    let file = try XCTUnwrap(JSONValue(parsing: bytes, profile: .foreign).object)
    offers = try XCTUnwrap(file["cards"]?.array).map { card in
      Offer(
        by: try XCTUnwrap(card.object?["by"]?.string),
        copies: try XCTUnwrap(card.object?["copies"]?.array).compactMap(\.string),
        claims: try XCTUnwrap(card.object?["claims"]))
    }
    untrusted = try XCTUnwrap(file["untrusted"]?.string)
    provider = try TestProvider(settings: ["trust-anchors": try anchors(file).path])
    host = try TestHost(configuration: provider.clientConfiguration())
    host.keys.give(
      cardKeys: try XCTUnwrap(file["keys"]?.array).map { key in
        let raw = try XCTUnwrap(key.object?["d"]?.string.flatMap { Base64URL.decode($0) })
        return try P256.Signing.PrivateKey(rawRepresentation: raw)
      })
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  override func tearDown() {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    host = nil
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

  private func run(_ request: WalletRequest) throws -> Completion {
    var number: UInt64 = 0
    do {
      try CoreInstance.core().start(request, for: host.client, number: &number)
    } catch { return Completion(status: error.kind.status) }
    return try host.complete(number)
  }

  private func take(_ copies: [String], name: String? = nil) throws -> Completion {
    try run(.takeCard(copies, CardDisplay(name: name)))
  }

  private func takeAll() throws {
    XCTAssertEqual(try run(.prepareCardKeys(offers.reduce(0) { $0 + $1.copies.count })), .done)
    for offer in offers {
      let taken = try take(offer.copies, name: "Card of \(offer.by)")
      XCTAssertEqual(taken, .done, "\(offer.by): \(taken.message)")
    }
  }

  /// The cards as the JSON of the event has them.
  private func cards() throws -> [[String: JSONValue]] {
    let request = try host.begin(wallet_core_cards)
    let event = try host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_OK)
    let text = String(cString: wallet_core_event_json(event, nil))
    let json = try JSONValue(parsing: Array(text.utf8), profile: .foreign)
    let cards = try XCTUnwrap(json.object?["cards"]?.array)
    return try cards.map { card throws in try XCTUnwrap(card.object) }
  }

  /// `value` with the numbers that readers of JSON have.
  private func rounded(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let text):
      guard let number = Double(text) else { return value }
      return Int64(exactly: number).map(JSONValue.integer) ?? .number("\(number)")
    case .array(let values): return .array(values.map(rounded))
    case .object(let members): return .object(members.mapValues(rounded))
    case .integer, .string, .boolean, .null: return value
    }
  }

  func testTheyGoInWholeAndAreShownAsTheyWereMade() throws {
    try takeAll()
    for round in ["taken", "unlocked again", "restarted"] {
      let cards = try cards()
      XCTAssertEqual(cards.count, offers.count, round)
      for (card, offer) in zip(cards, offers) {
        XCTAssertEqual(card["issuer"], .string("Issuer of cards"), round)
        XCTAssertEqual(card["name"], .string("Card of \(offer.by)"), round)
        XCTAssertEqual(card["copies"], .integer(2), round)
        XCTAssertEqual(
          String(decoding: rounded(card["claims"] ?? .null).encoded, as: UTF8.self),
          String(decoding: rounded(offer.claims).encoded, as: UTF8.self), offer.by)
        XCTAssertTrue(["valid", "unchecked"].contains(card["state"]?.string), offer.by)
      }
      if round == "taken" {
        XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
        XCTAssertEqual(try run(.deleteCard("x")).status, WALLET_CORE_ERROR_LOCKED)
        XCTAssertEqual(try take(offers[0].copies).status, WALLET_CORE_ERROR_LOCKED)
      } else if round == "unlocked again" {
        try host.restart()
      }
      if round != "restarted" { XCTAssertEqual(try host.unlock(pin), .valid) }
    }
  }

  func testACardOfAnotherAuthorityOrForOtherKeysIsRefusedAndNothingIsStored() throws {
    XCTAssertEqual(try run(.prepareCardKeys(1)), .done)
    XCTAssertEqual(try take([untrusted]).status, WALLET_CORE_ERROR_CARD_REFUSED)
    // Its second copy is bound to a key that is not prepared yet.
    XCTAssertEqual(try take(offers[0].copies).status, WALLET_CORE_ERROR_CARD_REFUSED)
    XCTAssertEqual(try cards().count, 0)
  }

  func testADeletedCardTakesItsKeysWithItAfterTheNextStart() throws {
    try takeAll()
    let before = host.keys.cardKeyCount
    let id = try XCTUnwrap(cards().first?["id"]?.string)
    XCTAssertEqual(try run(.deleteCard(id)), .done)
    XCTAssertEqual(try cards().count, offers.count - 1)
    XCTAssertEqual(try run(.deleteCard(id)).status, WALLET_CORE_ERROR_CARD_UNKNOWN)
    try host.restart()
    XCTAssertEqual(try host.unlock(pin), .valid)
    XCTAssertTrue(eventually { host.keys.cardKeyCount == before - 2 }, "its two keys are deleted")
    XCTAssertEqual(try cards().count, offers.count - 1)
  }

  func testOnlyThePIDIsPresentedByName() throws {
    try takeAll()
    let id = try XCTUnwrap(cards().first?["id"]?.string)
    for (card, status) in [
      (id, WALLET_CORE_ERROR_INVALID_ARGUMENT), ("other", WALLET_CORE_ERROR_CARD_UNKNOWN),
    ] {
      var request: UInt64 = 0
      XCTAssertEqual(
        wallet_core_present(host.client, card, nil, 0, "nonce", "verifier", &request, nil),
        WALLET_CORE_OK)
      XCTAssertEqual(try host.complete(request).status, status)
    }
  }

  func testAPlatformWithoutP256KeysGetsAClearStatus() throws {
    XCTAssertEqual(try run(.prepareCardKeys(12)), .done)
    XCTAssertEqual(
      try run(.prepareCardKeys(13)).status, WALLET_CORE_ERROR_CARD_KEY_UNSUPPORTED)
  }
}
