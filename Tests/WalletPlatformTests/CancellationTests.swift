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

  /// The clock stands still, so nothing else ends the wait.
  func testAWaitEndsWhenItIsCancelled() throws {
    let (cancellation, clock) = (Cancellation(), AdjustableClock())
    clock.stop()
    let thread = try XCTUnwrap(
      NamedThread("waiter", signals: .blocked) { cancellation.wait(1_000, clock: clock) })
    cancellation.cancel()
    thread.join()
    cancellation.wait(1_000, clock: clock)
  }

  func testAWaitEndsWithItsTimeAndNotBefore() throws {
    let (cancellation, clock) = (Cancellation(), AdjustableClock())
    clock.stop()
    let start = clock.now()
    let end = Monitor<Milliseconds?>(nil)
    let thread = try XCTUnwrap(
      NamedThread("waiter", signals: .blocked) {
        cancellation.wait(1_000, clock: clock)
        end.withLock { $0 = clock.now() }
      })
    // Whenever the thread begins, it needs ten of these steps.
    while end.withLock({ $0 }) == nil { clock.advance(by: 100) }
    thread.join()
    XCTAssertGreaterThanOrEqual(try XCTUnwrap(end.withLock { $0 }), start + 1_000)
    XCTAssertFalse(cancellation.isCancelled)
  }
}
