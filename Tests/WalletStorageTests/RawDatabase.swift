import CSQLite
import XCTest

/// Runs SQL on a wallet.db from outside, as anyone with access to the file could.
func runSQL(_ sql: String, on path: String, line: UInt = #line) {
  var database: OpaquePointer?
  XCTAssertEqual(sqlite3_open(path, &database), SQLITE_OK, line: line)
  var message: UnsafeMutablePointer<CChar>?
  let status = sqlite3_exec(database, sql, nil, nil, &message)
  XCTAssertEqual(status, SQLITE_OK, message.map { String(cString: $0) } ?? "", line: line)
  sqlite3_free(message)
  sqlite3_close(database)
}
