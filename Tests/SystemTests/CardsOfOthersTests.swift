import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import WalletRuntime
import XCTest

/// Cards that the packages sd-jwt and openvc-core made, in a wallet.
final class CardsOfOthersTests: CardTestCase {
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

  /// Claims as text. Another program draws them at random, so they may also be none.
  private func text(_ claims: JSONValue?) -> String {
    String(decoding: rounded(claims ?? .null).encoded, as: UTF8.self)
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
        XCTAssertEqual(text(card["claims"]), text(offer.claims), offer.by)
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

  func testADamagedCardHidesNoOtherAndIsDeleted() throws {
    try takeAll()
    let id = try XCTUnwrap(cards()[1]["id"]?.string)
    for value in ["vault/card." + id, "account/card." + id] {
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      try damage(value, in: host.storage)
      try host.start()
      XCTAssertEqual(try host.unlock(pin), .valid)
      let cards = try cards()
      XCTAssertEqual(cards.count, offers.count)
      for (card, offer) in zip(cards, offers) where card["id"]?.string != id {
        XCTAssertEqual(card["name"], .string("Card of \(offer.by)"), value)
        XCTAssertEqual(text(card["claims"]), text(offer.claims), value)
      }
      XCTAssertEqual(cards[1]["id"], .string(id))
      XCTAssertEqual(cards[1]["state"], .string("unreadable"), value)
      XCTAssertEqual(cards[1]["claims"], .object([:]), value)
    }
    let watch = CardsWatch(host.client)
    XCTAssertEqual(try run(.deleteCard(id)), .done)
    XCTAssertTrue(watch.hasEvent(after: 0))
    XCTAssertEqual(
      try cards().compactMap { $0["id"]?.string }.filter { $0 == id }, [], "it is gone")
    XCTAssertEqual(try cards().count, offers.count - 1)
  }

  func testACardWhoseAuthorityLeftTheConfigurationIsUntrustedAndThatIsTold() throws {
    try takeAll()
    provider.settings["trust-anchors"] = nil
    provider.stop()
    try provider.start()
    let watch = CardsWatch(host.client)
    XCTAssertEqual(try host.refresh(), .done)
    XCTAssertTrue(watch.hasEvent(after: 0))
    for card in try cards() { XCTAssertEqual(card["state"], .string("untrusted")) }
    try host.restart()
    XCTAssertEqual(try host.unlock(pin), .valid)
    for card in try cards() { XCTAssertEqual(card["state"], .string("untrusted")) }
  }

  func testAPlatformWithoutP256KeysGetsAClearStatus() throws {
    XCTAssertEqual(try run(.prepareCardKeys(keyCount)), .done)
    XCTAssertEqual(
      try run(.prepareCardKeys(keyCount + 1)).status, WALLET_CORE_ERROR_CARD_KEY_UNSUPPORTED)
  }
}
