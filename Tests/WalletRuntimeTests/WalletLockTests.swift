import Dispatch
import Glibc
import TestSupport
import WalletCrypto
import WalletModel
import WalletPlatform
import XCTest

@testable import WalletRuntime

/// A clock that lets other threads run between the reading and its use.
private struct YieldingClock: BootClock {
  let clock = AdjustableClock()

  init() { clock.stop() }

  var isAdjustable: Bool { true }

  func now() -> Milliseconds {
    let now = clock.now()
    sched_yield()
    return now
  }
}

/// Times of a configuration that changes, which let other threads run between the reading and its use.
private final class YieldingLimits: Sendable {
  private let limits = Monitor(LockTimer.Limits(inactive: .max, warning: .max, background: .max))
  private let readings = Monitor(0)

  /// How often they were read.
  var count: Int { readings.withLock { $0 } }

  var current: LockTimer.Limits {
    let current = limits.withLock { $0 }
    readings.withLock { $0 += 1 }
    sched_yield()
    return current
  }

  func setWarning(_ warning: Milliseconds) { limits.withLock { $0.warning = warning } }
  func setInactive(_ inactive: Milliseconds) { limits.withLock { $0.inactive = inactive } }
}

/// A clock that stands still but for one jump right after it was read.
private final class JumpingClock: BootClock {
  private let state = Monitor((now: Milliseconds(0), jump: Milliseconds(0)))

  var isAdjustable: Bool { true }

  func now() -> Milliseconds {
    state.withLock { state in
      defer { (state.now, state.jump) = (state.now + state.jump, 0) }
      return state.now
    }
  }

  /// Moves it, and lets it jump after the next reading, which is returned.
  func jump(after time: Milliseconds, by milliseconds: Milliseconds) -> Milliseconds {
    state.withLock { state in
      state = (state.now + time, milliseconds)
      return state.now
    }
  }

  func set(_ time: Milliseconds) { state.withLock { $0 = (time, 0) } }
}

/// The callbacks of the lock and the access to the vault key.
final class WalletLockTests: XCTestCase {
  private final class Calls: Sendable {
    private let counts = Monitor((locks: 0, timeouts: 0))

    var locks: Int { counts.withLock { $0.locks } }
    var timeouts: Int { counts.withLock { $0.timeouts } }
    func lock() { counts.update { $0.locks += 1 } }
    func timeOut() { counts.update { $0.timeouts += 1 } }

    /// Waits until `count` stays in the background were reported as too long. Returns false if they
    /// never were.
    func awaitTimeouts(_ count: Int) -> Bool {
      let clock = SystemBootClock()
      return counts.wait(until: clock.now() + Patience.milliseconds, clock: clock) {
        $0.timeouts >= count ? true : nil
      } ?? false
    }
  }

  private let clock = AdjustableClock()
  private let calls = Calls()
  private var walletLock: WalletLock!

  override func setUp() {
    clock.stop()
    walletLock = WalletLock(
      clock: clock,
      limits: { LockTimer.Limits(inactive: 300_000, warning: 240_000, background: 200_000) },
      onChange: { _, _ in }, onLock: { [calls] _ in calls.lock() },
      onBackgroundTimeout: { [calls] in calls.timeOut() })
  }

  override func tearDown() { walletLock.shutDown() }

  private func unlock() throws {
    XCTAssertTrue(walletLock.unlock(with: try .random(count: 32), since: walletLock.epoch))
  }

  func testUC9_7_1_1eALongBackgroundOfALockedWalletIsReportedWithoutAnyCall() throws {
    try walletLock.start()
    walletLock.note(.background)
    clock.advance(by: 199_000)
    XCTAssertEqual(calls.timeouts, 0)
    clock.advance(by: 1_000)
    XCTAssertTrue(calls.awaitTimeouts(1))
    clock.advance(by: 1_000_000)
    walletLock.settle()
    walletLock.note(.background)
    XCTAssertEqual(calls.timeouts, 1, "once for each stay")
    walletLock.note(.foreground)
    walletLock.note(.background)
    clock.advance(by: 200_000)
    XCTAssertTrue(calls.awaitTimeouts(2))
  }

