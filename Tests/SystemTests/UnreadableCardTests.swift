import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A wallet of which one value of the PID is damaged shows it so, and gets another in its place.
final class UnreadableCardTests: ProofingTestCase {
  private var holder: TestProvider.Account!

  override func setUpWithError() throws {
    try super.setUpWithError()
    holder = try account()
    try flow.obtainPID(applicant, holder.link)
  }

  /// Damages a value while the wallet does not run, and unlocks.
  private func restart(damaging value: String) throws {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try damage(value, in: flow.host.storage)
    try flow.host.start()
    try flow.launch()
    try unlock(to: "UC7.1 1.1")
  }

  private func readState(_ look: (OpaquePointer) -> Void = { _ in }) throws
    -> wallet_core_card_state
  {
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_event_card_count(event), 1)
    look(event)
    return wallet_core_event_card_state(event, 0)
  }

  private func assertUnreadable(hasType: Bool, line: UInt = #line) throws {
    XCTAssertEqual(flow.number("has_pid"), 1, line: line)
    let state = try readState { event in
      XCTAssertEqual(wallet_core_event_card_claim_count(event, 0), 0, line: line)
      XCTAssertEqual(
        String(cString: wallet_core_event_card_text(event, 0, "id")), "pid", line: line)
      let type = String(cString: wallet_core_event_card_text(event, 0, "type"))
      XCTAssertEqual(!type.isEmpty, hasType, line: line)
    }
    XCTAssertEqual(state, WALLET_CORE_CARD_STATE_UNREADABLE, line: line)
    XCTAssertEqual(
      try flow.host.completionOfPresent().status, WALLET_CORE_ERROR_CARD_REFUSED, line: line)
    // A refusal costs no attempt.
    XCTAssertEqual(try flow.host.checkPin("142033"), .wrong(3), line: line)
    XCTAssertEqual(try flow.host.checkPin(pin), .valid, line: line)
  }

  private func assertAnotherPIDTakesItsPlace(line: UInt = #line) throws {
    try flow.obtainAnotherPID(applicant, provider.newCode(for: holder).link)
    XCTAssertEqual(
      try flow.host.cards().get().map(\.claims["family_name"]), [applicant.familyName], line: line)
    XCTAssertEqual(
      try flow.host.present(["birthdate"]).get().split(separator: "~").count, 3, line: line)
  }

  func testADamagedContentIsShownSoAndReplaced() throws {
    try restart(damaging: "vault/card.pid")
    try assertUnreadable(hasType: false)
    try assertAnotherPIDTakesItsPlace()
  }

  func testADamagedRecordIsShownSoAndReplaced() throws {
    try restart(damaging: "account/card.pid")
    try assertUnreadable(hasType: true)
    try assertAnotherPIDTakesItsPlace()
  }

  func testADamagedListOfCardsLosesNothing() throws {
    try restart(damaging: "account/cards")
    XCTAssertEqual(
      try flow.host.cards().get().map(\.claims["family_name"]), [applicant.familyName])
    try assertAnotherPIDTakesItsPlace()
  }
}
