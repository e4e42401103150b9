import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import WalletRuntime
import XCTest

/// Cards of others are presented with the owner's PIN, and the packages sd-jwt and openvc-core accept
/// what a verifier gets.
final class CardPresentationTests: CardTestCase {
  private let street = #"["address","street_address"]"#
  private let path = "/v2/instructions/authorize_use"
  private let nonce = "n-0S6_WzA2Mj"
  private let audience = "https://verifier.example"

  private func present(
    _ cards: [String], _ paths: [[String]] = [], pin: String? = nil
  ) throws -> (completion: Completion, texts: [String]) {
    try host.presented(
      cards, paths: paths, nonce: nonce, audience: audience, pin: pin ?? self.pin)
  }

  /// Takes the known card; returns its id.
  private func takeKnown() throws -> String {
    XCTAssertEqual(try run(.prepareCardKeys(keyCount)), .done)
    XCTAssertEqual(try take(known.copies), .done)
    return try XCTUnwrap(cards().last?["id"]?.string)
  }

  private func unused(_ id: String) throws -> Int64? {
    guard
      case .integer(let count)? = try cards().first(where: { $0["id"]?.string == id })?[
        "unused_copies"]
    else { return nil }
    return count
  }

  private func states() throws -> [String?] { try cards().map { $0["state"]?.string } }

  /// The issuer's part of a presentation, which tells the copies of a card apart.
  private func copy(_ text: String) -> String { String(text.split(separator: "~").first ?? "") }

  /// Has both packages judge presentations: what they see must be these claims.
  private func judge(_ presentations: [(text: String, claims: JSONValue)]) throws {
    let document = JSONValue.object([
      "issuer": issuer, "nonce": .string(nonce), "audience": .string(audience),
      "presentations": .array(
        presentations.map { .object(["text": .string($0.text), "claims": $0.claims]) }),
    ])
    let given = try Scratch.directory("judged").appendingPathComponent("presentations.json")
    try Data(document.encoded).write(to: given)
    let process = Process()
    process.executableURL = file.deletingLastPathComponent().appendingPathComponent(
      "judges/bin/python")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Interop/judge_presentations.py").standardized
    process.arguments = ["-B", script.path, given.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0, text)
  }

  // MARK: What a verifier gets

