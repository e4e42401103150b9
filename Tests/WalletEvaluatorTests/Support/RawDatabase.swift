import CSQLite
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
}
