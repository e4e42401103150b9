import WalletUseCases
import XCTest

/// Checks on the tables as data.
final class StructureTests: XCTestCase {
  func testRowsHaveDifferentNumbersInTheirTable() {
    for table in RuleBook.tables {
      XCTAssertEqual(Set(table.rows.map(\.number)).count, table.rows.count, table.title)
    }
  }
}
