import WalletAttempts
import WalletProtocol
import XCTest

@testable import WalletEvaluator

/// The last round of a wallet whose row was put back, and what ends it.
final class LastRoundTests: EvaluatorTestCase {
  func testARowPutBackTwiceGainsNothing() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    let (wallet, key) = wallets[0]
    for attempt in 1...3 {
      keepRows()
      _ = try await evaluator.attempt(wallet, key)
      putBack(key)
      let answer = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(
        try answer.standing.attempts, min(lastRound + UInt64(2 * attempt - 1), 16))
    }
    let last = try await evaluator.attempt(wallet, key)
    XCTAssertTrue(try last.standing.isBlockedPermanently)
  }

  func testARowPutBackAgainAndAgainGivesOneLastRoundUntilTheRightPin() async throws {
    let wallet = TestWallet()
    var evaluator = try evaluator()
    let key = try await evaluator.adopted(wallet)
    keepRows()
    for attempt in 1...4 {
      // The oldest copy, while the evaluator runs and while it does not.
      _ = try await evaluator.attempt(wallet, key)
      putBack(keeping: true)
      if attempt.isMultiple(of: 2) { evaluator = try self.evaluator() }
      let answer = try await evaluator.attempt(wallet, key)
      XCTAssertEqual(
        try answer.standing.attempts, min(lastRound + UInt64(2 * attempt - 1), 16), "\(attempt)")
    }
    putBack(keeping: true)
    let blocked = try await evaluator.attempt(wallet, key)
    guard case .blocked(let standing) = blocked else { return XCTFail("\(blocked)") }
    XCTAssertTrue(standing.isBlockedPermanently)

    // The operator, and the right PIN, end it.
    let isUnblocked = try await evaluator.unblock(key: key)
    XCTAssertTrue(isUnblocked)
    let made = try await evaluator.begun(wallet, key)
    let right = try await evaluator.proven(wallet, made)
    XCTAssertEqual(try right.standing.attempts, 0)
    putBack()
    let anew = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try anew.standing.attempts, lastRound + 1)
  }

  func testTheRightPinEndsTheLastRound() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    keepRows()
    _ = try await evaluator.attempt(wallet, key)
    putBack()
    let made = try await evaluator.begun(wallet, key)
    let right = try await evaluator.proven(wallet, made)
    XCTAssertEqual(try right.standing.attempts, 0)
    let next = try await self.evaluator().attempt(wallet, key)
    XCTAssertEqual(try next.standing.attempts, 1)
    XCTAssertEqual(findings(), [.walletBehind])
  }
}