  func testAClaimInsideOfAnotherIsShownWithItsParentsAndWithoutItsSiblings() throws {
    let id = try takeKnown()
    let (completion, texts) = try present([id], [[street, #"["nationalities",0]"#]])
    XCTAssertEqual(completion, .valid)
    XCTAssertEqual(texts.count, 1)
    let claims = JSONValue.object([
      "address": .object(["street_address": .string("Rowan Road 7")]),
      "nationalities": .array([.string("NL")]),
    ])
    try judge([(try XCTUnwrap(texts.first), claims)])
    XCTAssertEqual(try unused(id), 2)
  }

  func testSeveralCardsArePresentedWithOnePinInTheOrderOfTheSelections() throws {
    let id = try takeKnown()
    // The first of the others has no `iss`, which openvc-core demands.
    for offer in offers.dropFirst() { XCTAssertEqual(try take(offer.copies), .done) }
    let others = try cards().dropFirst()
    let ids = try [id] + others.map { try XCTUnwrap($0["id"]?.string) }
    let paths = offers.dropFirst().map { offer in
      (offer.claims.object ?? [:]).keys.map {
        String(decoding: JSONValue.array([.string($0)]).encoded, as: UTF8.self)
      }
    }
    let (completion, texts) = try present(ids + [id], [[#"["given_name"]"#]] + paths + [[]])
    XCTAssertEqual(completion, .valid, completion.message)
    XCTAssertEqual(texts.count, offers.count + 1)
    let seen =
      [JSONValue.object(["given_name": .string("Marigold")])]
      + offers.dropFirst().map(\.claims) + [.object([:])]
    try judge(Array(zip(texts, seen)).map { (text: $0.0, claims: $0.1) })
    XCTAssertEqual(copy(texts[0]), copy(texts[texts.count - 1]), "one card, one copy")
    XCTAssertEqual(try unused(id), 2)
    XCTAssertEqual(middle.all(path).count, 1, "one request")
  }

  func testEachCopyIsUsedOnceBeforeOneIsUsedTwice() throws {
    let id = try takeKnown()
    var used: [String] = []
    for left: Int64 in [2, 1, 0, 0] {
      used.append(copy(try XCTUnwrap(present([id]).texts.first)))
      XCTAssertEqual(try unused(id), left)
    }
    XCTAssertEqual(Set(used).count, 3)
    XCTAssertEqual(Set(used.prefix(3)).count, 3)
  }

  // MARK: The PIN

  func testAWrongPinCountsAndPresentsNothingAndABlockLocks() throws {
    let id = try takeKnown()
    for left: Int32 in [3, 2, 1] {
      let (completion, texts) = try present([id], pin: "142033")
      XCTAssertEqual(completion, .wrong(left))
      XCTAssertEqual(texts, [])
    }
    XCTAssertEqual(try unused(id), 3, "no copy was used")
    XCTAssertEqual(try present([id], pin: "142033").completion, .blocked(60_000))
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try present([id]).completion.status, WALLET_CORE_ERROR_LOCKED)
    try provider.advanceClock(milliseconds: 60_000)
    let unlocked = try host.unlock(pin)
    XCTAssertEqual(unlocked, .valid)
    XCTAssertEqual(unlocked.failedAttempts, 4)
    XCTAssertEqual(try present([id], pin: "142033").completion, .wrong(3))
    let (completion, texts) = try present([id])
    XCTAssertEqual(completion, .valid)
    XCTAssertEqual(completion.failedAttempts, 1, "the owner is told")
    XCTAssertEqual(texts.count, 1)
  }

  /// Whoever has the unlocked phone, by its owner's finger, has as many guesses as any other.
  func testBiometricsAloneOrATooSimplePinPresentNothing() throws {
    let id = try takeKnown()
    host.keys.hasBiometrics = true
    XCTAssertEqual(host.keys.connect(), WALLET_CORE_OK)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try cards().count, 1)
    for pin in ["", "1420", "abcdef"] {
      XCTAssertEqual(
        try present([id], pin: pin).completion.status, WALLET_CORE_ERROR_PIN_REFUSED)
    }
    XCTAssertEqual(middle.all(path).count, 0)
    var guesses = 0
    for number in 0..<20 {
      try provider.advanceClock(milliseconds: 3_600_001)
      let (completion, texts) = try present([id], pin: String(format: "9%05d", 14_203 + number))
      XCTAssertEqual(texts, [])
      guard completion.status == WALLET_CORE_OK else { break }
      guesses += 1
      if completion == .blockedForGood { break }
      if host.isLocked { XCTAssertEqual(try host.unlockWithBiometrics(), .done) }
    }
    XCTAssertEqual(guesses, 16)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try present([id]).completion, .blockedForGood, "the right PIN too")
    XCTAssertEqual(try present([id]).texts, [])
  }

  func testWhatCanBeRefusedWithoutTheProviderCostsNoAttempt() throws {
    let id = try takeKnown()
    for (card, paths, status) in [
      (id, [#"["address","number"]"#], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      (id, [#"["given_name",0]"#], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      (id, [#"["nationalities",2]"#], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      (id, ["given_name"], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      (id, ["[]"], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      (id, [#"["given_name",-1]"#], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      (id, [#"["given_name"] "x""#], WALLET_CORE_ERROR_INVALID_ARGUMENT),
      ("other", [], WALLET_CORE_ERROR_CARD_UNKNOWN), ("pid", [], WALLET_CORE_ERROR_CARD_UNKNOWN),
    ] {
      let (completion, texts) = try present([card], [paths])
      XCTAssertEqual(completion.status, status, "\(card) \(paths)")
      XCTAssertEqual(texts, [])
    }
    XCTAssertFalse(middle.paths.contains(path))
    XCTAssertEqual(try host.checkPin("142033"), .wrong(3))
    XCTAssertEqual(try unused(id), 3)
  }

  func testNothingIsPresentedOffline() throws {
    let id = try takeKnown()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    defer { wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0) }
    XCTAssertEqual(try present([id]).completion.status, WALLET_CORE_ERROR_NO_INTERNET)
    XCTAssertEqual(try unused(id), 3)
  }

  // MARK: Keys

  func testAfterARotationASlotIsSealedAnewAndALostUseKeyGetsAClearStatus() throws {
    let id = try takeKnown()
    try provider.replaceKey("use")
    provider.stop()
    try provider.start()
    XCTAssertEqual(try host.refresh(), .done)
    // The retired key opens this copy, which is then sealed to the new one.
    let first = copy(try XCTUnwrap(present([id]).texts.first))
    try provider.giveUpRetiredUseKey()
    provider.stop()
    try provider.start()
    for _ in 0..<2 {
      let (completion, texts) = try present([id])
      XCTAssertEqual(completion.status, WALLET_CORE_ERROR_CARD_REFUSED)
      XCTAssertTrue(completion.data.contains(#""reason":"use-key-lost""#), completion.data)
      XCTAssertTrue(completion.data.contains(id), completion.data)
      XCTAssertEqual(texts, [])
    }
    XCTAssertEqual(try unused(id), 2, "what did not open was not used")
    // The others are lost; this one opens with the new key.
    XCTAssertEqual(try present([id]).texts.map(copy), [first])
  }

  func testACopyWhoseKeyThePlatformHasLostIsNotedAndAnotherIsUsedNext() throws {
    let id = try takeKnown()
    host.keys.refuseSigning(with: "wallet_core.card.", WALLET_CORE_BRIDGE_KEY_MISSING)
    let (completion, texts) = try present([id])
    XCTAssertEqual(completion.status, WALLET_CORE_ERROR_CARD_KEY_LOST)
    XCTAssertEqual(texts, [])
    XCTAssertEqual(try states(), ["valid"])
    host.keys.refuseSigning(with: "wallet_core.card.", WALLET_CORE_BRIDGE_OK)
    XCTAssertEqual(try present([id]).completion, .valid)
    host.keys.loseCardKeys()
    XCTAssertEqual(try present([id]).completion.status, WALLET_CORE_ERROR_CARD_KEY_LOST)
    XCTAssertEqual(try present([id]).completion.status, WALLET_CORE_ERROR_CARD_KEY_LOST)
    XCTAssertEqual(try states(), ["key-lost"])
    let asked = middle.all(path).count
    XCTAssertEqual(try present([id]).completion.status, WALLET_CORE_ERROR_CARD_KEY_LOST)
    XCTAssertEqual(middle.all(path).count, asked, "no PIN is sent for a card that is lost")
  }
}
