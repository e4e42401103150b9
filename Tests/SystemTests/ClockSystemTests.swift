import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// The clocks of the provider and of the device jump during a request. No attempt is counted that
/// the user did not make, and no block gets shorter.
final class ClockSystemTests: MiddleTestCase {
  private let challengePath = Route.instruction(.challenge)
  /// Longer than a challenge is valid, in milliseconds.
  private let expiry = 121_000
  private let hour = 3_600_000
  private var held: HeldAnswer?

  override func setUpWithError() throws {
    try super.setUpWithError()
    try host.start()
    try register()
  }

  override func tearDown() {
    held?.letGo()
    super.tearDown()
  }

  private var judged: Int {
    get throws { try XCTUnwrap(provider.control("/counts")["judged"] as? Int) }
  }

  /// Begins `function` and returns while its first answer on `path` is held back.
  private func begin(
    _ function: TestHost.PinRequest, _ pin: String, holding path: String, isCut: Bool = false
  ) throws -> UInt64 {
    let held = HeldAnswer(path, isCut: isCut)
    self.held = held
    middle.answer { held.rewrite($0) }
    let request = try host.begin(function, pin)
    try held.waitUntilHeld()
    return request
  }

  private func end(_ request: UInt64) throws -> Completion {
    held?.letGo()
    return try host.complete(request)
  }

  private func sleepDevice(_ milliseconds: Int) {
    wallet_core_testing_advance_clock(Int64(milliseconds))
  }

  // MARK: - A challenge that expires during a request

  func testAChallengeThatExpiredByTheProvidersClockIsRefusedAndCostsTheAttemptThatWasMade() throws {
    let before = try judged
    for pin in ["142033", "142032"] {
      let request = try begin(wallet_core_unlock, pin, holding: challengePath)
      try provider.advanceClock(milliseconds: expiry)
      XCTAssertEqual(try end(request).status, WALLET_CORE_ERROR_SERVER_REFUSED)
      XCTAssertTrue(host.isLocked)
    }
    XCTAssertEqual(try judged, before)
    // Both PINs were evaluated.
    try assertNothingLost(left: 1)
  }

