import Glibc
import WalletPlatform
import XCTest

final class ClockTests: XCTestCase {
  func testTheSystemsClockCountsSleep() {
    let clock = SystemBootClock()
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let before = Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    let now = clock.now()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let after = Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
    XCTAssertTrue((before...after).contains(now))
    XCTAssertFalse(clock.isAdjustable)
  }

  func testAnAdjustableClockMovesBothWays() {
    let clock = AdjustableClock()
    XCTAssertTrue(clock.isAdjustable)
    let start = clock.now()
    clock.advance(by: 1_000_000)
    XCTAssertGreaterThanOrEqual(clock.now(), start + 1_000_000)
    clock.advance(by: -2_000_000)
    XCTAssertLessThan(clock.now(), start)
  }

  func testAStoppedClockMovesOnlyWhenItIsAdvanced() {
    let clock = AdjustableClock()
    clock.stop()
    let start = clock.now()
    let before = SystemBootClock().now()
    while SystemBootClock().now() == before {}
    XCTAssertEqual(clock.now(), start)
    clock.advance(by: 1000)
    clock.stop()
    XCTAssertEqual(clock.now(), start + 1000)
  }

  func testTheReleasedEnvironmentHasTheSystemsClock() {
    let environment = SystemEnvironment()
    XCTAssertTrue(environment.clock is SystemBootClock)
  }

  func testAReplacedEnvironmentIsCurrentUntilItIsRemoved() {
    var environment = SystemEnvironment()
    environment.calendarSeconds = { 7 }
    let before = SystemEnvironment.replacement.withLock { $0 }
    SystemEnvironment.replacement.withLock { $0 = environment }
    XCTAssertEqual(SystemEnvironment.current.calendarSeconds(), 7)
    SystemEnvironment.replacement.withLock { $0 = before }
    XCTAssertNotEqual(SystemEnvironment.current.calendarSeconds(), 7)
  }
}
