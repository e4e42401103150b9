import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// Locks, a take-over, a wipe and a restored image in the middle of a change of the PIN.
final class PinChangeInterruptionTests: PinChangeTestCase {
  /// Locks the wallet while a change waits for the answer, and checks that this ends the change.
  private func assertALockEndsAChange(_ held: HeldAnswer, line: UInt = #line) throws {
    middle.answer(with: held.rewrite)
    let request = host.beginChange(pin, to: newPin).request
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(
      try host.complete(request), Completion(status: WALLET_CORE_ERROR_LOCKED), line: line)
    XCTAssertNil(middle.latest(preparePath), line: line)
  }

  func testALockBeforeTheBeginningEndsTheChange() throws {
    try assertALockEndsAChange(HeldAnswer(challengePath))
    XCTAssertNil(middle.latest(beginPath))
    // The evaluation of the former PIN was counted.
    try assertOnly(pin, opensNot: newPin, left: 2)
  }

  func testALockBeforeThePreparationEndsTheChange() throws {
    try assertALockEndsAChange(HeldAnswer(beginPath))
    XCTAssertNil(middle.latest(cancelPath), "nothing is to be settled")
    try assertOnly(pin, opensNot: newPin)
    try host.restart()
    XCTAssertEqual(try host.unlock(pin), .valid)
  }

  func testALockBeforeThePreparationIsSentEndsTheChange() throws {
    try assertALockEndsAChange(HeldAnswer(challengePath, skipping: 1))
    try assertOnly(pin, opensNot: newPin)
    awaitSettled()
    XCTAssertNotNil(middle.latest(cancelPath))
  }

  func testALockAfterThePreparationLeavesTheNewPinAndTheWalletLocked() throws {
    let held = HeldAnswer(preparePath)
    middle.answer(with: held.rewrite)
    let request = host.beginChange(pin, to: newPin).request
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(request), .valid)
    XCTAssertTrue(host.isLocked)
    awaitSettled()
    try assertOnly(newPin, opensNot: pin)
  }

  func testATakeOverAfterThePreparationLeavesTheNewPin() throws {
    let held = HeldAnswer(preparePath)
    middle.answer(with: held.rewrite)
    _ = host.beginChange(pin, to: newPin)
    try held.waitUntilHeld()
    try host.attach()
    XCTAssertTrue(host.isLocked)
    held.letGo()
    awaitSettled()
    try assertOnly(newPin, opensNot: pin)
  }

  func testAWipeWhileItRunsLeavesNothingOfIt() throws {
    let held = HeldAnswer(preparePath)
    middle.answer(with: held.rewrite)
    let request = host.beginChange(pin, to: newPin).request
    try held.waitUntilHeld()
    let wipe = try host.begin(wallet_core_wipe)
    XCTAssertEqual(
      try host.complete(request), Completion(status: WALLET_CORE_ERROR_CANCELLED))
    held.letGo()
    XCTAssertEqual(try host.complete(wipe), .done)
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(try host.register("314158"), .done)
    try assertOnly("314158", opensNot: newPin)
  }

  func testAnImageFromBeforeTheAnswerTakesTheNewPinThatTheProviderConfirms() throws {
    let held = HeldAnswer(preparePath)
    middle.answer(with: held.rewrite)
    let request = host.beginChange(pin, to: newPin).request
    try held.waitUntilHeld()
    let image = try Scratch.directory("image").appendingPathComponent("storage")
    try FileManager.default.copyItem(at: host.storage, to: image)
    held.letGo()
    XCTAssertEqual(try host.complete(request), .valid)
    awaitSettled()
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try FileManager.default.removeItem(at: host.storage)
    try FileManager.default.copyItem(at: image, to: host.storage)
    try host.start()
    awaitSettled(2)
    try assertOnly(newPin, opensNot: pin)
  }
}
