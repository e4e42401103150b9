import ServerTestSupport
import WalletAttempts
import WalletProtocol
import XCTest

@testable import WalletEvaluator

/// An attacker who writes to the database past the evaluator. He has the evaluator's own rows to
/// copy from, and no key.
final class DatabaseWriterTests: EvaluatorTestCase {
  /// Runs `attack`, checks that an attempt with the key then fails, and puts the rows back.
  private func assertRefused(
    _ attack: String, _ evaluator: Evaluator, _ wallet: TestWallet, _ key: String,
    line: UInt = #line
  ) async throws {
    runSQL("CREATE TABLE former AS SELECT * FROM evaluated_wallet")
    runSQL(attack)
    do {
      let answer = try await evaluator.attempt(wallet, key)
      XCTFail("\(attack): \(answer)", line: line)
    } catch is EvaluatorFailure {}
    runSQL(
      """
      DELETE FROM evaluated_wallet;
      INSERT INTO evaluated_wallet SELECT * FROM former;
      DROP TABLE former;
      """)
  }

  func testARowThatWasChangedIsRefused() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    _ = try await evaluator.attempt(wallet, key)
    // The last change of all would be made again.
    _ = try await evaluator.opened(TestWallet())
    for change in [
      "pending_key = 'x'", "expires_at = 2000000000000", "version = version + 1",
      "version = version - 1", "content = x'00'", "content = zeroblob(length(content))",
      "content = substr(content, 2)", "id = 'x'",
    ] {
      try await assertRefused(
        "UPDATE evaluated_wallet SET \(change) WHERE key = '\(key)'", evaluator, wallet, key)
    }
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 1)
  }

  func testRowsOfTwoWalletsDoNotChangePlaces() async throws {
    let evaluator = try evaluator()
    let (wallet, other) = (TestWallet(), TestWallet())
    let (key, others) = (try await evaluator.adopted(wallet), try await evaluator.adopted(other))
    _ = try await evaluator.attempt(wallet, key)
    _ = try await evaluator.attempt(other, others)
    for columns in ["content", "content, version"] {
      try await assertRefused(
        """
        UPDATE evaluated_wallet SET (\(columns)) =
          (SELECT \(columns) FROM evaluated_wallet WHERE key = '\(others)') WHERE key = '\(key)'
        """, evaluator, wallet, key)
    }
    // The other wallet's row under the name of the key.
    try await assertRefused(
      """
      DELETE FROM evaluated_wallet WHERE key = '\(key)';
      UPDATE evaluated_wallet SET key = '\(key)' WHERE key = '\(others)';
      """, evaluator, wallet, key)
    let count = try await evaluator.countNow(wallet, key)
    XCTAssertEqual(count, 1)
  }

  func testARowOfAnotherEvaluatorIsRefused() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    let strange = try XCTUnwrap(
      EvaluatorKeys(secrets: [[UInt8](repeating: 7, count: 32)]))
    let row = EvaluatedWallet(
      id: "x", audience: "provider", hardwareKey: wallet.hardware.der, sequence: 0,
      attempts: .init(),
      current: EvaluatedKey(
        id: key, half: [], openedAt: 0, opening: "", blinded: [], grantKey: "key", publicKey: nil),
      generation: "")
    let content = try SealedWallet(row, keys: strange).content
    let hex = content.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try await assertRefused(
      "UPDATE evaluated_wallet SET id = 'x', version = 1, content = x'\(hex)'", evaluator, wallet,
      key)
  }

  func testARowSealedByAFormerKeyOpensAndIsSealedAnew() async throws {
    let wallet = TestWallet()
    let key = try await evaluator().adopted(wallet)
    let keys = try XCTUnwrap(
      EvaluatorKeys(secrets: [[UInt8](repeating: 7, count: 32), secret]))
    let rotated = try evaluator(keys: keys)
    XCTAssertEqual(rotated.grantKeys.count, 2)
    let first = try await rotated.attempt(wallet, key)
    XCTAssertEqual(try first.standing.attempts, 1)
    // The former key no longer opens what the current one sealed.
    do {
      let answer = try await evaluator().attempt(wallet, key)
      XCTFail("\(answer)")
    } catch is EvaluatorFailure {}
  }

  func testNumbersAndTypesThatNobodyWroteEndNothing() async throws {
    let evaluator = try evaluator()
    let wallet = TestWallet()
    let key = try await evaluator.adopted(wallet)
    runSQL("UPDATE evaluated_wallet SET version = \(Int64.max), expires_at = 1")
    _ = try await evaluator.opened(TestWallet())
    let gone = try await evaluator.attempt(wallet, key)
    XCTAssertEqual(gone, .unknownKey)
    runSQL(
      """
      DROP TABLE evaluated_wallet;
      CREATE TABLE evaluated_wallet(key, pending_key, opened_by, expires_at, version, content, id);
      INSERT INTO evaluated_wallet VALUES ('\(key)', NULL, NULL, 'x', NULL, 7, NULL);
      """)
    do {
      _ = try await evaluator.attempt(wallet, key)
      XCTFail("answered")
    } catch { XCTAssertTrue(error is EvaluatorFailure, "\(error)") }
    XCTAssertThrowsError(try self.evaluator()) { XCTAssertTrue($0 is EvaluatorFailure, "\($0)") }
  }
}
