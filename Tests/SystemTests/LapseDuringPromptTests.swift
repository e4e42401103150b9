import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// One thread learns that the registration has lapsed while the other has a prompt open.
final class LapseDuringPromptTests: MiddleTestCase {
  private let pin = "142032"

  func testUC2_3_1_2AFingerUnlocksNoWalletThatLapsedDuringThePrompt() throws {
    host.keys.hasBiometrics = true
    try host.start()
    // The confirmation does not reach the provider.
    let challenge = Route.instruction(.challenge)
    middle.answer { $0.path == challenge ? ManInTheMiddle.http(503, "{}") : nil }
    try enableBiometricsInTheSetUp()
    try provider.advanceClock(milliseconds: 7 * 86_400_000)
    try host.restart()
    let held = HeldAnswer(challenge, holdsAll: true)
    middle.answer { held.rewrite($0) }
    let unlock = try host.begin(wallet_core_unlock, pin)
    try held.waitUntilHeld()
    let prompts = host.keys.prompts
    let asked = prompts.asked
    prompts.expect(.open)
    let biometric = try host.begin(wallet_core_unlock_with_biometrics)
    prompts.awaitAsked(asked + 1)
    held.letGo()
    XCTAssertEqual(
      try host.complete(unlock).status, WALLET_CORE_ERROR_NOT_REGISTERED)
    XCTAssertEqual(prompts.answerOpenPrompt(), 0)
    XCTAssertEqual(
      try host.complete(biometric).status, WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED)
    XCTAssertTrue(host.isLocked)
    XCTAssertFalse(host.isRegistered)
  }

  private func enableBiometricsInTheSetUp() throws {
    let flow = FlowHost(host)
    try flow.walkToChoosePin()
    flow.enter(pin)
    try flow.expect("UC2.1 1.3")
    flow.enter(pin)
    try flow.expect("UC2.1 1.7")
    flow.choose("enable")
    try flow.expect("UC2.1 1.9")
    XCTAssertTrue(host.isBiometric)
  }
}
