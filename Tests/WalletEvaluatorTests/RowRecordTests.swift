import Foundation
import WalletAttempts
import WalletProtocol
import XCTest

@testable import WalletEvaluator

/// Rows that somebody puts back, with and without a restart of the evaluator.
final class RowRecordTests: EvaluatorTestCase {
  private func counts(
    _ evaluator: Evaluator, _ wallets: [(TestWallet, String)]
  ) async throws -> [UInt64] {
    var counts: [UInt64] = []
    for (wallet, key) in wallets { counts.append(try await evaluator.countNow(wallet, key)) }
    return counts
  }

  func testNothingIsFoundWhereNothingWasChanged() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    for round in 0..<3 {
      let evaluator = try evaluator()
      let counts = try await counts(evaluator, wallets)
      XCTAssertEqual(counts, [UInt64](repeating: UInt64(round), count: 3))
    }
    _ = try await first.answer(.delete(key: wallets[0].1))
    _ = try await first.opened(TestWallet())
    clock.advance(Evaluator.adoptionLife)
    // Deletes the row of the opening.
    _ = try await first.opened(TestWallet())
    _ = try evaluator()
    XCTAssertEqual(findings(), [])
  }

  func testARowPutBackWhileTheEvaluatorRunsBeginsInItsLastRound() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    keepRows()
    _ = try await counts(evaluator, wallets)
    // Not the newest change, which the record names.
    putBack(wallets[0].1)
    let counts = try await counts(evaluator, wallets)
    XCTAssertEqual(counts, [lastRound, 1, 1])
    XCTAssertEqual(findings(), [.walletBehind])
    let next = try self.evaluator()
    let later = try await self.counts(next, wallets)
    XCTAssertEqual(later, [lastRound + 1, 2, 2])
    XCTAssertEqual(findings(), [])
  }

  func testAProofThatCameBeforeTheRowWasPutBackIsNotAcceptedAgain() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let made = try await evaluator.begun(wallet, key)
    let message = try wallet.message(evaluation: made.half.evaluation, blinded: made.blinded)
    keepRows()
    let first = try await evaluator.answer(.prove(key: key, message: message))
    XCTAssertEqual(try first.standing.attempts, 0)
    for _ in 1...3 { _ = try await evaluator.attempt(wallet, key) }
    try await moveOn(evaluator)
    putBack(key)
    let again = try await evaluator.answer(.prove(key: key, message: message))
    XCTAssertEqual(again, .refused)
    let answer = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, lastRound + 1)
  }

  func testARowPutBackBetweenTwoStartsIsFoundAndEveryWalletBeginsInItsLastRound() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    keepRows()
    _ = try await counts(first, wallets)
    putBack(wallets[0].1)
    let second = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    let counts = try await counts(second, wallets)
    XCTAssertEqual(counts, [lastRound, lastRound, lastRound])
    let third = try evaluator()
    let later = try await self.counts(third, wallets)
    XCTAssertEqual(later, [lastRound + 1, lastRound + 1, lastRound + 1])
    XCTAssertEqual(findings(), [])
  }

  func testARestoredDatabaseIsFound() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    keepRows()
    for _ in 1...2 { _ = try await counts(first, wallets) }
    putBack()
    let second = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    let counts = try await counts(second, wallets)
    XCTAssertEqual(counts, [lastRound, lastRound, lastRound])
  }

  func testADatabaseRestoredWithItsRecordCannotBeTold() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    keepRows()
    let former = try Data(contentsOf: URL(filePath: record))
    _ = try await counts(first, wallets)
    putBack()
    // The running evaluator sees it.
    try former.write(to: URL(filePath: record))
    let second = try evaluator()
    XCTAssertEqual(findings(), [])
    let counts = try await counts(second, wallets)
    XCTAssertEqual(counts, [0, 0, 0])
  }

  func testARecordPutBackWhileTheEvaluatorRunsIsFound() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    keepRows()
    let former = try Data(contentsOf: URL(filePath: record))
    _ = try await counts(evaluator, wallets)
    putBack()
    try former.write(to: URL(filePath: record))
    let counts = try await counts(evaluator, wallets)
    XCTAssertEqual(counts, [lastRound, lastRound, lastRound])
    XCTAssertEqual(findings(), [.databaseReplaced])
  }

  func testARecordPutBackAloneTakesNoAttemptBack() async throws {
    let first = try evaluator()
    let (wallet, key) = try await wallets(first)[0]
    _ = try await first.attempt(wallet, key)
    let former = try Data(contentsOf: URL(filePath: record))
    for _ in 1...2 { _ = try await first.attempt(wallet, key) }
    try former.write(to: URL(filePath: record))
    let count = try await self.evaluator().countNow(wallet, key)
    XCTAssertEqual(count, lastRound)
    XCTAssertEqual(findings(), [.walletBehind])
  }

  func testAMissingOrForeignRecordIsFound() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    try FileManager.default.removeItem(atPath: record)
    let second = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    let counts = try await counts(second, wallets)
    XCTAssertEqual(counts, [lastRound, lastRound, lastRound])
    try Data("not a record".utf8).write(to: URL(filePath: record))
    _ = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    // Also while it runs.
    try FileManager.default.removeItem(atPath: record)
    _ = try await second.attempt(wallets[0].0, wallets[0].1)
    XCTAssertEqual(findings(), [.databaseReplaced])
  }

  func testACrashBetweenRecordAndCommitIsFeltByNobody() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    _ = try await counts(first, wallets)
    keepRows()
    _ = try await first.attempt(wallets[1].0, wallets[1].1)
    // As if the last commit had not happened.
    putBack()
    let second = try evaluator()
    XCTAssertEqual(findings(), [])
    let counts = try await counts(second, wallets)
    XCTAssertEqual(counts, [1, 2, 1], "and counted once")
    _ = try evaluator()
    XCTAssertEqual(findings(), [])
  }

  func testACrashBeforeAnOpeningIsCommittedLeavesNothing() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    keepRows()
    _ = try await first.opened(TestWallet())
    putBack()
    let second = try evaluator()
    XCTAssertEqual(findings(), [])
    let counts = try await counts(second, wallets)
    XCTAssertEqual(counts, [0, 0, 0])
  }

  func testADeletedRowIsMissedAndPutBackInItsLastRound() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    let (wallet, key) = wallets[0]
    keepRows()
    _ = try await first.answer(.delete(key: key))
    // Another change after it, so that the record no longer names it.
    _ = try await first.attempt(wallets[1].0, wallets[1].1)
    putBack(key)
    let back = try await first.attempt(wallet, key)
    XCTAssertEqual(try back.standing.attempts, lastRound + 1)
    XCTAssertEqual(findings(), [.walletBehind])
    runSQL("DELETE FROM evaluated_wallet WHERE key = '\(wallets[2].1)'")
    let second = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    let unknown = try await second.attempt(wallets[2].0, wallets[2].1)
    XCTAssertEqual(unknown, .unknownKey)
  }

  func testARowThatWasDeletedBeforeTheStartIsNotTakenBack() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    let (wallet, key) = wallets[0]
    keepRows()
    _ = try await first.answer(.delete(key: key))
    _ = try await first.attempt(wallets[1].0, wallets[1].1)
    let second = try evaluator()
    putBack(key)
    let back = try await second.attempt(wallet, key)
    XCTAssertEqual(try back.standing.attempts, lastRound + 1)
    XCTAssertEqual(findings(), [.walletBehind])
  }

  func testADeletedRowDoesNotMakeUpForAnOlderOne() async throws {
    let first = try evaluator()
    let wallets = try await wallets(first)
    keepRows()
    // The versions of both rows add up to the same number afterwards.
    _ = try await first.answer(.delete(key: wallets[0].1))
    _ = try await first.attempt(wallets[1].0, wallets[1].1)
    _ = try await first.attempt(wallets[1].0, wallets[1].1)
    _ = try await first.attempt(wallets[2].0, wallets[2].1)
    putBack()
    runSQL("DELETE FROM evaluated_wallet WHERE key = '\(wallets[2].1)'")
    _ = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
  }

  /// The marks of a row that is there twice cancel each other out.
  func testRowsThatAreThereTwiceDoNotHideAnOlderOne() async throws {
    let first = try evaluator()
    let (wallet, key) = try await wallets(first)[0]
    _ = try await first.attempt(wallet, key)
    runSQL("CREATE TABLE older AS SELECT * FROM evaluated_wallet WHERE key = '\(key)'")
    for _ in 1...2 { _ = try await first.attempt(wallet, key) }
    try await moveOn(first)
    runSQL(
      """
      CREATE TABLE loose AS SELECT * FROM older UNION ALL SELECT * FROM older
        UNION ALL SELECT * FROM evaluated_wallet;
      DROP TABLE evaluated_wallet;
      ALTER TABLE loose RENAME TO evaluated_wallet;
      """)
    let second = try evaluator()
    XCTAssertEqual(findings(), [.databaseReplaced])
    do {
      _ = try await second.attempt(wallet, key)
      XCTFail("several rows")
    } catch is EvaluatorFailure {}
    runSQL(
      """
      DELETE FROM evaluated_wallet WHERE key = '\(key)';
      INSERT INTO evaluated_wallet SELECT * FROM older
      """)
    let count = try await second.attempt(wallet, key).standing.attempts
    XCTAssertGreaterThan(count, lastRound)
  }

  /// Otherwise the row of a change that was not committed could pass for the one that was.
  func testAChangeThatIsMadeAnewHasAnotherVersion() async throws {
    let evaluator = try evaluator()
    let (wallet, key) = try await wallets(evaluator)[0]
    let former = try Data(contentsOf: URL(filePath: record))
    keepRows()
    _ = try await evaluator.attempt(wallet, key)
    runSQL("CREATE TABLE seen AS SELECT * FROM evaluated_wallet WHERE key = '\(key)'")
    putBack()
    try former.write(to: URL(filePath: record))
    let second = try self.evaluator()
    XCTAssertEqual(findings(), [])
    _ = try await second.attempt(wallet, key)
    try await moveOn(second)
    runSQL(
      """
      DELETE FROM evaluated_wallet WHERE key = '\(key)';
      INSERT INTO evaluated_wallet SELECT * FROM seen
      """)
    let count = try await second.attempt(wallet, key).standing.attempts
    XCTAssertGreaterThan(count, lastRound)
    XCTAssertEqual(findings(), [.walletBehind])
  }

  func testARowWithAForgedExpiryIsNotForgotten() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    let (wallet, key) = wallets[0]
    keepRows()
    runSQL("UPDATE evaluated_wallet SET expires_at = 1 WHERE key = '\(key)'")
    _ = try await evaluator.opened(TestWallet())
    let unknown = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(unknown, .unknownKey)
    try await moveOn(evaluator)
    putBack(key)
    let back = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try back.standing.attempts, lastRound + 1)
  }

  func testAnOperatorUnblocks() async throws {
    let evaluator = try evaluator(
      policy: try AttemptPolicy(rounds: 1, attemptsPerRound: 2, blockDurations: []))
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    for _ in 1...2 { _ = try await evaluator.attempt(wallet, key) }
    let blocked = try await evaluator.attempt(wallet, key)
    XCTAssertTrue(try blocked.standing.isBlockedPermanently)
    let isKnown = try await evaluator.unblock(key: "unknown")
    XCTAssertFalse(isKnown)
    let isDone = try await evaluator.unblock(key: key)
    XCTAssertTrue(isDone)
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 0)
  }

  /// Processes may share a directory, and what one finds in a transaction that fails is found again.
  func testARowPutBackIsFoundAlsoAfterATransactionThatFailed() async throws {
    let (first, second) = (try evaluator(), try evaluator())
    let wallets = try await wallets(first)
    let ((wallet, key), (other, otherKey)) = (wallets[0], wallets[1])
    keepRows()
    _ = try await first.attempt(wallet, key)
    try await moveOn(second)
    try await moveOn(second)
    putBack(key)
    runSQL("UPDATE evaluated_wallet SET content = x'00' WHERE key = '\(otherKey)'")
    do {
      _ = try await first.attempt(other, otherKey)
      XCTFail("a row that the evaluator did not write was used")
    } catch is EvaluatorFailure {}
    let answer = try await first.attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, lastRound + 1)
    XCTAssertEqual(findings(), [.databaseReplaced])
  }

  /// The database and the record of one earlier moment are put back under a running process.
  func testAnEarlierRecordIsRefusedAlsoAfterATransactionThatFailed() async throws {
    let evaluator = try evaluator()
    let wallets = try await wallets(evaluator)
    let ((wallet, key), (other, otherKey)) = (wallets[0], wallets[1])
    keepRows()
    let former = try Data(contentsOf: URL(filePath: record))
    for _ in 1...3 { _ = try await evaluator.attempt(wallet, key) }
    putBack()
    try former.write(to: URL(filePath: record))
    runSQL("UPDATE evaluated_wallet SET content = x'00' WHERE key = '\(otherKey)'")
    do {
      _ = try await evaluator.attempt(other, otherKey)
      XCTFail("a row that the evaluator did not write was used")
    } catch is EvaluatorFailure {}
    let answer = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(try answer.standing.attempts, lastRound + 1)
    XCTAssertEqual(findings(), [.databaseReplaced])
  }
}
