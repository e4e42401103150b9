import CSQLite
import ServerTestSupport
import WalletEvaluator
import XCTest

extension EvaluatorTestCase {
  /// Runs SQL on the database from outside, as anyone with access to the file could.
  func runSQL(_ sql: String, line: UInt = #line) {
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open(self.database, &database), SQLITE_OK, line: line)
    sqlite3_busy_timeout(database, 10_000)
    var message: UnsafeMutablePointer<CChar>?
    let status = sqlite3_exec(database, sql, nil, nil, &message)
    XCTAssertEqual(status, SQLITE_OK, message.map { String(cString: $0) } ?? "", line: line)
    sqlite3_free(message)
    sqlite3_close(database)
  }

  /// Keeps a copy of all rows.
  func keepRows() { runSQL("CREATE TABLE former AS SELECT * FROM evaluated_wallet") }

  /// Puts the row of this key back, or all rows.
  func putBack(_ key: String? = nil) {
    let condition = key.map { "WHERE key = '\($0)'" } ?? ""
    runSQL(
      """
      DELETE FROM evaluated_wallet \(condition);
      INSERT INTO evaluated_wallet SELECT * FROM former
        \(condition);
      DROP TABLE former;
      """)
  }

  /// Changes another row, so that the record no longer has the last change of any other.
  func moveOn(_ evaluator: Evaluator) async throws { _ = try await evaluator.opened(TestWallet()) }

  /// Makes three wallets with a PIN key each.
  func wallets(_ evaluator: Evaluator) async throws -> [(TestWallet, String)] {
    var wallets: [(TestWallet, String)] = []
    for _ in 1...3 {
      let wallet = TestWallet(.makeEd25519())
      wallets.append((wallet, try await evaluator.adopted(wallet)))
    }
    return wallets
  }

  /// The standard policy has four rounds of four.
  var lastRound: UInt64 { 12 }
}
