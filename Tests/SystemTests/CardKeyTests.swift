import CSQLite
import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Cards whose key the platform has lost or does not sign with, and cards that have expired.
final class CardKeyTests: ProofingTestCase {
  private static let pidKeys = "wallet_core.pid."

  private func assertPresents(line: UInt = #line) throws {
    let text = try flow.host.present(["birthdate"]).get()
    XCTAssertEqual(text.split(separator: "~").count, 3, line: line)
  }

  func testACardWhoseKeyIsGoneIsReportedAndANewOnePresentsAgain() throws {
    let holder = try account()
    try flow.obtainPID(applicant, holder.link)
    try assertPresents()
    flow.host.keys.loseSigningKeys(Self.pidKeys)
    let lost = try flow.host.completionOfPresent()
    XCTAssertEqual(lost.status, WALLET_CORE_ERROR_CARD_KEY_LOST, "\(lost)")
    XCTAssertTrue(lost.message.contains("obtain a new card"), lost.message)
    // The wallet itself is not affected.
    XCTAssertFalse(flow.host.isLocked)
    XCTAssertEqual(try flow.host.cards().get().count, 1)
    try flow.obtainAnotherPID(applicant, provider.newCode(for: holder).link)
    try assertPresents()
    XCTAssertEqual(try flow.host.cards().get().count, 1)
    XCTAssertEqual(flow.host.keys.signingKeys(Self.pidKeys).count, 10)
  }

  func testAPlatformWithoutP256KeysObtainsNoPIDAndSaysWhy() throws {
    flow.host.keys.makesP256 = false
    try flow.claim(account().link)
    try flow.submit(applicant)
    let error = try flow.next()
    XCTAssertEqual(error.name, "generic")
    XCTAssertEqual(flow.text("status_name"), "CARD_KEY_UNSUPPORTED")
    // Nothing is lost once the platform makes such keys.
    flow.host.keys.makesP256 = true
    flow.choose("try-again")
    try flow.expectPID()
    XCTAssertEqual(requests("submit_evidence"), 1)
  }

