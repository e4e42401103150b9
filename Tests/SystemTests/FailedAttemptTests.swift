import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// Wrong PINs are told with the next right one, through the C header and a man in the middle.
final class FailedAttemptTests: MiddleTestCase {
  private let pin = "142032"
  private let wrong = "142033"

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    try register()
  }

  private func failures(of completion: Completion) -> Int32 {
    XCTAssertEqual(completion, .valid)
    return completion.failedAttempts
  }

  func testALockWhileARightPinIsCheckedLeavesTheWrongOnesToTheNextUnlock() throws {
    XCTAssertEqual(failures(of: try host.unlock(pin)), 0)
    for _ in 1...2 { XCTAssertNotEqual(try host.checkPin(wrong), .valid) }
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    let request = try host.begin(wallet_core_check_pin, pin)
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(failures(of: try host.complete(request)), 0)
    XCTAssertEqual(failures(of: try host.checkPin(pin)), 0, "a locked wallet tells nobody")
    XCTAssertEqual(failures(of: try host.unlock(pin)), 2)
  }

  func testARightPinTellsOfEachWrongOneOnceAndWhenTheLastOneCame() throws {
    XCTAssertEqual(failures(of: try host.unlock(pin)), 0)
    for _ in 1...2 { XCTAssertNotEqual(try host.checkPin(wrong), .valid) }
    let told = try host.checkPin(pin)
    XCTAssertEqual(failures(of: told), 2)
    XCTAssertEqual(Double(told.lastFailedAt), Date().timeIntervalSince1970, accuracy: 60)
    XCTAssertEqual(failures(of: try host.checkPin(pin)), 0)
    // The wallet remembers what it has told.
    XCTAssertEqual(try host.unlock(wrong), .wrong(3))
    try host.restart()
    XCTAssertEqual(failures(of: try host.unlock(pin)), 1)
    XCTAssertEqual(failures(of: try host.checkPin(pin)), 0)
    try host.restart()
    XCTAssertEqual(failures(of: try host.unlock(pin)), 0)
  }

  func testALostAnswerToTheRightPinLosesNoFailure() throws {
    XCTAssertEqual(try host.unlock(wrong), .wrong(3))
    middle.answer { [checkPinPath] in $0.path == checkPinPath ? [] : nil }
    XCTAssertEqual(
      try host.unlock(pin), Completion(status: WALLET_CORE_ERROR_SERVER_UNREACHABLE))
    middle.answer(with: nil)
    XCTAssertEqual(failures(of: try host.unlock(pin)), 1)
  }

  /// A completion that nobody takes tells nobody: a take-over drops it.
  func testACompletionThatIsNotTakenTellsNobody() throws {
    XCTAssertEqual(failures(of: try host.unlock(pin)), 0)
    for _ in 1...2 { XCTAssertNotEqual(try host.checkPin(wrong), .valid) }
    _ = try host.begin(wallet_core_check_pin, pin)
    // The request of another client is done after it.
    let other = try TestHost(configuration: Data(), storage: host.storage)
    try other.attach("other")
    XCTAssertEqual(try other.checkPin(wrong), .wrong(3))
    try host.attach()
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(failures(of: try host.unlock(pin)), 3)
    XCTAssertEqual(failures(of: try host.checkPin(pin)), 0)
  }

  func testTheUnlockedWalletIsToldWithoutAPin() throws {
    XCTAssertEqual(try host.unlock(pin), .valid)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(try host.pinState().failedAttempts, 0)
    for _ in 1...2 { XCTAssertNotEqual(try host.checkPin(wrong), .valid) }
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    // Whoever holds the locked phone hears nothing, and takes nothing from the owner.
    XCTAssertEqual(try host.pinState().failedAttempts, 0)
    try host.restart()
    XCTAssertEqual(try host.unlockWithBiometrics().failedAttempts, 0, "no provider is asked")
    let told = try host.pinState()
    XCTAssertEqual(told, .notBlocked(2))
    XCTAssertEqual(told.failedAttempts, 2)
    XCTAssertEqual(Double(told.lastFailedAt), Date().timeIntervalSince1970, accuracy: 60)
    XCTAssertEqual(try host.pinState().failedAttempts, 0)
    XCTAssertEqual(failures(of: try host.checkPin(pin)), 0)
    // A block does not hide them.
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    for _ in 1...4 { XCTAssertNotEqual(try host.unlock(wrong), .valid) }
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    let blocked = try host.pinState()
    XCTAssertEqual(blocked.outcome, WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY)
    XCTAssertEqual(blocked.failedAttempts, 4)
    // What was told is noted after it was told, and before the next request.
    XCTAssertEqual(try host.pinState().failedAttempts, 0)
    try host.restart()
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try host.pinState().failedAttempts, 0)
  }

  func testTheLimitOfThirtyDaysBlocksPermanentlyOverRightPins() throws {
    try provider.control(
      "/policy",
      ["rounds": 4, "attempts_per_round": 4, "block_ms": [1, 1, 1], "failures_per_month": 5])
    for _ in 1...2 {
      XCTAssertNotEqual(try host.unlock(wrong), .valid)
      XCTAssertNotEqual(try host.unlock(wrong), .valid)
      XCTAssertEqual(failures(of: try host.unlock(pin)), 2)
    }
    XCTAssertEqual(try host.pinState(), .notBlocked(1, final: true))
    XCTAssertEqual(try host.unlock(wrong), .blockedForGood)
    XCTAssertEqual(try host.unlock(pin), .blockedForGood)
  }
}
