import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// Locks, background, take-over and wipe while a licence is vetted and a PID is issued.
final class ProofingLockTests: ProofingTestCase {
  private let kept = "storage.proofing.kept.after-commit"

  /// Submits a licence and holds back the provider's answer to `instruction`.
  private func submit(
    holding instruction: String, cut isCut: Bool = false, _ applicant: Applicant? = nil
  ) throws -> HeldAnswer {
    try flow.claim(account().link)
    let held = HeldAnswer(path(instruction), isCut: isCut)
    middle.answer(with: held.rewrite)
    try flow.submit(applicant ?? self.applicant)
    try held.waitUntilHeld()
    return held
  }

  // MARK: 9b goes on

  func testUC3_1_9bGoesOnWhileLockedAndThePIDComesAfterTheUnlock() throws {
    let held = try submit(holding: "submit_evidence")
    lock()
    try flow.expect("UC2.3 1.3")
    let before = pass(kept)
    held.letGo()
    try awaitPass(kept, beyond: before)
    XCTAssertEqual(requests("issue_pid"), 0, "no PID for a locked wallet")
    flow.enter(pin)
    try flow.expectPID()
    XCTAssertEqual(requests("submit_evidence"), 1)
    XCTAssertEqual(requests("proofing_status"), 0)
    XCTAssertEqual(requests("issue_pid"), 1)
    try assertOnePID()
  }

  func testUC3_1_9bEndsForTheUnlockAndIsSubmittedAgainUnderItsName() throws {
    let held = try submit(holding: "submit_evidence")
    lock()
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.expectPID()
    let serial = flow.step?.serial
    held.letGo()
    // The late answer belongs to a request that was cancelled, and is ignored.
    flow.choose("continue")
    try flow.expect("UC7.1 1.1")
    XCTAssertEqual(flow.step?.serial, serial.map { $0 + 1 })
    XCTAssertEqual(try proofings()["sessions"], 1)
    try assertOnePID()
  }

  func testUC3_1_10bALicenceThatDidNotMatchMeanwhileIsReportedAfterTheUnlock() throws {
    var stranger = Applicant()
    stranger.givenName = "PHINEAS"
    let held = try submit(holding: "submit_evidence", stranger)
    lock()
    try flow.expect("UC2.3 1.3")
    let before = pass(kept)
    held.letGo()
    try awaitPass(kept, beyond: before)
    flow.enter(pin)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.not_matched")
    XCTAssertEqual(requests("submit_evidence"), 1)
    flow.choose("scan-again")
    try flow.expect("UC3.1 6")
    flow.scanLicence(applicant)
    try flow.expectPID()
  }

  func testUC3_1_10aARefusalThatCameMeanwhileIsReportedAfterTheUnlock() throws {
    try simulateVerdict("declined")
    let before = pass("instruction.after-answer")
    let held = try submit(holding: "submit_evidence")
    lock()
    try flow.expect("UC2.3 1.3")
    held.letGo()
    try awaitPass("instruction.after-answer", beyond: before + 1)
    flow.enter(pin)
    try flow.expect("UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "proof.declined")
    XCTAssertFalse(flow.text("reference").isEmpty)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
  }

  // MARK: Between verdict and PID

  func testALockWhileThePIDIsOnItsWayFetchesItAfterTheUnlockWithoutVettingAgain() throws {
    let stored = pass("storage.card.stored.before-commit")
    let held = try submit(holding: "issue_pid")
    lock()
    try flow.expect("UC2.3 1.3")
    let before = pass("instruction.after-answer")
    held.letGo()
    try awaitPass("instruction.after-answer", beyond: before)
    XCTAssertEqual(pass("storage.card.stored.before-commit"), stored, "nothing is sealed")
    flow.enter(pin)
    try flow.expectPID()
    XCTAssertEqual(requests("submit_evidence"), 1)
    XCTAssertEqual(requests("issue_pid"), 2)
    try assertOnePID()
  }

  func testARestartBetweenVerdictAndPIDFetchesItWithoutVettingAgain() throws {
    let held = try submit(holding: "issue_pid", cut: true)
    lock()
    held.letGo()
    try restart(to: "UC3.1 11")
    XCTAssertEqual(requests("submit_evidence"), 1)
    XCTAssertEqual(requests("claim_enrolment_code"), 1)
    try assertOnePID()
  }

  // MARK: Data read from a licence

  func testALockWipesWhatWasReadSoThatNothingIsSentWithoutARescan() throws {
    try flow.claim(account().link)
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    flow.scanLicence(applicant)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.network")
    lock()
    try flow.expect("UC2.3 1.3")
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    flow.enter(pin)
    try flow.expect("UC3.1 10b")
    XCTAssertEqual(flow.text("failure"), "proof.rescan_document")
    XCTAssertEqual(requests("submit_evidence"), 0)
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    flow.scanLicence(applicant)
    try flow.expectPID()
    XCTAssertEqual(requests("submit_evidence"), 1)
  }

  // MARK: Background, take-over, wipe

  func testABackgroundTimeoutIn9bLocksAndThePIDComesAfterTheUnlock() throws {
    let held = try submit(holding: "submit_evidence")
    flow.tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    flow.advanceClock(600_000)
    try flow.expect("UC2.3 1.3")
    let before = pass(kept)
    held.letGo()
    try awaitPass(kept, beyond: before)
    flow.tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    try unlock(to: "UC3.1 11")
    XCTAssertEqual(requests("submit_evidence"), 1)
    try assertOnePID()
  }

  func testATakeOverIn9bLocksAndTheNewEngineGetsThePID() throws {
    let held = try submit(holding: "submit_evidence")
    try flow.host.attach()
    let before = pass(kept)
    held.letGo()
    try awaitPass(kept, beyond: before)
    flow.open()
    try unlock(to: "UC3.1 11")
    XCTAssertEqual(requests("submit_evidence"), 1)
    try assertOnePID()
  }

  func testAWipeIn9bLeavesNothingAndTheAccountTakesAnotherCode() throws {
    let account = try account()
    try flow.claim(account.link)
    let held = HeldAnswer(path("submit_evidence"))
    middle.answer(with: held.rewrite)
    try flow.submit(applicant)
    try held.waitUntilHeld()
    let wipe = try flow.host.begin(wallet_core_wipe)
    held.letGo()
    XCTAssertEqual(try flow.host.complete(wipe), .done)
    XCTAssertEqual(flow.host.keys.keyCount, 0)
    middle.answer(with: nil)
    try flow.host.restart()
    flow = nil
    try newWallet()
    try flow.obtainPID(applicant, provider.newCode(for: account).link)
    XCTAssertEqual(try flow.host.cards().get().count, 1)
    XCTAssertEqual(try proofings()["proofed"], 1)
  }

  func testUC3_1_1eAWrongCalendarThatTheProviderTellsOfEndsNoClaim() throws {
    try flow.claim(account().link)
    wallet_core_testing_advance_calendar(7200)
    var isWrong = true
    defer { if isWrong { wallet_core_testing_advance_calendar(-7200) } }
    try restart(to: "UC3.1 2a")
    XCTAssertEqual(flow.text("reasons"), "init.clock_skew")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    wallet_core_testing_advance_calendar(-7200)
    isWrong = false
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 5c")
    try flow.submit(applicant)
    try flow.expectPID()
  }
}