  func testAPIDThatIsMissingInTheStorageIsShownAsUnreadable() throws {
    try flow.obtainPID(applicant, account().link)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    var database: OpaquePointer?
    let path = flow.host.storage.appendingPathComponent("wallet.db").path
    XCTAssertEqual(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil), SQLITE_OK)
    XCTAssertEqual(
      sqlite3_exec(database, "DELETE FROM vault WHERE name = 'card.pid'", nil, nil, nil), SQLITE_OK)
    XCTAssertEqual(sqlite3_changes(database), 1)
    sqlite3_close(database)
    try restart(to: "UC7.1 1.1")
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_card_count(event), 1)
    XCTAssertEqual(String(cString: wallet_core_event_card_text(event, 0, "id")), "pid")
    XCTAssertEqual(
      wallet_core_event_card_state(event, 0), WALLET_CORE_CARD_STATE_UNREADABLE)
  }

  func testASigningBridgeThatFailsFailsThePresentationAndNothingElse() throws {
    try flow.obtainPID(applicant, account().link)
    let failures: [(wallet_core_bridge_status, wallet_core_status)] = [
      (WALLET_CORE_BRIDGE_CANCELLED_BY_USER, WALLET_CORE_ERROR_BRIDGE_FAILED),
      (WALLET_CORE_BRIDGE_UNAVAILABLE, WALLET_CORE_ERROR_DEVICE_INSECURE),
      (-1007, WALLET_CORE_ERROR_BRIDGE_FAILED),
    ]
    for (reply, status) in failures {
      flow.host.keys.refuseSigning(with: Self.pidKeys, reply)
      let failed = try flow.host.completionOfPresent()
      XCTAssertEqual(failed.status, status, "\(reply): \(failed)")
      XCTAssertFalse(flow.host.isLocked)
      flow.host.keys.refuseSigning(with: Self.pidKeys, 0)
      try assertPresents()
    }
    XCTAssertEqual(flow.host.keys.keyCount, 12)
  }

  // MARK: Before there is a PID

  func testUC3_1_9bAKeyThatIsGoneBeforeItsPIDIsReplaced() throws {
    try flow.claim(account().link)
    flow.host.keys.refuseSigning(with: Self.pidKeys, WALLET_CORE_BRIDGE_KEY_MISSING)
    let before = pass("storage.card.keys-given-up.after-commit")
    try flow.submit(applicant)
    // On a slow machine the row shows progress before it shows the error.
    let error = try flow.next()
    XCTAssertEqual(error.row, "UC3.1 9b")
    XCTAssertEqual(error.name, "generic")
    XCTAssertEqual(flow.text("status_name"), "BRIDGE_FAILED")
    XCTAssertEqual(pass("storage.card.keys-given-up.after-commit"), before + 1)
    let lost = flow.host.keys.signingKeys(Self.pidKeys)
    flow.host.keys.refuseSigning(with: Self.pidKeys, 0)
    flow.choose("try-again")
    try flow.expectPID()
    flow.choose("continue")
    try flow.expect("UC7.1 1.1")
    try assertPresents()
    XCTAssertEqual(requests("submit_evidence"), 1, "the evidence is not vetted again")
    // The next start deletes the key that the platform reported as lost, if it is still there.
    let current = flow.host.keys.signingKeys(Self.pidKeys).subtracting(lost)
    XCTAssertEqual(current.count, 10)
    try flow.host.restart()
    XCTAssertTrue(eventually { flow.host.keys.signingKeys(Self.pidKeys) == current })
    try flow.launch()
    try unlock(to: "UC7.1 1.1")
    try assertPresents()
    try assertOnePID()
  }

  func testUC3_1_10bAWaitingKeyThatTheDeviceLostIsMadeAgain() throws {
    try flow.claim(account().link)
    try provider.control(
      "/faults", ["kind": "drop", "count": 9, "path": path("issue_pid")])
    try flow.submit(applicant)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.host.keys.signingKeys(Self.pidKeys).count, 10)
    flow.host.keys.loseSigningKeys(Self.pidKeys)
    try provider.control("/faults", [:])
    flow.choose("try-again")
    try flow.expectPID()
    flow.choose("continue")
    try flow.expect("UC7.1 1.1")
    try assertPresents()
    try assertOnePID()
  }

  /// The provider issues for one set of keys in each proofing: with others the proofing ends.
  func testUC3_1_9beAKeyThatIsGoneAfterItsPIDWasIssuedNeedsAnotherCode() throws {
    let holder = try account()
    try flow.claim(holder.link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 9c")
    try provider.control(
      "/faults", ["kind": "drop_answer", "count": 9, "path": path("issue_pid")])
    flow.enter(pin)
    try flow.expect("UC3.1 10b")
    flow.host.keys.loseSigningKeys(Self.pidKeys)
    try provider.control("/faults", [:])
    flow.choose("try-again")
    try flow.expect("UC3.1 2b")
    XCTAssertEqual(flow.step?.notices, ["session-lost"])
    try flow.obtainPID(applicant, provider.newCode(for: holder).link)
    try assertPresents()
    XCTAssertEqual(try flow.host.cards().get().count, 1)
  }

  // MARK: Expiry

  func testAnExpiredCardIsMarkedAndNotPresented() throws {
    try flow.obtainPID(applicant, account().link)
    XCTAssertEqual(try flow.host.cards().get().map(\.isExpired), [false])
    XCTAssertEqual(flow.number("is_pid_expired"), 0)
    let days = 91 * 86_400_000
    try provider.advanceClock(milliseconds: days)
    flow.advanceClock(Int64(days))
    try unlock(to: "UC7.1 1.1")
    XCTAssertEqual(flow.number("is_pid_expired"), 1)
    let cards = try flow.host.cards().get()
    XCTAssertEqual(cards.map(\.isExpired), [true])
    XCTAssertEqual(cards.map { $0.claims["family_name"] }, [applicant.familyName])
    let present = try flow.host.completionOfPresent()
    XCTAssertEqual(present.status, WALLET_CORE_ERROR_CARD_EXPIRED, "\(present)")
    XCTAssertEqual(
      try flow.host.present(["birthdate"]),
      .failure(StatusError(WALLET_CORE_ERROR_CARD_EXPIRED)))
    // The running wallet has shown what it shows after a restart.
    let actions = flow.step?.actions
    try restart(to: "UC7.1 1.1")
    XCTAssertEqual(flow.number("is_pid_expired"), 1)
    XCTAssertEqual(flow.step?.actions, actions)
    XCTAssertEqual(try flow.host.cards().get(), cards)
  }

  /// Without an answer of the provider in this process, as after a start of the device with a wrong
  /// calendar, each unlock reads the calendar anew.
  func testARunningWalletThatIsOfflineNoticesAtItsUnlockThatACardHasExpired() throws {
    try flow.obtainPID(applicant, account().link)
    XCTAssertEqual(try flow.host.enableBiometrics(pin), .valid)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    try flow.host.restart()
    XCTAssertEqual(try flow.host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try flow.host.cards().get().map(\.isExpired), [false])
    let seconds: Int64 = 91 * 86_400
    wallet_core_testing_advance_calendar(seconds)
    defer { wallet_core_testing_advance_calendar(-seconds) }
    XCTAssertEqual(try flow.host.cards().get().map(\.isExpired), [false], "before an unlock")
    lock()
    XCTAssertEqual(try flow.host.unlockWithBiometrics(), .done)
    let cards = try flow.host.cards().get()
    XCTAssertEqual(cards.map(\.isExpired), [true])
    XCTAssertEqual(
      try flow.host.completionOfPresent().status, WALLET_CORE_ERROR_CARD_EXPIRED)
    try flow.host.restart()
    XCTAssertEqual(try flow.host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try flow.host.cards().get(), cards)
    // The flows unlock too, and the answer of the provider puts a wrong calendar right.
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try flow.host.restart()
    try flow.launch()
    try flow.expect("UC7.1 1.1")
    XCTAssertEqual(try flow.host.cards().get().map(\.isExpired), [false])
  }

  func testTheFlowsNoticeAtAnUnlockThatACardHasExpired() throws {
    try flow.obtainPID(applicant, account().link)
    XCTAssertEqual(try flow.host.enableBiometrics(pin), .valid)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    try flow.host.restart()
    try flow.launch()
    try flow.expect("UC7.1 1.1")
    let seconds: Int64 = 91 * 86_400
    wallet_core_testing_advance_calendar(seconds)
    defer { wallet_core_testing_advance_calendar(-seconds) }
    flow.choose("lock")
    try flow.expect("UC2.3 1.3")
    flow.choose("use-biometrics")
    try flow.expect("UC7.1 1.1")
    XCTAssertEqual(flow.number("is_pid_expired"), 1)
    XCTAssertEqual(try flow.host.cards().get().map(\.isExpired), [true])
  }

  func testACardIsGoodUntilTheDayBeforeItExpires() throws {
    try flow.obtainPID(applicant, account().link)
    let days = 89 * 86_400_000
    try provider.advanceClock(milliseconds: days)
    flow.advanceClock(Int64(days))
    try unlock(to: "UC7.1 1.1")
    XCTAssertEqual(try flow.host.cards().get().map(\.isExpired), [false])
    try assertPresents()
  }
}
