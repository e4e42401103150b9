import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// What needs only this device does not wait for the provider. The provider's answer to a check of
/// the PIN is held back, as if it never came.
final class LocalWorkTests: MiddleTestCase {
  private let pin = "142032"
  private var prompts: BiometricPrompts { host.keys.prompts }
  private var held: HeldAnswer!

  private let cancelled = WALLET_CORE_ERROR_CANCELLED
  private let notEnabled = WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  override func tearDown() {
    held?.letGo()
    super.tearDown()
  }

  /// Begins a request whose answer the provider owes until `held.letGo()`.
  private func beginUnanswered(_ function: TestHost.PinRequest, _ pin: String) throws -> UInt64 {
    let held = HeldAnswer(checkPinPath)
    self.held = held
    middle.answer { held.rewrite($0) }
    let request = try host.begin(function, pin)
    try held.waitUntilHeld()
    return request
  }

  private func enableAndLock() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
  }

  func testCardsAndDisablingDoNotWaitForTheProvider() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    let check = try beginUnanswered(wallet_core_check_pin, pin)
    XCTAssertEqual(try host.cards().get(), [])
    XCTAssertEqual(try host.disableBiometrics(), .done)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(try host.unlockWithBiometrics().status, notEnabled)
    held.letGo()
    XCTAssertEqual(try host.complete(check), .valid)
  }

  /// Begins a request for whose messages on `path` the provider has too much to do. Returns it when
  /// it was told to come again in `seconds`, and the number of messages on `path` so far.
  private func beginRefused(
    _ function: TestHost.PinRequest, _ path: String, _ statuses: [Int], seconds: Int
  ) throws -> (request: UInt64, sent: Int) {
    let refusals = Refusals(path, statuses, seconds: seconds)
    let sent = middle.arrivals(path) + statuses.count
    middle.answer { refusals.answer(to: $0) }
    let request = try host.begin(function, pin)
    XCTAssertTrue(eventually { middle.answers(path) == sent })
    return (request, sent)
  }

  func testUC2_3_1_2NothingLocalWaitsWhileTheProviderHasTooMuchToDo() throws {
    try enableAndLock()
    let (unlock, sent) = try beginRefused(wallet_core_unlock, checkPinPath, [429], seconds: 8)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try host.cards().get(), [])
    XCTAssertEqual(middle.arrivals(checkPinPath), sent, "local work ends during the wait")
    XCTAssertEqual(try host.complete(unlock), .valid)
    XCTAssertEqual(middle.arrivals(checkPinPath), sent + 1)
  }

  func testAnAnswerThatHasToWaitIsSentAlsoAfterALockAndUnlocksNothing() throws {
    try enableAndLock()
    let (unlock, sent) = try beginRefused(wallet_core_unlock, checkPinPath, [429], seconds: 3)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(unlock).status, cancelled)
    XCTAssertEqual(middle.arrivals(checkPinPath), sent + 1)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142033"), .wrong(3), "no attempt was lost")
  }

  func testAnAttemptThatHasToWaitForItsChallengeIsGivenUpAtALock() throws {
    try enableAndLock()
    let path = Route.instruction(.challenge)
    let (unlock, sent) = try beginRefused(wallet_core_unlock, path, [503, 429], seconds: 3)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(unlock).status, cancelled)
    XCTAssertEqual(middle.arrivals(path), sent)
    XCTAssertTrue(host.isLocked)
  }

  func testAWipeDoesNotWaitForAProviderThatHasTooMuchToDo() throws {
    let (check, sent) = try beginRefused(wallet_core_check_pin, checkPinPath, [429], seconds: 15)
    let wipe = try host.begin(wallet_core_wipe)
    XCTAssertEqual(
      try host.complete(all: check, wipe).map(\.status), [cancelled, WALLET_CORE_OK])
    XCTAssertEqual(middle.arrivals(checkPinPath), sent)
  }

  /// One thread waits for the provider, the other for the user's finger.
  func testQuestionsAndTheCurrentStepNeedNoThread() throws {
    try enableAndLock()
    let check = try beginUnanswered(wallet_core_check_pin, pin)
    prompts.expect(.open)
    let flows = FlowHost(host)
    flows.open()
    prompts.awaitAsked(2)
    let waiting = try host.begin(wallet_core_disable_biometric_unlock)
    XCTAssertTrue(host.isRegistered)
    XCTAssertTrue(host.isBiometric)
    XCTAssertTrue(host.isLocked)
    var other: wallet_core_client = 0
    XCTAssertEqual(wallet_core_client_attach("other", 0, &other, nil), WALLET_CORE_OK)
    defer { wallet_core_client_detach(other, nil) }
    var kinds: Set<Int32> = []
    var event: OpaquePointer?
    while wallet_core_client_next_event(other, 0, &event, nil) == WALLET_CORE_OK {
      kinds.insert(wallet_core_event_kind(event).rawValue)
      wallet_core_event_free(event)
    }
    let streams = [
      WALLET_CORE_EVENT_CONFIGURATION, WALLET_CORE_EVENT_LOCK_STATE,
      WALLET_CORE_EVENT_VERSION_STATE, WALLET_CORE_EVENT_STEP,
    ]
    XCTAssertEqual(kinds, Set(streams.map(\.rawValue)))
    XCTAssertEqual(prompts.answerOpenPrompt(), WALLET_CORE_OK)
    held.letGo()
    XCTAssertEqual(try host.complete(all: check, waiting), [.valid, .done])
  }

  func testUC2_3_1_2BiometricsUnlockWhileAPinWaitsAndThePinKeepsItsOutcome() throws {
    for (entered, outcome) in [(pin, Completion.valid), ("142033", .wrong(3))] {
      try enableAndLock()
      let unlock = try beginUnanswered(wallet_core_unlock, entered)
      XCTAssertEqual(try host.unlockWithBiometrics(), .done)
      XCTAssertFalse(host.isLocked)
      XCTAssertEqual(try host.cards().get(), [])
      held.letGo()
      XCTAssertEqual(try host.complete(unlock), outcome)
      XCTAssertFalse(host.isLocked)
    }
  }

  func testUC2_3_1_2ABlockOfThePinLocksAWalletThatBiometricsUnlockedMeanwhile() throws {
    try enableAndLock()
    for left: Int32 in [3, 2, 1] { XCTAssertEqual(try host.unlock("142033"), .wrong(left)) }
    let unlock = try beginUnanswered(wallet_core_unlock, "142033")
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock), .blocked(60_000))
    XCTAssertTrue(host.isLocked)
  }

  func testUC2_3_1_2ABlockOfThePinOfTheFlowsLocksAWalletThatBiometricsUnlockedMeanwhile() throws {
    try enableAndLock()
    for left: Int32 in [3, 2, 1] { XCTAssertEqual(try host.unlock("142033"), .wrong(left)) }
    prompts.expect(.refused(WALLET_CORE_BRIDGE_CANCELLED_BY_USER))
    let flows = FlowHost(host)
    try flows.launch()
    try flows.expect("UC2.3 1.3")
    let held = HeldAnswer(checkPinPath)
    self.held = held
    middle.answer { held.rewrite($0) }
    flows.enter("142033")
    try held.waitUntilHeld()
    _ = try host.begin(wallet_core_unlock_with_biometrics)
    try flows.next { !$0.row.hasPrefix("UC3.1") }
    XCTAssertFalse(host.isLocked)
    held.letGo()
    try flows.next { $0.row != "UC2.3 1.3" }
    XCTAssertTrue(host.isLocked)
    XCTAssertNotNil(flows.number("blocked_for_ms"))
  }

  func testALockEndsBothUnlocks() throws {
    try enableAndLock()
    let unlock = try beginUnanswered(wallet_core_unlock, pin)
    prompts.expect(.open)
    let biometric = try host.begin(wallet_core_unlock_with_biometrics)
    prompts.awaitAsked(2)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(biometric).status, cancelled)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock).status, cancelled)
    XCTAssertTrue(host.isLocked)
  }

  func testAWipeEndsBothUnlocksAndLeavesNothing() throws {
    try enableAndLock()
    let unlock = try beginUnanswered(wallet_core_unlock, pin)
    prompts.expect(.open)
    let biometric = try host.begin(wallet_core_unlock_with_biometrics)
    prompts.awaitAsked(2)
    let waiting = try host.begin(wallet_core_unlock_with_biometrics)
    let wipe = try host.begin(wallet_core_wipe)
    let late = try host.begin(wallet_core_unlock_with_biometrics)
    let ended = try host.complete(all: unlock, biometric, waiting, wipe, late)
    XCTAssertEqual(
      ended.map(\.status),
      [cancelled, cancelled, cancelled, 0, WALLET_CORE_ERROR_NOT_REGISTERED])
    XCTAssertEqual(prompts.answerOpenPrompt(), WALLET_CORE_ERROR_UNKNOWN_CALL)
    held.letGo()
    assertNothingIsStored()
    middle.answer(with: nil)
    XCTAssertEqual(try host.register("246813"), .done)
    XCTAssertEqual(try host.cards().get(), [])
    XCTAssertFalse(host.isBiometric)
  }

  private func assertNothingIsStored(line: UInt = #line) {
    XCTAssertTrue(host.isLocked, line: line)
    XCTAssertFalse(host.isRegistered, line: line)
    XCTAssertEqual(host.keys.keyCount, 0, line: line)
    let files = try? FileManager.default.contentsOfDirectory(atPath: host.storage.path)
    XCTAssertEqual(files?.filter { $0.hasPrefix("wallet.db") }, [], line: line)
  }

  func testTheEndOfTheCoreEndsBothThreads() throws {
    try enableAndLock()
    _ = try beginUnanswered(wallet_core_unlock, pin)
    prompts.expect(.open)
    _ = try host.begin(wallet_core_unlock_with_biometrics)
    prompts.awaitAsked(2)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    held.letGo()
    middle.answer(with: nil)
    try host.start()
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  // MARK: Order

  func testUC7_1_3ADisablingWaitsForAnEnablingBeforeIt() throws {
    let enabling = try beginUnanswered(wallet_core_enable_biometric_unlock, pin)
    let disabling = try host.begin(wallet_core_disable_biometric_unlock)
    XCTAssertEqual(try host.cards().get(), [], "cards pass both")
    held.letGo()
    XCTAssertEqual(try host.complete(all: enabling, disabling), [.valid, .done])
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(host.keys.keyCount, 2)
  }

  func testUC7_1_3AnEnablingWaitsForADisablingBeforeIt() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    let disabling = try host.begin(wallet_core_disable_biometric_unlock)
    let enabling = try host.begin(wallet_core_enable_biometric_unlock, pin)
    XCTAssertEqual(try host.complete(all: disabling, enabling), [.done, .valid])
    XCTAssertTrue(host.isBiometric)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  func testUC2_3_1_2AnUnlockBehindADisablingFindsItDisabled() throws {
    try enableAndLock()
    let unlock = try beginUnanswered(wallet_core_unlock, pin)
    let disabling = try host.begin(wallet_core_disable_biometric_unlock)
    let biometric = try host.begin(wallet_core_unlock_with_biometrics)
    let ended = try host.complete(all: disabling, biometric)
    XCTAssertEqual(ended.map(\.status), [0, notEnabled])
    XCTAssertTrue(host.isLocked)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock), .valid)
  }

  func testUC2_3_1_2AFingerUnlocksNothingOnceAnotherSecretIsInForce() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    let enabling = try beginUnanswered(wallet_core_enable_biometric_unlock, pin)
    prompts.expect(.open)
    let biometric = try host.begin(wallet_core_unlock_with_biometrics)
    prompts.awaitAsked(3)
    held.letGo()
    XCTAssertEqual(try host.complete(enabling), .valid)
    XCTAssertEqual(prompts.answerOpenPrompt(), 0)
    XCTAssertEqual(try host.complete(biometric).status, cancelled)
    XCTAssertTrue(host.isBiometric)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }
}
