import Foundation
import WalletPlatform
import XCTest

final class CancellationTests: XCTestCase {
  func testCancellingRunsTheHandlerOnce() {
    let cancellation = Cancellation()
    let calls = Monitor(0)
    XCTAssertFalse(cancellation.isCancelled)
    cancellation.whileCancellable(onCancel: { calls.withLock { $0 += 1 } }) {
      cancellation.cancel()
      cancellation.cancel()
    }
    XCTAssertTrue(cancellation.isCancelled)
    XCTAssertEqual(calls.withLock { $0 }, 1)
  }

  func testAHandlerIsNotCalledAfterItsBody() {
    let cancellation = Cancellation()
    let calls = Monitor(0)
    cancellation.whileCancellable(onCancel: { calls.withLock { $0 += 1 } }) {}
    cancellation.cancel()
    XCTAssertEqual(calls.withLock { $0 }, 0)
  }

  func testALateHandlerIsCalledImmediatelyAndTheBodyStillRuns() {
    let cancellation = Cancellation()
    cancellation.cancel()
    let calls = Monitor(0)
    let seen = cancellation.whileCancellable(onCancel: { calls.withLock { $0 += 1 } }) {
      calls.withLock { $0 }
    }
    XCTAssertEqual(seen, 1)
  }

  func testNestedHandlersAreAllCalled() {
    let cancellation = Cancellation()
    let calls = Monitor<Set<String>>([])
    cancellation.whileCancellable(onCancel: { calls.withLock { _ = $0.insert("outer") } }) {
      cancellation.whileCancellable(onCancel: { calls.withLock { _ = $0.insert("inner") } }) {
        cancellation.cancel()
      }
    }
    XCTAssertEqual(calls.withLock { $0 }, ["outer", "inner"])
  }

  func testTheBodysErrorIsPassedOnAndItsHandlerForgotten() {
    struct Refused: Error {}
    let cancellation = Cancellation()
    let calls = Monitor(0)
    XCTAssertThrowsError(
      try cancellation.whileCancellable(onCancel: { calls.withLock { $0 += 1 } }) {
        throw Refused()
      })
    cancellation.cancel()
    XCTAssertEqual(calls.withLock { $0 }, 0)
  }

  func testAWaiterOnAnotherThreadIsWoken() throws {
    let cancellation = Cancellation()
    let state = Monitor((isWaiting: false, isWoken: false))
    let thread = try XCTUnwrap(
      NamedThread("waiter", signals: .blocked) {
        cancellation.whileCancellable(onCancel: { state.update { $0.isWoken = true } }) {
          state.update { $0.isWaiting = true }
          state.wait(clock: SystemBootClock()) { $0.isWoken ? () : nil }
        }
      })
    state.wait(clock: SystemBootClock()) { $0.isWaiting ? () : nil }
    cancellation.cancel()
    thread.join()
  }

  func testAWaitEndsWhenItIsCancelled() throws {
    let (cancellation, clock) = (Cancellation(), CountingClock(step: 0))
    let thread = try XCTUnwrap(
      NamedThread("waiter", signals: .blocked) { cancellation.wait(1_000, clock: clock) })
    // It waits once it has compared the time with that of its end.
    while clock.reads < 2 { usleep(1_000) }
    cancellation.cancel()
    thread.join()
    cancellation.wait(1_000, clock: clock)
  }

  func testAWaitEndsWithItsTimeAndNotBefore() {
    let clock = CountingClock(step: 100)
    Cancellation().wait(1_000, clock: clock)
    XCTAssertEqual(clock.reads, 1 + 10)
  }
}

/// A clock that goes on by a step whenever it is read.
private final class CountingClock: BootClock {
  private let step: Milliseconds
  private let count = Monitor(0)

  init(step: Milliseconds) { self.step = step }

  var isAdjustable: Bool { true }
  var reads: Int { count.withLock { $0 } }

  func now() -> Milliseconds {
    count.withLock {
      $0 += 1
      return Milliseconds($0) * step
    }
  }
}
