import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// What ends an open prompt. Afterwards the library does not wait for the user, and a late finger
/// unlocks nothing.
final class BiometricPromptTests: MiddleTestCase {
  private let pin = "142032"
  private var prompts: BiometricPrompts { host.keys.prompts }
  private static let cancelled = WALLET_CORE_ERROR_CANCELLED

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  /// Opens the prompt of an unlock and leaves it open.
  private func openUnlock() throws -> UInt64 {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    return try openPrompt { try host.begin(wallet_core_unlock_with_biometrics) }
  }

  /// Opens the prompt of an enabling and leaves it open.
  private func openEnabling() throws -> UInt64 {
    try openPrompt { try host.begin(wallet_core_enable_biometric_unlock, pin) }
  }

  private func openPrompt(_ begin: () throws -> UInt64) throws -> UInt64 {
    let asked = prompts.asked
    prompts.expect(.open)
    let request = try begin()
    prompts.awaitAsked(asked + 1)
    return request
  }

  private func tell(_ event: wallet_core_lifecycle) {
    XCTAssertEqual(wallet_core_notify_lifecycle(event, nil), WALLET_CORE_OK)
  }

  /// Checks that the prompt was closed, and that a late finger has no effect.
  private func assertLateYesIsIgnored(
    isLocked: Bool = true, file: StaticString = #filePath, line: UInt = #line
  ) {
    prompts.awaitCancelled(1, file: file, line: line)
    XCTAssertEqual(
      prompts.answerOpenPrompt(), WALLET_CORE_ERROR_UNKNOWN_CALL, file: file, line: line)
    usleep(50_000)
    XCTAssertEqual(host.isLocked, isLocked, file: file, line: line)
    XCTAssertEqual(prompts.cancelled, 1, file: file, line: line)
  }

