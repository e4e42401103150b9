import Glibc
import TestSupport
import WalletModel
import WalletPlatform
import XCTest

@testable import WalletTransport

/// What an exit waits for, and for how long.
final class ExitGuardTests: XCTestCase {
  /// A clock that moves only when it is advanced.
  private final class StandingClock: BootClock {
    private let time = Monitor<Milliseconds>(0)
    var isAdjustable: Bool { true }
    func now() -> Milliseconds { time.withLock { $0 } }
    func advance(by milliseconds: Milliseconds) { time.withLock { $0 += milliseconds } }
  }

  private let clock = StandingClock()
  private lazy var end = ExitGuard(clock: clock)

  /// Starts a thread that is inside libcurl until `release`, or until the exit stops it.
  private func enter(stopping: Bool) throws -> (thread: NamedThread, release: () -> Void) {
    let (isInside, isReleased) = (Monitor(false), Monitor(false))
    let release: @Sendable () -> Void = { isReleased.update { $0 = true } }
    let thread = try XCTUnwrap(
      NamedThread("inside", signals: .blocked) { [end] in
        try? end.whileInside(stop: { if stopping { release() } }) {
          isInside.update { $0 = true }
          _ = isReleased.wait(clock: SystemBootClock()) { $0 ? true : nil }
        }
      })
    _ = isInside.wait(clock: SystemBootClock()) { $0 ? true : nil }
    return (thread, release)
  }

  func testAnExitWaitsForTransfersThatStop() throws {
    let inside = try enter(stopping: true)
    end.wait()
    XCTAssertTrue(end.isEnding)
    inside.thread.join()
  }

  func testAllHandlersTogetherWaitNoLongerThanOne() throws {
    let inside = try enter(stopping: false)
    let hasExited = Monitor(false)
    let exit = try XCTUnwrap(
      NamedThread("exit", signals: .blocked) { [end] in
        for _ in 0..<3 { end.wait() }
        hasExited.update { $0 = true }
      })
    while !end.isEnding { sched_yield() }
    // The clock does not move again: a handler that started a new wait would not end.
    clock.advance(by: ExitGuard.waitLimit)
    let system = SystemBootClock()
    let end = system.now() + Patience.milliseconds
    XCTAssertEqual(hasExited.wait(until: end, clock: system) { $0 ? true : nil }, true)
    inside.release()
    exit.join()
    inside.thread.join()
  }

  func testNoTransferStartsInAProcessThatExits() {
    end.wait()
    XCTAssertThrowsError(try end.whileInside(stop: {}) { XCTFail("inside") }) { error in
      XCTAssertEqual((error as? WalletError)?.kind, .cancelled)
    }
  }
}
