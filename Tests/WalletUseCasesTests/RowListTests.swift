import Foundation
import WalletUseCases
import XCTest

/// Tests/Scenarios/rows.txt names every row and case, for the coverage of the scenarios.
final class RowListTests: XCTestCase {
  private var file: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scenarios/rows.txt")
  }

  func testTheListOfRowsAndCasesMatchesTheTables() throws {
    let rows = UseCaseTables.tables.flatMap { table in
      table.rows.flatMap { row in
        row.cases.map { "\(RowID(table.useCase, row.number))\($0.letter)" }
      }
    }
    let text = rows.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["WALLET_CORE_WRITE_FLOWS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    XCTAssertEqual(try? String(contentsOf: file, encoding: .utf8), text, "run `make flows`")
  }
}
