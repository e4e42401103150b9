import CWalletCore
import Foundation
import TestSupport
import XCTest

/// Kill -9 at every row of the chain of Support/Chain.swift: the next start is a cold start that
/// leads to the introduction, or to the unlock and beyond.
final class KillChainTests: XCTestCase {
  func testAKillAtEveryRowOfTheChainIsAColdStart() throws {
    let provider = try TestProvider()
    let document = try provider.clientConfiguration()
    let rows = try rows(provider, document)
    for point in Sample.of(rows, kind: { $0.components(separatedBy: " ")[0] }) {
      try provider.resetClock()
      let host = try KillHost(configuration: document)
      defer { host.remove() }
      XCTAssertTrue(
        try host.run(.walkChain(provider.control), killAt: "flow.\(point)").isKilled, point)
      // Ends a block that the chain may have caused.
      try provider.advanceClock(milliseconds: 60_000)
      let report = try host.run(.launchAndUnlock(Chain.pin))
      XCTAssertEqual(report.start, 0, point)
      XCTAssertTrue(report.isLocked, point)
      XCTAssertEqual(
        report.rows, report.isRegistered ? ["UC2.3 1.3", "UC3.1 2b"] : ["UC1.1 1.1"], point)
    }
  }

  /// The rows and cases that the undisturbed chain takes, each once, in their order.
  private func rows(_ provider: TestProvider, _ document: Data) throws -> [String] {
    let host = try KillHost(configuration: document)
    defer { host.remove() }
    let trace = try Scratch.directory("trace").appendingPathComponent("rows.txt")
    setenv("WALLET_CORE_TESTING_TRACE", trace.path, 1)
    defer { unsetenv("WALLET_CORE_TESTING_TRACE") }
    let report = try host.run(.walkChain(provider.control))
    XCTAssertFalse(report.isKilled)
    var seen: Set<String> = []
    let rows = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n").map(
      String.init
    )
    .filter { seen.insert($0).inserted }
    XCTAssertGreaterThan(rows.count, 40)
    return rows
  }
}
