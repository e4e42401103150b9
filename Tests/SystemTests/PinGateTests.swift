import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletProtocol
import XCTest

/// A request passes its gate once more right before its PIN is sent: what came while it waited for
/// the provider's challenge ends it, and no attempt is counted.
final class PinGateTests: MiddleTestCase {
  private let pin = "142032"
  private let wrongPin = "142033"
  private let challengePath = Route.instruction(.challenge)
  private var held: HeldAnswer!

  private let cancelled = Int32(WALLET_CORE_ERROR_CANCELLED)
  private let locked = Int32(WALLET_CORE_ERROR_LOCKED)
  private let versionBlocked = Int32(WALLET_CORE_ERROR_VERSION_BLOCKED)

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
  }

  override func tearDown() {
    held?.letGo()
    super.tearDown()
  }

  /// Holds back the next answer on `path`.
  private func hold(_ path: String) {
    let held = HeldAnswer(path)
    self.held = held
    middle.answer { held.rewrite($0) }
  }

  private func beginWithHeldChallenge(_ begin: () throws -> UInt64) throws -> UInt64 {
    hold(challengePath)
    let request = try begin()
    try held.waitUntilHeld()
    return request
  }

  /// Publishes a policy that blocks every version, or none, and fetches it.
  private func publishBlock(_ isBlocked: Bool) throws {
    try provider.control("/update-policy", ["rules": isBlocked ? [["grade": "block"]] : []])
    XCTAssertEqual(try host.refresh(), .done)
  }

  /// The number of PINs that the provider has judged.
  private var judged: Int {
    get throws { try XCTUnwrap(provider.control("/counts")["judged"] as? Int) }
  }

  // MARK: A lock

  func testALockBeforeThePinIsSentEndsAnUnlockAndCountsNoAttempt() throws {
    try register()
    let before = try judged
    let unlock = try beginWithHeldChallenge { try host.begin(wallet_core_unlock, wrongPin) }
    XCTAssertEqual(wallet_core_lock(nil), 0)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock).status, cancelled)
    XCTAssertEqual(try judged, before)
    XCTAssertEqual(middle.all(checkPinPath).count, 0)
    try assertNothingLost()
  }

  func testALockAfterThePinWasSentLeavesAWrongPinItsOutcome() throws {
    try register()
    hold(checkPinPath)
    let unlock = try host.begin(wallet_core_unlock, wrongPin)
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), 0)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock), .wrong(3))
  }

  func testALockBeforeThePinIsSentEndsAnEnablingAndCountsNoAttempt() throws {
    XCTAssertEqual(try host.register(pin), .done)
    let before = try judged
    let enabling = try beginWithHeldChallenge {
      try host.begin(wallet_core_enable_biometric_unlock, wrongPin)
    }
    XCTAssertEqual(wallet_core_lock(nil), 0)
    held.letGo()
    XCTAssertEqual(try host.complete(enabling).status, locked)
    XCTAssertEqual(try judged, before)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(host.keys.keyCount, 2, "the biometric key is deleted")
    try assertNothingLost()
  }

  func testALockLeavesACheckOfThePinAlone() throws {
    XCTAssertEqual(try host.register(pin), .done)
    let check = try beginWithHeldChallenge { try host.begin(wallet_core_check_pin, pin) }
    XCTAssertEqual(wallet_core_lock(nil), 0)
    held.letGo()
    XCTAssertEqual(try host.complete(check), .valid)
    XCTAssertTrue(host.isLocked)
  }

  func testUC9_7_2TheFlowsSendNoPinAfterALock() throws {
    try register()
    let flows = FlowHost(host)
    try flows.launch()
    try flows.expect("UC2.3 1.3")
    let before = try judged
    hold(challengePath)
    flows.enter(wrongPin)
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), 0)
    held.letGo()
    try flows.expect("UC2.3 1.3")
    // Runs behind the check.
    XCTAssertEqual(try host.pinState(), .notBlocked(4))
    XCTAssertEqual(try judged, before)
  }

  /// A locked wallet hears of no lock, but what began before a long stay in the background is over.
  func testUC9_7_1_1eTheFlowsSendNoPinAfterALongStayInTheBackground() throws {
    try register()
    let flows = FlowHost(host)
    try flows.launch()
    try flows.expect("UC2.3 1.3")
    let before = try judged
    hold(challengePath)
    flows.enter(wrongPin)
    try held.waitUntilHeld()
    flows.tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    flows.advanceClock(300_000)
    held.letGo()
    try flows.expect("UC2.3 1.3")
    XCTAssertEqual(try host.pinState(), .notBlocked(4))
    XCTAssertEqual(try judged, before)
  }

  // MARK: A block of this version

  func testABlockOfThisVersionBeforeThePinIsSentEndsEveryRequestWithAPin() throws {
    XCTAssertEqual(try host.register(pin), .done)
    let before = try judged
    let functions: [TestHost.PinRequest] = [
      wallet_core_unlock, wallet_core_check_pin, wallet_core_enable_biometric_unlock,
    ]
    for function in functions {
      let request = try beginWithHeldChallenge { try host.begin(function, wrongPin) }
      try publishBlock(true)
      held.letGo()
      XCTAssertEqual(try host.complete(request).status, versionBlocked)
      try publishBlock(false)
    }
    XCTAssertEqual(try judged, before)
    XCTAssertEqual(middle.all(checkPinPath).count, 0)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(wallet_core_lock(nil), 0)
    try assertNothingLost()
  }

  func testABlockOfThisVersionEndsAQuestionAboutThePinBeforeItIsSent() throws {
    try register()
    let question = try beginWithHeldChallenge { try host.begin(wallet_core_pin_state) }
    try publishBlock(true)
    held.letGo()
    XCTAssertEqual(try host.complete(question).status, versionBlocked)
    XCTAssertEqual(middle.all(Route.instruction(.pinState)).count, 0)
  }

  func testABlockOfThisVersionBeforeTheNewPinIsSentEndsARegistration() throws {
    hold(Route.enrolmentChallenge)
    let registration = try host.begin(wallet_core_register, pin)
    try held.waitUntilHeld()
    try publishBlock(true)
    held.letGo()
    XCTAssertEqual(try host.complete(registration).status, versionBlocked)
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(middle.all(Route.registrations).count, 0)
    try publishBlock(false)
    XCTAssertEqual(try host.register("246813"), .done)
    XCTAssertEqual(try host.unlock("246813"), .valid)
  }

  func testABlockOfThisVersionDoesNotUndoARegistrationThatWasSent() throws {
    hold(Route.registrations)
    let registration = try host.begin(wallet_core_register, pin)
    try held.waitUntilHeld()
    try publishBlock(true)
    held.letGo()
    XCTAssertEqual(try host.complete(registration), .done)
    XCTAssertTrue(host.isRegistered)
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(
      wallet_core_cards(host.client, nil, nil), versionBlocked, "it cannot be used meanwhile")
    try publishBlock(false)
    XCTAssertEqual(try host.cards().get(), [])
  }
}
