import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// The flows and the cards of a wallet with a PID, while the provider's answer to a check of the PIN
/// is held back, as if it never came.
final class LocalFlowTests: UnansweredPinTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try flow.obtainPID(applicant, account().link)
  }

  func testCardsAreReadWhileAPinWaits() throws {
    let check = try beginUnanswered(wallet_core_check_pin)
    let cards = try host.cards().get()
    XCTAssertEqual(cards.map { $0.claims["family_name"] }, [applicant.familyName])
    lock()
    XCTAssertThrowsError(try host.cards().get())
    held.letGo()
    XCTAssertEqual(try host.complete(check), .valid)
    XCTAssertTrue(host.isLocked)
  }

  func testUC2_3_1_2aTheFlowsOpenTheDashboardWithBiometricsWhileAPinWaits() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    host.keys.hasBiometrics = true
    try host.restart()
    let unlock = try beginUnanswered(wallet_core_unlock)
    try flow.launch()
    try flow.expect("UC7.1 1.1")
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(try host.cards().get().count, 1)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock), .valid)
  }

  func testUC2_3_1_2fARequestWithAPinEndsTheScanOfTheFlows() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    host.keys.hasBiometrics = true
    try host.restart()
    let prompts = host.keys.prompts
    let asked = prompts.asked
    prompts.expect(.open)
    try flow.launch()
    prompts.awaitAsked(asked + 1)
    let unlock = try host.begin(wallet_core_unlock, pin)
    prompts.awaitCancelled(1)
    XCTAssertEqual(try host.complete(unlock), .valid)
    XCTAssertEqual(prompts.answerOpenPrompt(), WALLET_CORE_ERROR_UNKNOWN_CALL)
    XCTAssertTrue(
      eventually { (try? flow.poll(milliseconds: 100))??.row == "UC7.1 1.1" || isAtDashboard },
      "\(String(describing: flow.step))")
  }

  private var isAtDashboard: Bool { flow.step?.row == "UC7.1 1.1" }
}
