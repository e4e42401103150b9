import WalletPlatform
import XCTest

final class MonitorTests: XCTestCase {
  func testChangesFromManyThreadsAreAllKept() throws {
    let counter = Monitor(0)
    let threads = try (0..<4).map { index in
      try XCTUnwrap(
        NamedThread("count-\(index)", signals: .blocked) {
          for _ in 0..<1000 { counter.withLock { $0 += 1 } }
        })
    }
    for thread in threads { thread.join() }
    XCTAssertEqual(counter.withLock { $0 }, 4000)
  }

  func testAWaitEndsWithTheUpdateThatItWaitsFor() throws {
    let value = Monitor(0)
    let thread = try XCTUnwrap(
      NamedThread("updater", signals: .blocked) {
        for _ in 0..<3 { value.update { $0 += 1 } }
      })
    let seen = value.wait(clock: SystemBootClock()) { $0 == 3 ? $0 : nil }
    thread.join()
    XCTAssertEqual(seen, 3)
  }

  func testAWaitEndsAtItsDeadline() {
    let clock = SystemBootClock()
    let value = Monitor(0)
    let start = clock.now()
    let seen: Int? = value.wait(until: start + 20, clock: clock) { _ in nil }
    XCTAssertNil(seen)
    XCTAssertGreaterThanOrEqual(clock.now(), start + 20)
  }

  func testAPassedDeadlineStillChecksOnce() {
    let value = Monitor(7)
    XCTAssertEqual(value.wait(until: 0, clock: SystemBootClock()) { $0 }, 7)
    XCTAssertNil(value.wait(until: 0, clock: SystemBootClock()) { _ -> Int? in nil })
  }

  func testAMovedClockEndsAWait() throws {
    let clock = AdjustableClock()
    let value = Monitor(0)
    let deadline = clock.now() + 3_600_000
    let hasLooked = Monitor(false)
    let thread = try XCTUnwrap(
      NamedThread("clock", signals: .blocked) {
        hasLooked.wait(clock: SystemBootClock()) { $0 ? () : nil }
        clock.advance(by: 3_600_001)
      })
    let seen: Int? = value.wait(until: deadline, clock: clock) { _ in
      hasLooked.update { $0 = true }
      return nil
    }
    thread.join()
    XCTAssertNil(seen)
  }

  /// A clock that jumps without waking anybody, as a device that slept.
  private struct SleptClock: BootClock {
    let jump: Milliseconds
    let wakesAt: Milliseconds
    var isAdjustable: Bool { false }

    func now() -> Milliseconds {
      let now = SystemBootClock().now()
      return now < wakesAt ? now : now &+ jump
    }
  }

  func testAWaitNoticesATimeThatPassedInTheSleepOfTheDevice() {
    let start = SystemBootClock().now()
    let clock = SleptClock(jump: 7_200_000, wakesAt: start + 50)
    let value = Monitor(0)
    // Without a second look at the clock this would last an hour.
    let seen: Int? = value.wait(until: start + 3_600_000, clock: clock) { _ in nil }
    XCTAssertNil(seen)
    XCTAssertGreaterThanOrEqual(clock.now(), start + 3_600_000)
  }

  func testAnErrorLeavesTheMonitorUsable() {
    struct Refused: Error {}
    let value = Monitor(1)
    XCTAssertThrowsError(try value.withLock { _ in throw Refused() })
    XCTAssertEqual(value.withLock { $0 }, 1)
  }
}