  /// Another challenge would be another attempt.
  func testThePinIsEvaluatedOnceAlsoIfItsChallengeExpiredWhileTheDeviceSlept() throws {
    let before = try judged
    // Both clocks may have moved, or only the device's.
    for (passed, expected) in [
      (expiry, WALLET_CORE_ERROR_SERVER_REFUSED), (0, 0),
    ] {
      let request = try begin(wallet_core_unlock, "142033", holding: challengePath)
      sleepDevice(expiry)
      try provider.advanceClock(milliseconds: passed)
      XCTAssertEqual(try end(request).status, expected)
    }
    XCTAssertEqual(try judged, before + 1)
    XCTAssertEqual(try host.unlock("142033"), .wrong(1), "two attempts were made before")
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testAChallengeOfNoAttemptThatExpiredWhileTheDeviceSleptIsFetchedAgain() throws {
    for passed in [expiry, 0] {
      let held = HeldAnswer(challengePath)
      self.held = held
      middle.answer { held.rewrite($0) }
      let asked = middle.all(challengePath).count
      let request = try host.begin(wallet_core_pin_state)
      try held.waitUntilHeld()
      sleepDevice(expiry)
      try provider.advanceClock(milliseconds: passed)
      XCTAssertEqual(try end(request), .notBlocked(4))
      XCTAssertEqual(middle.all(challengePath).count, asked + 2)
    }
    try assertNothingLost()
  }

  func testAnAnswerThatIsLostUntilItsChallengeExpiredCostsTheOneAttemptThatWasMade() throws {
    let before = try judged
    for (slept, passed) in [(0, expiry), (expiry, expiry)] {
      let request = try begin(wallet_core_unlock, "142033", holding: checkPinPath, isCut: true)
      sleepDevice(slept)
      try provider.advanceClock(milliseconds: passed)
      XCTAssertEqual(try end(request).status, WALLET_CORE_ERROR_SERVER_REFUSED)
      XCTAssertTrue(host.isLocked)
    }
    XCTAssertEqual(try judged, before + 2)
    XCTAssertEqual(try host.unlock("142033"), .wrong(1))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testAForgedRefusalForAnExpiredChallengeSpendsNoSecondAttempt() throws {
    let before = try judged
    let path = checkPinPath
    middle.answer { exchange in
      guard exchange.path == path else { return nil }
      let type = "urn:wallet-provider:problem:\(ProblemKind.challengeRefused.rawValue)"
      return ManInTheMiddle.http(403, #"{"type":"\#(type)","title":"x","status":403}"#)
    }
    let refused = try host.unlock("142033")
    XCTAssertEqual(refused.status, WALLET_CORE_ERROR_SERVER_REFUSED)
    XCTAssertTrue(refused.message.contains("challenge-refused"), refused.message)
    XCTAssertEqual(try judged, before + 1)
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142033"), .wrong(2))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  // MARK: - A running block

  /// Enters four wrong PINs, for a block of an hour. Returns the true time before the last of them.
  private func block() throws -> Int {
    try provider.control(
      "/policy", ["rounds": 4, "attempts_per_round": 4, "block_ms": [hour, hour, hour]])
    for left in Int32(1)...3 { XCTAssertEqual(try host.unlock("142033"), .wrong(4 - left)) }
    let now = try providerTime()
    XCTAssertEqual(try host.unlock("142033"), .blocked(Int64(hour)))
    return now
  }

  private func providerTime() throws -> Int {
    try XCTUnwrap(provider.control("/clock")["now_ms"] as? Int)
  }

  /// Checks that the right PIN is not tried during the block. Returns the reported time left, which
  /// must not be below the real time left.
  ///
  /// - Parameters:
  ///   - start: The true time before the block began.
  ///   - error: By how much the provider's clock is behind the true time.
  private func remaining(
    since start: Int, error: Int, line: UInt = #line
  ) throws -> Int {
    let before = try judged
    let answer = try host.unlock("142032")
    let latest = try providerTime() + error
    XCTAssertEqual(
      answer.outcome, WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY, "\(answer)", line: line)
    XCTAssertGreaterThanOrEqual(answer.blockedFor, Int64(hour - (latest - start)), line: line)
    XCTAssertLessThanOrEqual(answer.blockedFor, Int64(hour), line: line)
    XCTAssertEqual(try judged, before, "the PIN was not tried", line: line)
    return Int(answer.blockedFor)
  }

  func testAProvidersClockThatGoesBackNeverShortensARunningBlock() throws {
    let start = try block()
    try provider.advanceClock(milliseconds: hour / 3)
    let third = try remaining(since: start, error: 0)
    XCTAssertLessThanOrEqual(third, hour * 2 / 3)
    // Back to a time within the block, then to before its start.
    try provider.advanceClock(milliseconds: -hour / 6)
    XCTAssertGreaterThan(try remaining(since: start, error: hour / 6), third)
    try provider.advanceClock(milliseconds: -4 * hour)
    let error = hour / 6 + 4 * hour
    let again = try providerTime()
    XCTAssertEqual(try remaining(since: start, error: error), hour, "anew")
    try provider.advanceClock(milliseconds: hour - 600_000)
    _ = try remaining(since: again, error: 0)
    try provider.advanceClock(milliseconds: 600_000)
    // The evaluator was not asked meanwhile. It sees only now that its clock has gone back, and begins
    // its own block anew.
    XCTAssertEqual(try host.unlock("142032"), .blocked(Int64(hour)))
    try provider.advanceClock(milliseconds: hour)
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try assertNothingLost()
  }

  func testAClockThatIsCorrectedEndsNoBlockBeforeItsTime() throws {
    let start = try block()
    try provider.advanceClock(milliseconds: -3 * hour)
    XCTAssertEqual(try remaining(since: start, error: 3 * hour), hour)
    try provider.advanceClock(milliseconds: 3 * hour)
    _ = try remaining(since: start, error: 0)
    try provider.advanceClock(milliseconds: hour)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testADeviceThatSleepsNeitherEndsABlockNorGetsAGuess() throws {
    let start = try block()
    sleepDevice(10 * hour)
    _ = try remaining(since: start, error: 0)
    sleepDevice(-20 * hour)
    _ = try remaining(since: start, error: 0)
    sleepDevice(10 * hour)
    // The device sleeps through the block.
    sleepDevice(hour)
    try provider.advanceClock(milliseconds: hour)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  // MARK: - A device that sleeps during a request

  func testAnUnlockThatTheDeviceSleptThroughSucceedsAndItsTimersRestart() throws {
    let request = try begin(wallet_core_unlock, "142032", holding: checkPinPath)
    sleepDevice(24 * hour)
    XCTAssertEqual(try end(request), .valid)
    XCTAssertFalse(host.isLocked)
    sleepDevice(200_000)
    XCTAssertFalse(host.isLocked, "the unlock counts as activity")
    sleepDevice(300_000)
    XCTAssertTrue(host.isLocked, "a long background locks the wallet")
    try assertNothingLost()
  }

  func testAnUnlockedWalletLocksWhileTheDeviceSleepsEvenDuringARequest() throws {
    for (function, expected) in [
      (wallet_core_check_pin, Completion.valid),
      (wallet_core_unlock, Completion(status: WALLET_CORE_ERROR_CANCELLED)),
    ] as [(TestHost.PinRequest, Completion)] {
      XCTAssertEqual(try host.unlock("142032"), .valid)
      let request = try begin(function, "142032", holding: checkPinPath)
      sleepDevice(24 * hour)
      XCTAssertTrue(host.isLocked, "it locks at once and not when the answer comes")
      XCTAssertEqual(try end(request), expected)
      XCTAssertTrue(host.isLocked)
    }
    try assertNothingLost()
  }

  func testAnUnlockInABackgroundThatTheDeviceSleepsThroughEndsLocked() throws {
    let request = try begin(wallet_core_unlock, "142032", holding: challengePath)
    XCTAssertEqual(
      wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_BACKGROUND, nil), WALLET_CORE_OK)
    sleepDevice(24 * hour)
    try provider.advanceClock(milliseconds: 24 * hour)
    XCTAssertEqual(
      wallet_core_notify_lifecycle(WALLET_CORE_LIFECYCLE_FOREGROUND, nil), WALLET_CORE_OK)
    XCTAssertEqual(try end(request).status, WALLET_CORE_ERROR_CANCELLED)
    XCTAssertTrue(host.isLocked)
    // The PIN was evaluated before.
    try assertNothingLost(left: 2)
  }
}
