import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Whether a block runs: asked without a PIN, and told by UC2.3 1.3 also after a restart.
final class PinStateTests: XCTestCase {
  private var provider: TestProvider!
  private var host: TestHost!
  private var flow: FlowHost!
  /// How far this test moved the calendar, in seconds; tearDown moves it back.
  private var calendar: Int64 = 0

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    provider = try TestProvider()
    host = try TestHost(configuration: provider.clientConfiguration())
    flow = FlowHost(host)
    try host.start()
  }

  override func tearDown() {
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    wallet_core_testing_advance_calendar(-calendar)
    flow = nil
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func setNetwork(_ fault: Int) {
    wallet_core_testing_set_network_fault(Int32(fault), -1)
  }

  private var judged: Int {
    get throws { try XCTUnwrap(provider.control("/counts")["judged"] as? Int) }
  }

  private func register() throws { XCTAssertEqual(try host.register("142032"), .done) }

  /// Registers and uses a round of attempts up.
  private func block(_ duration: Int64 = 60_000) throws {
    try register()
    for _ in 1...3 { XCTAssertEqual(try host.checkPin("142033").status, 0) }
    XCTAssertEqual(try host.checkPin("142033"), .blocked(duration))
  }

  private func blockForGood() throws {
    try provider.control("/policy", ["rounds": 1, "attempts_per_round": 2, "block_ms": [Int]()])
    try register()
    XCTAssertEqual(try host.checkPin("142033"), .wrong(1, final: true))
    XCTAssertEqual(try host.checkPin("142033"), .blockedForGood)
  }

  /// Restarts, moves the calendar meanwhile, and goes to the step that asks for the PIN.
  private func restart(calendar seconds: Int64 = 0, line: UInt = #line) throws {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    calendar += seconds
    wallet_core_testing_advance_calendar(seconds)
    try host.start()
    try flow.launch()
    try flow.expect("UC2.3 1.3", line: line)
  }

  /// Fetches the provider's time and starts again.
  private func learnTime() throws {
    XCTAssertEqual(try host.refresh().status, WALLET_CORE_OK)
    try restart()
  }

  /// Checks that the step tells of a block of `duration` milliseconds that is still running.
  private func assertTellsOfBlock(of duration: Int64 = 60_000, line: UInt = #line) throws {
    let left = try XCTUnwrap(flow.number("blocked_for_ms"), line: line)
    XCTAssertGreaterThan(left, 0, line: line)
    XCTAssertLessThanOrEqual(left, duration, line: line)
    XCTAssertGreaterThanOrEqual(try XCTUnwrap(flow.number("block_age_ms"), line: line), 0)
    XCTAssertNil(flow.number("is_permanently_blocked"), line: line)
  }

  private func assertTellsOfNoBlock(line: UInt = #line) {
    for name in ["blocked_for_ms", "block_age_ms", "is_permanently_blocked"] {
      XCTAssertNil(flow.number(name), name, line: line)
    }
  }

  // MARK: - The request

  func testAskingCostsNoAttemptAndSaysWhatIsLeft() throws {
    try register()
    XCTAssertEqual(try host.pinState(), .notBlocked(4))
    XCTAssertEqual(try host.checkPin("142033"), .wrong(3))
    let before = try judged
    for _ in 1...3 { XCTAssertEqual(try host.pinState(), .notBlocked(3)) }
    XCTAssertEqual(try judged, before)
    XCTAssertFalse(host.isLocked, "asking locks nothing")
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.pinState(), .notBlocked(3), "a locked wallet may ask too")
    XCTAssertEqual(try host.checkPin("142033"), .wrong(2))
    XCTAssertEqual(try host.checkPin("142033"), .wrong(1))
    XCTAssertEqual(try host.checkPin("142033"), .blocked(60_000))
    let blocked = try host.pinState()
    XCTAssertEqual(blocked.outcome, WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY)
    XCTAssertGreaterThan(blocked.blockedFor, 0)
    XCTAssertLessThanOrEqual(blocked.blockedFor, 60_000)
    try provider.advanceClock(milliseconds: 60_000)
    XCTAssertEqual(try host.pinState(), .notBlocked(4))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testAskingSaysThatTheBlockIsForGood() throws {
    try blockForGood()
    XCTAssertEqual(try host.pinState(), .blockedForGood)
    try host.restart()
    XCTAssertEqual(try host.pinState(), .blockedForGood)
  }

  func testWithoutAWalletThereIsNothingToAsk() throws {
    XCTAssertEqual(try host.pinState().status, WALLET_CORE_ERROR_NOT_REGISTERED)
    try register()
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.pinState().status, WALLET_CORE_ERROR_NOT_REGISTERED)
  }

  func testAskingWithoutANetworkFailsAndChangesNothing() throws {
    try register()
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    XCTAssertEqual(try host.pinState().status, WALLET_CORE_ERROR_NO_INTERNET)
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    XCTAssertEqual(try host.pinState(), .notBlocked(4))
  }

  func testABlockedVersionMayNotAsk() throws {
    try register()
    try provider.control("/update-policy", ["rules": [["grade": "block"]]])
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try host.start()
    try flow.launch()
    try flow.expect("PF1.4 2.1")
    XCTAssertEqual(
      wallet_core_pin_state(host.client, nil, nil), WALLET_CORE_ERROR_VERSION_BLOCKED)
  }

  // MARK: - The last known block (UC2.3 1.3)

  func testUC2_3_1_3TellsOfABlockAfterARestartUntilItEnds() throws {
    try block()
    try restart()
    try assertTellsOfBlock()
    flow.advanceClock(60_000)
    try flow.expect("UC2.3 1.3")
    assertTellsOfNoBlock()
  }

  func testUC2_3_1_3EveryRequestWithAPinKeepsItsBlock() throws {
    try register()
    for _ in 1...3 { _ = try host.changePin("142033", to: "271828") }
    XCTAssertEqual(try host.changePin("142033", to: "271828"), .blocked(60_000))
    try restart()
    try assertTellsOfBlock()
  }

  func testUC2_3_1_3TheBlockKeepsNobodyFromTryingAndAValidPinRemovesIt() throws {
    try block()
    try provider.advanceClock(milliseconds: 60_000)
    // The policy of the provider has the new time; without it the device knows only its own.
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    try restart()
    try assertTellsOfBlock()
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    flow.enter("142032")
    try flow.next()
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.expect("UC2.3 1.3")
    assertTellsOfNoBlock()
    try restart()
    assertTellsOfNoBlock()
  }

  func testUC2_3_1_3TheAgeCountsTheTimeByTheProvidersClock() throws {
    // An hour, because the provider's clock goes on while the device restarts.
    try provider.control(
      "/policy", ["rounds": 2, "attempts_per_round": 4, "block_ms": [3_600_000]])
    try block(3_600_000)
    try provider.advanceClock(milliseconds: 40_000)
    try restart()
    // A start does not wait long for the provider's time, and the next one knows it.
    try learnTime()
    try assertTellsOfBlock(of: 3_600_000)
    XCTAssertLessThanOrEqual(try XCTUnwrap(flow.number("blocked_for_ms")), 3_561_000)
    XCTAssertGreaterThanOrEqual(try XCTUnwrap(flow.number("block_age_ms")), 39_000)
    try provider.advanceClock(milliseconds: 3_560_000)
    try restart()
    try learnTime()
    assertTellsOfNoBlock()
  }

  func testUC2_3_1_3ANewerAnswerReplacesTheBlock() throws {
    try block()
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    try restart()
    try assertTellsOfBlock()
    try provider.advanceClock(milliseconds: 60_000)
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    // The step comes before the completion.
    _ = try host.begin(wallet_core_pin_state)
    try flow.expect("UC2.3 1.3")
    assertTellsOfNoBlock()
    try restart()
    assertTellsOfNoBlock()
  }

  func testUC2_3_1_3ABlockForGoodIsToldAfterARestartAndAWipeForgetsIt() throws {
    try blockForGood()
    try restart()
    XCTAssertEqual(flow.number("is_permanently_blocked"), 1)
    XCTAssertNotNil(flow.number("block_age_ms"))
    XCTAssertNil(flow.number("blocked_for_ms"))
    flow.enter("142032")
    try flow.expect("PF2.8 9.1")
    XCTAssertEqual(try host.wipe(), .done)
    try register()
    try restart()
    assertTellsOfNoBlock()
  }

  func testUC2_3_1_3AWrongCalendarNeverMakesABlockLonger() throws {
    try block()
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    try restart(calendar: -86_400)
    try assertTellsOfBlock()
    flow.advanceClock(60_000)
    try flow.expect("UC2.3 1.3")
    assertTellsOfNoBlock()
  }

  func testUC2_3_1_3ACalendarThatIsAheadHidesABlockOnlyUntilTheProviderAnswers() throws {
    try block()
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    try restart(calendar: 86_400)
    assertTellsOfNoBlock()
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    try restart()
    try assertTellsOfBlock()
  }

  // MARK: - The attempts left

  func testUC2_3_1_3TellsOfTheAttemptsLeftAfterAReturnToTheApp() throws {
    try register()
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.launch()
    try flow.expect("UC2.3 1.3")
    XCTAssertNil(flow.number("attempts_left"))
    flow.enter("142033")
    try flow.expect("PF2.8 2.1")
    flow.tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    flow.tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    try flow.expect("UC2.3 1.3")
    XCTAssertEqual(flow.number("attempts_left"), 3)
    XCTAssertEqual(flow.number("is_final_round"), 0)
    // A request outside the flows uses an attempt up. The step comes before the completion.
    _ = try host.begin(wallet_core_check_pin, "142033")
    try flow.expect("UC2.3 1.3")
    XCTAssertEqual(flow.number("attempts_left"), 2)
    XCTAssertEqual(try host.pinState(), .notBlocked(2))
    flow.enter("142032")
    try flow.next { $0.isPassing || $0.row == "UC2.3 1.3" }
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.expect("UC2.3 1.3")
    XCTAssertNil(flow.number("attempts_left"))
  }
}
