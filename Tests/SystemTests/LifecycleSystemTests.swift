import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// UC9.7 and PF1.4 1.1 through the C header: the wallet locks by itself, and blocked versions
/// cannot use it.
final class LifecycleSystemTests: XCTestCase {
  private var provider: TestProvider!
  private var host: TestHost!

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func tell(_ event: wallet_core_lifecycle) {
    XCTAssertEqual(wallet_core_notify_lifecycle(event, nil), WALLET_CORE_OK)
  }

  func testUC9_7_1_1cTheWarningIsAnEventAndActivityTakesItBack() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    wallet_core_testing_advance_clock(240_000)
    let warning = try host.nextEvent { wallet_core_event_locks_in_ms($0) > 0 }
    defer { wallet_core_event_free(warning) }
    XCTAssertEqual(wallet_core_event_is_locked(warning), 0)
    XCTAssertLessThanOrEqual(wallet_core_event_locks_in_ms(warning), 60_000)
    tell(WALLET_CORE_LIFECYCLE_USER_ACTIVITY)
    let back = try host.nextEvent {
      wallet_core_event_kind($0) == WALLET_CORE_EVENT_LOCK_STATE
    }
    defer { wallet_core_event_free(back) }
    XCTAssertEqual(wallet_core_event_is_locked(back), 0)
    XCTAssertEqual(wallet_core_event_locks_in_ms(back), 0)
  }

  func testAStreamThatIsSetLaterTellsTheTimeThatIsLeftThen() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    wallet_core_testing_advance_clock(240_000)
    wallet_core_event_free(try host.nextEvent { wallet_core_event_locks_in_ms($0) > 0 })
    wallet_core_testing_advance_clock(20_000)
    let told = Told()
    XCTAssertEqual(
      wallet_core_set_lock_stream(
        host.client,
        { context, event in
          guard let context else { return }
          Unmanaged<Told>.fromOpaque(context).takeUnretainedValue().note(event)
        }, Unmanaged.passUnretained(told).toOpaque(), nil, nil, nil), WALLET_CORE_OK)
    XCTAssertTrue(eventually { told.times.count == 1 })
    XCTAssertEqual(wallet_core_clear_lock_stream(host.client, 0, nil), WALLET_CORE_OK)
    XCTAssertTrue(told.times.allSatisfy { (1...40_000).contains($0) }, "\(told.times)")
  }

  func testUC9_7_1_1bInactivityLocksWithoutAnyCall() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    wallet_core_testing_advance_clock(300_000)
    let locked = try host.nextEvent {
      wallet_core_event_kind($0) == WALLET_CORE_EVENT_LOCK_STATE
        && wallet_core_event_is_locked($0) == 1
    }
    wallet_core_event_free(locked)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testUC9_7_1_1aActivityKeepsTheWalletOpen() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    for _ in 0..<4 {
      wallet_core_testing_advance_clock(200_000)
      tell(WALLET_CORE_LIFECYCLE_USER_ACTIVITY)
    }
    XCTAssertFalse(host.isLocked)
  }

  func testUC9_7_1_1dAnd1_1eAShortBackgroundKeepsItOpenAndALongOneLocksAtOnce() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    wallet_core_testing_advance_clock(290_000)
    XCTAssertFalse(host.isLocked)
    tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    XCTAssertFalse(host.isLocked)
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    wallet_core_testing_advance_clock(300_000)
    tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    XCTAssertTrue(host.isLocked)
  }

  func testUC9_7_1_1eALongBackgroundLocksInTheBackgroundWithoutAnyCall() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    wallet_core_testing_advance_clock(300_000)
    let locked = try host.nextEvent {
      wallet_core_event_kind($0) == WALLET_CORE_EVENT_LOCK_STATE
        && wallet_core_event_is_locked($0) == 1
    }
    wallet_core_event_free(locked)
  }

  func testAnUnlockThatWasUnderWayBeforeALongBackgroundEndsLocked() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let request = try host.begin(wallet_core_unlock, "142032")
    tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    wallet_core_testing_advance_clock(300_000)
    tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    XCTAssertTrue(host.isLocked)
  }

  func testASuspendedProcessIsLockedAtItsFirstCall() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    wallet_core_testing_advance_clock(86_400_000)
    XCTAssertTrue(host.isLocked)
  }

  func testAClockThatGoesBackKeepsTheWalletOpenAndTheTimersAlive() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    wallet_core_testing_advance_clock(-3_600_000)
    XCTAssertFalse(host.isLocked)
    tell(WALLET_CORE_LIFECYCLE_USER_ACTIVITY)
    wallet_core_testing_advance_clock(300_000)
    XCTAssertTrue(host.isLocked)
    wallet_core_testing_advance_clock(3_600_000)
  }

  func testAnUnknownLifecycleEventIsRefused() {
    XCTAssertEqual(
      wallet_core_notify_lifecycle(0, nil), WALLET_CORE_ERROR_INVALID_ARGUMENT)
    XCTAssertEqual(
      wallet_core_notify_lifecycle(wallet_core_lifecycle(.max), nil),
      WALLET_CORE_ERROR_INVALID_ARGUMENT)
  }

  private func publish(_ rules: [[String: Any]], grade: wallet_core_version_grade) throws {
    try provider.control("/update-policy", ["rules": rules])
    // The policy is fetched hourly.
    wallet_core_testing_advance_clock(3_600_000)
    let event = try host.nextEvent { wallet_core_event_version_grade($0) == grade }
    wallet_core_event_free(event)
  }

  func testPF1_4_1_1aRecommendAndWarnAreAllowed() throws {
    try publish([["grade": "recommend"]], grade: WALLET_CORE_GRADE_RECOMMEND)
    XCTAssertEqual(try host.register("142032"), .done)
    let soon = Int(Date().timeIntervalSince1970) + 3 * 86_400
    try publish([["grade": "block", "from": soon]], grade: WALLET_CORE_GRADE_WARN)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testPF1_4_1_1bABlockedVersionNeitherUnlocksNorForgetsItOffline() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try publish(
      [["grade": "block", "update_available": true]], grade: WALLET_CORE_GRADE_BLOCK)
    XCTAssertEqual(host.statusOfUnlock("142032"), WALLET_CORE_ERROR_VERSION_BLOCKED)
    provider.kill()
    try host.restart()
    let event = try host.nextEvent {
      wallet_core_event_version_grade($0) == WALLET_CORE_GRADE_BLOCK
    }
    XCTAssertEqual(wallet_core_event_version_is_update_available(event), 1)
    wallet_core_event_free(event)
    XCTAssertEqual(host.statusOfUnlock("142032"), WALLET_CORE_ERROR_VERSION_BLOCKED)
    XCTAssertEqual(try host.wipe(), .done, "a wipe is allowed while the version is blocked")
  }

  func testAnOtherVersionsBlockStopsNobody() throws {
    try publish(
      [["grade": "block", "below_version": "1.0.0"], ["grade": "recommend"]],
      grade: WALLET_CORE_GRADE_RECOMMEND)
    XCTAssertEqual(try host.register("142032"), .done)
  }
}

/// How long it was until the lock, as events told it.
private final class Told: @unchecked Sendable {
  // Sendable: `values` is touched only with `lock` held.
  private let lock = NSLock()
  private var values: [Int64] = []

  var times: [Int64] { lock.withLock { values } }

  func note(_ event: OpaquePointer) {
    let time = wallet_core_event_locks_in_ms(event)
    wallet_core_event_free(event)
    lock.withLock { values.append(time) }
  }
}