  func testUC2_3LockEndsThePromptOfAnUnlock() throws {
    let request = try openUnlock()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, Self.cancelled)
    assertLateYesIsIgnored()
    XCTAssertTrue(host.isBiometric)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  func testUC2_3TheBackgroundEndsThePromptOfAnUnlock() throws {
    let request = try openUnlock()
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    XCTAssertEqual(try host.complete(request).status, Self.cancelled)
    assertLateYesIsIgnored()
    tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  func testUC2_3CancelledRequestEndsItsPrompt() throws {
    let request = try openUnlock()
    XCTAssertEqual(wallet_core_cancel(host.client, request, nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, Self.cancelled)
    assertLateYesIsIgnored()
  }

  func testUC2_3TakeOverEndsThePromptOfAnUnlock() throws {
    _ = try openUnlock()
    try host.attach()
    assertLateYesIsIgnored()
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  func testUC2_3WipeEndsThePromptOfAnUnlock() throws {
    let request = try openUnlock()
    let wipe = try host.begin(wallet_core_wipe)
    XCTAssertEqual(try host.complete(request).status, Self.cancelled)
    XCTAssertEqual(try host.complete(wipe), .done)
    assertLateYesIsIgnored()
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  func testUC2_3_1_3ARequestWithAPinEndsThePromptOfAnUnlock() throws {
    let request = try openUnlock()
    let unlock = try host.begin(wallet_core_unlock, pin)
    let ended = try host.complete(all: request, unlock)
    XCTAssertEqual(ended[0].status, Self.cancelled)
    XCTAssertEqual(ended[1], .valid)
    assertLateYesIsIgnored(isLocked: false)
    XCTAssertTrue(host.isBiometric)
  }

  func testUC7_1_3_1ARequestWithAPinEndsThePromptOfAnEnabling() throws {
    for (count, next) in [wallet_core_check_pin, wallet_core_unlock].enumerated() {
      let request = try openEnabling()
      let check = try host.begin(next, pin)
      let ended = try host.complete(all: request, check)
      XCTAssertEqual(ended[0].status, Self.cancelled)
      XCTAssertEqual(ended[1], .valid)
      prompts.awaitCancelled(count + 1)
    }
    _ = try openEnabling()
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    prompts.awaitCancelled(3)
    XCTAssertTrue(host.isBiometric)
  }

  func testARefusedRequestWithAPinEndsNoPrompt() throws {
    let request = try openUnlock()
    XCTAssertEqual(host.statusOfUnlock("14"), WALLET_CORE_ERROR_PIN_REFUSED)
    XCTAssertEqual(
      host.beginChange(pin, to: "246813").status, WALLET_CORE_ERROR_LOCKED)
    XCTAssertEqual(prompts.answerOpenPrompt(), 0)
    XCTAssertEqual(try host.complete(request), .done)
    XCTAssertEqual(prompts.cancelled, 0)
  }

  func testARequestThatWaitsForItsPromptIsEndedToo() throws {
    let first = try openUnlock()
    let second = try host.begin(wallet_core_unlock_with_biometrics)
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    XCTAssertEqual(try host.complete(first).status, Self.cancelled)
    XCTAssertEqual(try host.complete(second).status, Self.cancelled)
    assertLateYesIsIgnored()
    XCTAssertEqual(prompts.asked, 2, "for the enabling and the first of the two requests")
  }

  func testAnUnansweredPromptHasNoDeadline() throws {
    let request = try openUnlock()
    wallet_core_testing_advance_clock(86_400_000)
    usleep(50_000)
    XCTAssertEqual(prompts.answerOpenPrompt(), 0)
    XCTAssertEqual(try host.complete(request), .done)
    XCTAssertFalse(host.isLocked)
  }

  func testUC7_1_3_1ALockEndsThePromptOfAnEnabling() throws {
    let request = try openEnabling()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_LOCKED)
    assertLateYesIsIgnored()
    XCTAssertFalse(host.isBiometric)
  }

  func testUC9_7TheLockByInactivityEndsThePromptOfAnEnabling() throws {
    let request = try openEnabling()
    wallet_core_testing_advance_clock(300_000)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_LOCKED)
    assertLateYesIsIgnored()
  }

  func testUC7_1_3_1TheBackgroundEndsThePromptOfAnEnablingAndItsKeyIsDeletedLater() throws {
    let request = try openEnabling()
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    XCTAssertEqual(try host.complete(request).status, Self.cancelled)
    assertLateYesIsIgnored(isLocked: false)
    XCTAssertFalse(host.isBiometric)
    tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(host.keys.keyCount, 3, "the key of the ended prompt is deleted")
  }

  func testUC7_1_3_1ATakeOverAndAWipeEndThePromptOfAnEnabling() throws {
    _ = try openEnabling()
    try host.attach()
    assertLateYesIsIgnored()
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(try host.unlock(pin), .valid)
    let request = try openEnabling()
    let wipe = try host.begin(wallet_core_wipe)
    XCTAssertEqual(try host.complete(request).status, Self.cancelled)
    XCTAssertEqual(try host.complete(wipe), .done)
    prompts.awaitCancelled(2)
    XCTAssertEqual(prompts.answerOpenPrompt(), WALLET_CORE_ERROR_UNKNOWN_CALL)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  func testUC7_1_3_3ALockWhileThePinIsCheckedEnablesNothing() throws {
    let held = HeldAnswer(checkPinPath)
    middle.answer { held.rewrite($0) }
    let request = try host.begin(wallet_core_enable_biometric_unlock, pin)
    prompts.awaitAsked(1)
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_LOCKED)
    XCTAssertFalse(host.isBiometric)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(host.keys.keyCount, 2)
  }

  func testUC7_1_3_3AnUnreachableProviderEnablesNothing() throws {
    middle.answer { exchange in
      exchange.path.hasSuffix("check_pin") ? ManInTheMiddle.http(503, "{}") : nil
    }
    XCTAssertEqual(
      try host.enableBiometrics(pin).status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertFalse(host.isBiometric)
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(host.keys.keyCount, 2)
  }
}
