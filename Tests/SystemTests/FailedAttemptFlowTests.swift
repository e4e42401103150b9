import CWalletCore
import TestSupport
import XCTest

/// Wrong PINs are told to an owner who unlocks by biometrics only.
final class FailedAttemptFlowTests: ProofingTestCase {
  func testUC7_1_1_1TheDashboardTellsOfWrongPinsAfterAnUnlockByBiometrics() throws {
    try flow.obtainPID(applicant, account().link)
    XCTAssertEqual(try flow.host.enableBiometrics(pin), .valid)
    lock()
    for _ in 1...2 { XCTAssertNotEqual(try flow.host.unlock("142033"), .valid) }
    let stored = pass("storage.pin-failures.told.after-commit")
    try flow.host.restart()
    try flow.launch()
    // The provider is asked after the unlock, so the first dashboard may not know yet.
    while flow.step?.notices.contains("failed-attempts") != true { try flow.expect("UC7.1 1.1") }
    XCTAssertEqual(flow.number("failed_attempts"), 2)
    try awaitPass("storage.pin-failures.told.after-commit", beyond: stored)
    XCTAssertEqual(try flow.host.checkPin(pin).failedAttempts, 0, "they are told once")
  }

  /// A step that nobody takes tells nobody: a take-over drops it.
  func testUC2_3_1_3AStepThatIsNotTakenTellsNobody() throws {
    lock()
    try flow.expect("UC2.3 1.3")
    for _ in 1...2 {
      flow.enter("142033")
      XCTAssertEqual(try flow.next().name, "wrong-pin")
      flow.choose("close")
      try flow.expect("UC2.3 1.3")
    }
    flow.enter(pin)
    XCTAssertTrue(eventually { !flow.host.isLocked })
    try flow.host.attach()
    let told = try flow.host.unlock(pin)
    XCTAssertEqual(told, .valid)
    XCTAssertEqual(told.failedAttempts, 2)
  }

  func testUC7_1_1_1TheProviderIsAskedOfWrongPinsThatItHasJustAnswered() throws {
    try flow.obtainPID(applicant, account().link)
    XCTAssertEqual(try flow.host.enableBiometrics(pin), .valid)
    lock()
    for _ in 1...2 { XCTAssertNotEqual(try flow.host.unlock("142033"), .valid) }
    // Whoever holds the locked phone does not use up the notice.
    XCTAssertEqual(try flow.host.pinState(), .notBlocked(2))
    XCTAssertEqual(try flow.host.unlockWithBiometrics(), .done)
    while flow.step?.notices.contains("failed-attempts") != true { try flow.expect("UC7.1 1.1") }
    XCTAssertEqual(flow.number("failed_attempts"), 2)
  }
}
