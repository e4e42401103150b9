import Foundation
import WalletProvider
import XCTest

/// `check` of a provider with a PostgreSQL database.
final class PostgreSQLCheckTests: XCTestCase {
  private let data = NSTemporaryDirectory() + "provider-check-" + UUID().uuidString

  override func tearDown() { try? FileManager.default.removeItem(atPath: data) }

  private func run(_ command: [String], _ database: String, data: String) throws -> ProgramResult {
    try Program.run(
      Program.provider, command + ["--data", data],
      environment: ["WALLET_PROVIDER_DATABASE": database])
  }

  private func check(_ database: TestDatabase) throws -> ProgramResult {
    try run(["check", "--port", "0"], database.text, data: data)
  }

  private func assertWrong(
    _ expected: String, _ result: ProgramResult, line: UInt = #line
  ) {
    let wrong = result.output.split(separator: "\n").filter { $0.hasPrefix("wrong ") }
    XCTAssertEqual(result.status, 1, result.output, line: line)
    XCTAssertEqual(wrong.count, 1, result.output, line: line)
    XCTAssertTrue(wrong.first?.contains(expected) == true, result.output, line: line)
  }

  func testReportsTheTablesOwnerAndClockOfADatabase() throws {
    let database = try PostgreSQLServer.shared().makeDatabase()
    XCTAssertEqual(
      try run(["client-configuration"], database.text, data: data).status, 0)
    let good = try check(database)
    XCTAssertEqual(good.status, 0, good.output)
    XCTAssertTrue(good.output.contains("ok database: PostgreSQL "), good.output)
    XCTAssertTrue(good.output.contains("ok configuration: version 1"), good.output)

    let other = data + "-other"
    defer { try? FileManager.default.removeItem(atPath: other) }
    let elsewhere = try PostgreSQLServer.shared().makeDatabase()
    XCTAssertEqual(try run(["client-configuration"], elsewhere.text, data: other).status, 0)
    let stranger = try check(elsewhere)
    XCTAssertEqual(stranger.status, 1)
    XCTAssertTrue(
      stranger.output.contains("wrong database: it belongs to the provider "), stranger.output)

    try elsewhere.execute("INSERT INTO schema_version (version) VALUES (1000)")
    let newer = try run(["check", "--port", "0"], elsewhere.text, data: other)
    assertWrong("tables are of version 1000, this program knows", newer)

    try database.execute(
      "INSERT INTO provider_secret VALUES ('x', 'lostkey', '', 'lostkey', '')")
    assertWrong("rows need the sealing key lostkey", try check(database))
    try database.execute("DELETE FROM provider_secret")

    try database.fakeClock()
    try database.shiftClock(seconds: 3600)
    assertWrong("s from the clock of the database", try check(database))
  }

  func testNamesAnUnreachableDatabaseWithoutItsPassword() throws {
    XCTAssertEqual(
      try Program.run(Program.provider, ["client-configuration", "--data", data]).status, 0)
    let url = "postgresql://wallet:hunter2@127.0.0.1:1/none"
    let result = try run(["check", "--port", "0"], url, data: data)
    XCTAssertEqual(result.status, 1)
    XCTAssertTrue(result.output.contains("wrong database: "), result.output)
    XCTAssertFalse((result.output + result.errors).contains("hunter2"))
  }
}
