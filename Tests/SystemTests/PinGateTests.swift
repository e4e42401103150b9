import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletProtocol
import XCTest

/// A request passes its gate right before the blinded PIN is sent to be evaluated, and once more right
/// before the PIN's instruction is sent. What came before the evaluation ends the request and costs no
/// attempt. What came after it ends the request too: no PIN is checked, and the evaluation is counted.
final class PinGateTests: MiddleTestCase {
  private let pin = "142032"
  private let wrongPin = "142033"
  private let challengePath = Route.instruction(.challenge)
  private let confirmationPath = Route.instruction(.confirmRegistration)
  private var held: HeldAnswer!

  private let cancelled = WALLET_CORE_ERROR_CANCELLED
  private let locked = WALLET_CORE_ERROR_LOCKED
  private let versionBlocked = WALLET_CORE_ERROR_VERSION_BLOCKED

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
  }

  override func tearDown() {
    held?.letGo()
    super.tearDown()
  }

  /// Holds back the next answer on `path`. Background work of the start may confirm as well, so all
  /// confirmations are held.
  private func hold(_ path: String) {
    let held = HeldAnswer(path, holdsAll: path == confirmationPath)
    self.held = held
    middle.answer { held.rewrite($0) }
  }

  /// Makes a wallet that does not know that it is confirmed: its next request confirms it first, and
  /// sends the PIN after that.
  private func registerUnconfirmed() throws {
    middle.answer { [confirmationPath] in $0.path == confirmationPath ? [] : nil }
    XCTAssertEqual(try host.register(pin), .done)
  }

  /// Begins a request and returns once it waits for an answer on `path`: the challenge of the PIN, or
  /// the confirmation before it.
  private func beginHolding(_ path: String, _ begin: () throws -> UInt64) throws -> UInt64 {
    hold(path)
    let request = try begin()
    try held.waitUntilHeld()
    return request
  }

  private func beginWithHeldChallenge(_ begin: () throws -> UInt64) throws -> UInt64 {
    try beginHolding(challengePath, begin)
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

  /// Checks that an unlock with a wrong PIN is ended by a lock, and that no PIN is checked.
  private func assertALockEndsAnUnlock(holding path: String, line: UInt = #line) throws {
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let before = try judged
    let unlock = try beginHolding(path) { try host.begin(wallet_core_unlock, wrongPin) }
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock).status, cancelled, line: line)
    XCTAssertEqual(try judged, before, line: line)
    XCTAssertEqual(middle.all(checkPinPath).count, 0, line: line)
  }

  func testALockBeforeThePinIsSentEndsAnUnlockAndCountsNoAttempt() throws {
    try registerUnconfirmed()
    try assertALockEndsAnUnlock(holding: confirmationPath)
    try assertNothingLost()
  }

  func testALockAfterThePinWasEvaluatedEndsAnUnlockAndCostsItsAttempt() throws {
    try register()
    try assertALockEndsAnUnlock(holding: challengePath)
    try assertNothingLost(left: 2)
  }

  func testALockAfterThePinWasSentLeavesAWrongPinItsOutcome() throws {
    try register()
    hold(checkPinPath)
    let unlock = try host.begin(wallet_core_unlock, wrongPin)
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock), .wrong(3))
  }

  /// Checks that an enabling of biometrics with a wrong PIN is ended by a lock, and that no PIN is
  /// checked.
  private func assertALockEndsAnEnabling(holding path: String, line: UInt = #line) throws {
    let before = try judged
    let enabling = try beginHolding(path) {
      try host.begin(wallet_core_enable_biometric_unlock, wrongPin)
    }
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(enabling).status, locked, line: line)
    XCTAssertEqual(try judged, before, line: line)
    XCTAssertFalse(host.isBiometric, line: line)
    XCTAssertEqual(host.keys.keyCount, 2, "the biometric key is deleted", line: line)
  }

  func testALockBeforeThePinIsSentEndsAnEnablingAndCountsNoAttempt() throws {
    try registerUnconfirmed()
    try assertALockEndsAnEnabling(holding: confirmationPath)
    try assertNothingLost()
  }

  func testALockAfterThePinWasEvaluatedEndsAnEnablingAndCostsItsAttempt() throws {
    XCTAssertEqual(try host.register(pin), .done)
    try assertALockEndsAnEnabling(holding: challengePath)
    try assertNothingLost(left: 2)
  }

  func testALockLeavesACheckOfThePinAlone() throws {
    XCTAssertEqual(try host.register(pin), .done)
    let check = try beginWithHeldChallenge { try host.begin(wallet_core_check_pin, pin) }
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
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
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    held.letGo()
    try flows.expect("UC2.3 1.3")
    // Runs behind the check. No PIN was checked.
    XCTAssertEqual(try host.pinState(), .notBlocked(3), "the evaluation was counted")
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
    XCTAssertEqual(try host.pinState(), .notBlocked(3), "the evaluation was counted")
    XCTAssertEqual(try judged, before)
  }

  // MARK: A block of this version

  private var functions: [TestHost.PinRequest] {
    [wallet_core_unlock, wallet_core_check_pin, wallet_core_enable_biometric_unlock]
  }

  /// Checks that a block of this version ends the request, and that no PIN is checked.
  private func assertABlockEnds(
    _ function: TestHost.PinRequest, holding path: String, line: UInt = #line
  ) throws {
    let (before, sent) = (try judged, middle.all(checkPinPath).count)
    let request = try beginHolding(path) { try host.begin(function, wrongPin) }
    try publishBlock(true)
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, versionBlocked, line: line)
    try publishBlock(false)
    XCTAssertEqual(try judged, before, line: line)
    XCTAssertEqual(middle.all(checkPinPath).count, sent, line: line)
    XCTAssertFalse(host.isBiometric, line: line)
  }

  func testABlockOfThisVersionBeforeThePinIsSentEndsEveryRequestAndCountsNoAttempt() throws {
    for function in functions {
      try registerUnconfirmed()
      try assertABlockEnds(function, holding: confirmationPath)
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      try assertNothingLost()
      XCTAssertEqual(try host.wipe(), .done)
    }
  }

  func testABlockOfThisVersionAfterThePinWasEvaluatedEndsEveryRequestAndCostsItsAttempt() throws {
    XCTAssertEqual(try host.register(pin), .done)
    for function in functions {
      try assertABlockEnds(function, holding: challengePath)
      try assertNothingLost(left: 2)
      XCTAssertEqual(try host.unlock(pin), .valid)
    }
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
    hold(Route.registrationChallenge)
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