  /// A thread that read the clock, or the times of the configuration, before the warning was due and
  /// went on after it would take the warning back.
  func testUC9_7_1_2NoThreadTakesTheWarningBackByWhatWasSoBeforeIt() throws {
    let (clock, limits) = (YieldingClock(), YieldingLimits())
    let announced = Monitor<[LockState]>([])
    let walletLock = WalletLock(
      clock: clock, limits: { limits.current },
      onChange: { state, _ in announced.update { $0.append(state.value) } })
    XCTAssertTrue(walletLock.unlock(with: try .random(count: 32), since: walletLock.epoch))
    for number in 0..<4_000 {
      limits.setWarning(1_000)
      walletLock.note(.userActivity)
      announced.update { $0 = [] }
      clock.clock.advance(by: 999)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for round in 0..<20 {
          if thread == 0, round == 10 {
            if number.isMultiple(of: 2) { clock.clock.advance(by: 1) } else { limits.setWarning(1) }
          }
          walletLock.settle()
        }
      }
      walletLock.settle()
      XCTAssertEqual(announced.withLock { $0.count }, 1, "\(announced.withLock { $0 })")
    }
  }

  func testShorterTimesOfANewConfigurationLockWithoutAnyCall() throws {
    let limits = YieldingLimits()
    let locks = Calls()
    let walletLock = WalletLock(
      clock: clock, limits: { limits.current }, onChange: { _, _ in },
      onLock: { _ in locks.lock() })
    defer { walletLock.shutDown() }
    XCTAssertTrue(walletLock.unlock(with: try .random(count: 32), since: walletLock.epoch))
    let count = limits.count
    try walletLock.start()
    XCTAssertTrue(eventually { limits.count > count }, "the timer waits by the former times")
    clock.advance(by: 300_000)
    limits.setInactive(300_000)
    XCTAssertTrue(eventually { locks.locks == 1 })
  }

  /// The process may be suspended at any moment of a call.
  func testUC9_7_1_1dTheReturnToTheAppCountsFromTheTimeAtWhichItIsJudged() throws {
    let clock = JumpingClock()
    let walletLock = WalletLock(
      clock: clock,
      limits: { LockTimer.Limits(inactive: 300_000, warning: 300_000, background: 200_000) },
      onChange: { _, _ in })
    XCTAssertTrue(walletLock.unlock(with: try .random(count: 32), since: walletLock.epoch))
    walletLock.note(.background)
    let returned = clock.jump(after: 199_999, by: 1_000)
    walletLock.note(.foreground)
    clock.set(returned + 300_000)
    walletLock.settle()
    XCTAssertTrue(walletLock.current.value.isLocked)
  }

  func testUC9_7_1_1eALongBackgroundLocksAnUnlockedWalletAndIsReported() throws {
    try unlock()
    walletLock.note(.background)
    clock.advance(by: 200_000)
    walletLock.note(.foreground)
    XCTAssertTrue(walletLock.current.value.isLocked)
    XCTAssertEqual(calls.timeouts, 1)
    XCTAssertEqual(calls.locks, 1)
  }

  func testUC9_7_1_1dAShortBackgroundChangesNothing() throws {
    try unlock()
    walletLock.note(.background)
    clock.advance(by: 199_000)
    walletLock.note(.foreground)
    clock.advance(by: 1_000)
    walletLock.settle()
    XCTAssertFalse(walletLock.current.value.isLocked)
    XCTAssertEqual(calls.timeouts, 0)
    XCTAssertEqual(calls.locks, 0)
  }

  func testEveryLockIsReportedEvenOfALockedWallet() throws {
    walletLock.lock()
    XCTAssertEqual(calls.locks, 1)
    try unlock()
    walletLock.lock()
    XCTAssertEqual(calls.locks, 2)
  }

  func testTheVaultKeyIsAvailableOnlyWhileUnlocked() throws {
    XCTAssertNil(walletLock.withVaultKey { $0.count })
    try unlock()
    XCTAssertEqual(walletLock.withVaultKey { $0.count }, 32)
    clock.advance(by: 300_000)
    XCTAssertNil(walletLock.withVaultKey { $0.count }, "what is due by time is done first")
  }

  func testWhatWasReadFromTheVaultIsNotUsedAfterALock() throws {
    try unlock()
    let count = walletLock.withVaultKey { vaultKey in
      walletLock.lock()
      return vaultKey.count
    }
    XCTAssertNil(count)
  }

  func testAnUnlockThatLastedThroughALongBackgroundEndsLocked() throws {
    let epoch = walletLock.epoch
    walletLock.note(.background)
    clock.advance(by: 200_000)
    XCTAssertFalse(walletLock.unlock(with: try .random(count: 32), since: epoch))
    XCTAssertTrue(walletLock.current.value.isLocked)
  }

  /// The flows open it when they hear of the lock, which is before the lock has ended the prompts
  /// of its time.
  func testUC2_3_1_2aAPromptThatALockLedToIsNotEndedByThatLock() throws {
    let (before, since) = (Cancellation(), Cancellation())
    let prompts = PromptRegistry()
    let lock = Monitor<WalletLock?>(nil)
    walletLock = WalletLock(
      clock: clock,
      limits: { LockTimer.Limits(inactive: 300_000, warning: 240_000, background: 200_000) },
      onChange: { state, _ in
        guard state.value.isLocked, let epoch = lock.withLock({ $0 })?.epoch else { return }
        prompts.expect(since, since: epoch)
      }, onLock: { prompts.cancelAll(before: $0) })
    lock.withLock { $0 = walletLock }
    defer { lock.withLock { $0 = nil } }
    try unlock()
    prompts.expect(before, since: walletLock.epoch)
    walletLock.lock()
    XCTAssertTrue(before.isCancelled)
    XCTAssertFalse(since.isCancelled)
  }
}
