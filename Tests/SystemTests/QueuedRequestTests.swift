import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A request that has to wait is checked when its turn comes.
final class QueuedRequestTests: MiddleTestCase {
  private let pin = "142032"
  private var prompts: BiometricPrompts { host.keys.prompts }
  private var held: HeldAnswer!

  private let cancelled = WALLET_CORE_ERROR_CANCELLED
  private let versionBlocked = WALLET_CORE_ERROR_VERSION_BLOCKED

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  override func tearDown() {
    held?.letGo()
    super.tearDown()
  }

  func testABlockOfThisVersionEndsTheRequestsThatWait() throws {
    let held = HeldAnswer(checkPinPath)
    self.held = held
    middle.answer { held.rewrite($0) }
    let sent = try host.begin(wallet_core_check_pin, pin)
    try held.waitUntilHeld()
    let checks = middle.all(checkPinPath).count
    let check = try host.begin(wallet_core_check_pin, "142033")
    let unlock = try host.begin(wallet_core_unlock, "142033")
    let state = try host.begin(wallet_core_pin_state)
    try provider.control("/update-policy", ["rules": [["grade": "block"]]])
    XCTAssertEqual(try host.refresh(), .done)
    held.letGo()
    XCTAssertEqual(try host.complete(sent), .valid, "its PIN was sent before the block")
    let ended = try host.complete(all: check, unlock, state)
    XCTAssertEqual(ended.map(\.status), [versionBlocked, versionBlocked, versionBlocked])
    XCTAssertEqual(middle.all(checkPinPath).count, checks)
  }

  func testCardsThatAreCancelledBeforeTheirTurnSaySo() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    // The thread of what needs only this device waits for the user.
    prompts.expect(.open)
    let asked = prompts.asked
    let biometric = try host.begin(wallet_core_unlock_with_biometrics)
    prompts.awaitAsked(asked + 1)
    let cards = try host.begin(wallet_core_cards)
    let others = try host.begin(wallet_core_cards)
    XCTAssertEqual(wallet_core_cancel(host.client, cards, nil), WALLET_CORE_OK)
    XCTAssertEqual(prompts.answerOpenPrompt(), 0)
    let ended = try host.complete(all: biometric, cards, others)
    XCTAssertEqual(ended.map(\.status), [0, cancelled, 0])
  }
}
