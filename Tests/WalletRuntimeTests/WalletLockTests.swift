import TestSupport
import WalletCrypto
import WalletModel
import WalletPlatform
import XCTest

@testable import WalletRuntime

/// What the lock tells others, and whom it lends the vault key to.
final class WalletLockTests: XCTestCase {
  private final class Calls: Sendable {
    private let counts = Monitor((locks: 0, timeouts: 0))

    var locks: Int { counts.withLock { $0.locks } }
    var timeouts: Int { counts.withLock { $0.timeouts } }
    func lock() { counts.update { $0.locks += 1 } }
    func timeOut() { counts.update { $0.timeouts += 1 } }

    /// Waits until `count` stays in the background were too long; false if they never were.
    func awaitTimeouts(_ count: Int) -> Bool {
      let clock = SystemBootClock()
      return counts.wait(until: clock.now() + Patience.milliseconds, clock: clock) {
        $0.timeouts >= count ? true : nil
      } ?? false
    }
  }

  private let clock = AdjustableClock()
  private let calls = Calls()
  private var keeper: WalletLock!

  override func setUp() {
    keeper = WalletLock(
      clock: clock,
      limits: { LockTimer.Limits(inactive: 300_000, warning: 240_000, background: 200_000) },
      onChange: { _, _ in }, onLock: { [calls] in calls.lock() },
      onBackgroundTimeout: { [calls] in calls.timeOut() })
  }

  override func tearDown() { keeper.shutDown() }

  private func unlock() throws {
    XCTAssertTrue(keeper.unlock(with: try .random(count: 32), since: keeper.epoch))
  }

  func testUC97_1_1eALockedWalletHearsOfALongBackgroundWithoutAnyCall() throws {
    try keeper.start()
    keeper.note(.background)
    clock.advance(by: 199_000)
    XCTAssertEqual(calls.timeouts, 0)
    clock.advance(by: 1_000)
    XCTAssertTrue(calls.awaitTimeouts(1))
    clock.advance(by: 1_000_000)
    keeper.settle()
    keeper.note(.background)
    XCTAssertEqual(calls.timeouts, 1, "once for each stay")
    keeper.note(.foreground)
    keeper.note(.background)
    clock.advance(by: 200_000)
    XCTAssertTrue(calls.awaitTimeouts(2))
  }

  func testUC97_1_1eAnUnlockedWalletLocksAndHearsOfIt() throws {
    try unlock()
    keeper.note(.background)
    clock.advance(by: 200_000)
    keeper.note(.foreground)
    XCTAssertTrue(keeper.current.value.isLocked)
    XCTAssertEqual(calls.timeouts, 1)
    XCTAssertEqual(calls.locks, 1)
  }

  func testUC97_1_1dAShortBackgroundIsNoNews() throws {
    try unlock()
    keeper.note(.background)
    clock.advance(by: 199_000)
    keeper.note(.foreground)
    clock.advance(by: 1_000)
    keeper.settle()
    XCTAssertFalse(keeper.current.value.isLocked)
    XCTAssertEqual(calls.timeouts, 0)
    XCTAssertEqual(calls.locks, 0)
  }

  func testEveryLockIsToldAlsoThatOfALockedWallet() throws {
    keeper.lock()
    XCTAssertEqual(calls.locks, 1)
    try unlock()
    keeper.lock()
    XCTAssertEqual(calls.locks, 2)
  }

  func testTheVaultKeyIsLentWhileUnlockedOnly() throws {
    XCTAssertNil(keeper.withVaultKey { $0.count })
    try unlock()
    XCTAssertEqual(keeper.withVaultKey { $0.count }, 32)
    clock.advance(by: 300_000)
    XCTAssertNil(keeper.withVaultKey { $0.count }, "what is due by time is done first")
  }

  func testAnUnlockThatSleptThroughABackgroundEndsLocked() throws {
    let epoch = keeper.epoch
    keeper.note(.background)
    clock.advance(by: 200_000)
    XCTAssertFalse(keeper.unlock(with: try .random(count: 32), since: epoch))
    XCTAssertTrue(keeper.current.value.isLocked)
  }
}
