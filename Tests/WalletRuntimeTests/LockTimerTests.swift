import XCTest

@testable import WalletRuntime

/// UC9.7: when the wallet locks by itself.
final class LockTimerTests: XCTestCase {
  private let limits = LockTimer.Limits(inactive: 300, warning: 240, background: 200)

  func testUC9_7_1_1aActivityKeepsTheWalletUnlocked() {
    var timer = LockTimer(now: 0)
    XCTAssertEqual(timer.verdict(now: 239, limits: limits), .nothing(until: 240))
    timer.noteActivity(now: 239)
    XCTAssertEqual(timer.verdict(now: 300, limits: limits), .nothing(until: 479))
  }

  func testUC9_7_1_1cTheWarningComesAtItsTimeAndActivityEndsIt() {
    var timer = LockTimer(now: 0)
    XCTAssertEqual(timer.verdict(now: 240, limits: limits), .warning(locksAt: 300))
    timer.noteActivity(now: 299)
    XCTAssertEqual(timer.verdict(now: 299, limits: limits), .nothing(until: 539))
  }

  func testUC9_7_1_1bInactivityLocksAtTheLimit() {
    let timer = LockTimer(now: 0)
    XCTAssertEqual(timer.verdict(now: 299, limits: limits), .warning(locksAt: 300))
    XCTAssertEqual(timer.verdict(now: 300, limits: limits), .lock)
  }

  func testUC9_7WarningNotBelowTheTimeoutIsIgnored() {
    let limits = LockTimer.Limits(inactive: 300, warning: 300, background: 200)
    let timer = LockTimer(now: 0)
    XCTAssertEqual(timer.verdict(now: 299, limits: limits), .nothing(until: 300))
  }

  func testUC9_7_1_1dAnd1_1eInTheBackgroundOnlyTheBackgroundTimeoutCounts() {
    var timer = LockTimer(now: 0)
    timer.enterBackground(now: 290)
    timer.enterBackground(now: 400)
    XCTAssertEqual(timer.verdict(now: 489, limits: limits), .nothing(until: 490))
    XCTAssertEqual(timer.verdict(now: 490, limits: limits), .lock)
    timer.enterForeground(now: 489)
    XCTAssertEqual(timer.verdict(now: 489, limits: limits), .nothing(until: 729))
  }

  func testTimesAtTheEndOfTheRangeDoNotTrap() {
    let limits = LockTimer.Limits(inactive: .max, warning: .max, background: .max)
    var timer = LockTimer(now: .max)
    XCTAssertEqual(timer.verdict(now: 0, limits: limits), .nothing(until: .max))
    timer.enterBackground(now: .max)
    XCTAssertEqual(timer.verdict(now: .min, limits: limits), .nothing(until: .max))
  }
}
