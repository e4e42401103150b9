import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import WalletRuntime
import XCTest

/// What a lock, a cancellation, a lost answer and a kill leave of a presentation: never an answer
/// without its use being counted.
final class CardInterruptionTests: CardTestCase {
  private let path = "/v2/instructions/authorize_use"
  private var id = ""

  override func setUpWithError() throws {
    try super.setUpWithError()
    XCTAssertEqual(try run(.prepareCardKeys(keyCount)), .done)
    XCTAssertEqual(try take(known.copies), .done)
    id = try XCTUnwrap(cards().last?["id"]?.string)
  }

  private func unused() throws -> JSONValue? { try cards().first?["unused_copies"] }

  /// Begins a presentation; returns its request once the provider has answered, and the answer.
  private func beginUnanswered(isCut: Bool = false) throws -> (UInt64, HeldAnswer) {
    let held = HeldAnswer(path, isCut: isCut)
    middle.answer { held.rewrite($0) }
    let (status, request) = host.beginPresenting([id], pin: pin)
    XCTAssertEqual(status, WALLET_CORE_OK)
    try held.waitUntilHeld()
    return (request, held)
  }

  func testALockBetweenThePinAndTheAnswerEndsItAndUsesNothing() throws {
    let (request, held) = try beginUnanswered()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    let (completion, texts) = try host.presentations(request)
    XCTAssertTrue(
      [WALLET_CORE_ERROR_LOCKED, WALLET_CORE_ERROR_CANCELLED].contains(completion.status),
      "\(completion)")
    XCTAssertEqual(texts, [])
    XCTAssertEqual(try host.unlock(pin), .valid)
    XCTAssertEqual(try unused(), .integer(3))
  }

  func testACancellationBetweenThePinAndTheAnswerEndsItAndUsesNothing() throws {
    let (request, held) = try beginUnanswered()
    XCTAssertEqual(wallet_core_cancel(host.client, request, nil), WALLET_CORE_OK)
    held.letGo()
    let (completion, texts) = try host.presentations(request)
    XCTAssertEqual(completion.status, WALLET_CORE_ERROR_CANCELLED, "\(completion)")
    XCTAssertEqual(texts, [])
    XCTAssertEqual(try unused(), .integer(3))
  }

  func testALockWhileTheCardSignsWithholdsThePresentationWhoseUseIsCounted() throws {
    host.keys.beforeCardSigns = { XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK) }
    let (completion, texts) = try host.presented([id], pin: pin)
    XCTAssertTrue(
      [WALLET_CORE_ERROR_LOCKED, WALLET_CORE_ERROR_CANCELLED].contains(completion.status),
      "\(completion)")
    XCTAssertEqual(texts, [])
    host.keys.beforeCardSigns = nil
    XCTAssertEqual(try host.unlock(pin), .valid)
    XCTAssertEqual(try unused(), .integer(2))
  }

  /// The wallet sends the same bytes again, and the provider answers what it answered before.
  func testALostAnswerIsAskedForAgainAndNothingHappensTwice() throws {
    let (request, held) = try beginUnanswered(isCut: true)
    held.letGo()
    let (completion, texts) = try host.presentations(request)
    XCTAssertEqual(completion, .valid)
    XCTAssertEqual(texts.count, 1)
    let sent = middle.all(path)
    XCTAssertEqual(sent.count, 2)
    XCTAssertEqual(Self.body(sent[0].request), Self.body(sent[1].request))
    XCTAssertEqual(Self.body(sent[0].answer), Self.body(sent[1].answer))
    XCTAssertEqual(try unused(), .integer(2))
    XCTAssertEqual(try host.checkPin("142033"), .wrong(3))
  }

  private static func body(_ message: [UInt8]) -> String? {
    String(decoding: message, as: UTF8.self).components(separatedBy: "\r\n\r\n").last
  }

  /// A copy of the storage is what a kill at that moment leaves.
  func testAKillBeforeTheAnswerLeavesNoUseAndAfterItNoUncountedOne() throws {
    let (request, held) = try beginUnanswered()
    let before = try image()
    held.letGo()
    XCTAssertEqual(try host.presentations(request).completion, .valid)
    middle.answer(with: nil)
    let after = try Scratch.directory("image").appendingPathComponent("storage")
    host.keys.beforeCardSigns = { [storage = host.storage] in
      XCTAssertNotNil(try? FileManager.default.copyItem(at: storage, to: after))
    }
    XCTAssertEqual(try host.presented([id], pin: pin).completion, .valid)
    host.keys.beforeCardSigns = nil

    for (storage, left) in [(before, 3), (after, 1)] {
      XCTAssertEqual(wallet_core_testing_reset_process(), 1)
      let restored = try TestHost(
        configuration: provider.clientConfiguration(url: middle.url), storage: storage,
        keys: host.keys)
      try restored.start()
      XCTAssertEqual(try restored.unlock(pin), .valid)
      let request = try restored.begin(wallet_core_cards)
      let event = try restored.nextEvent { wallet_core_event_request($0) == request }
      defer { wallet_core_event_free(event) }
      var unused: Int64 = 0
      XCTAssertEqual(wallet_core_event_card_number(event, 0, "unused_copies", &unused), 1)
      XCTAssertEqual(unused, Int64(left))
      XCTAssertEqual(try restored.presented([id], pin: pin).texts.count, 1, "it goes on")
    }
  }

  private func image() throws -> URL {
    let copy = try Scratch.directory("image").appendingPathComponent("storage")
    try FileManager.default.copyItem(at: host.storage, to: copy)
    return copy
  }

  /// Whoever copies the storage and the platform's keys gets nothing without the provider, and the
  /// provider opens nothing without the PIN.
  func testACopyOfTheStorageDoesNotPresentWithoutTheProvider() throws {
    host.keys.hasBiometrics = true
    XCTAssertEqual(host.keys.connect(), WALLET_CORE_OK)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let thief = try TestHost(
      configuration: provider.clientConfiguration(url: middle.url), storage: image(),
      keys: host.keys)
    try thief.start()
    XCTAssertEqual(try thief.unlockWithBiometrics(), .done)
    provider.kill()
    let offline = try thief.presented([id], pin: pin)
    XCTAssertEqual(offline.completion.status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(offline.texts, [])
    try provider.start()
    let guess = try thief.presented([id], pin: "142033")
    XCTAssertEqual(guess.completion, .wrong(3))
    XCTAssertEqual(guess.texts, [])
  }
}
