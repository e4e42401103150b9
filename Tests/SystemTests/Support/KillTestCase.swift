import CWalletCore
import Foundation
import TestSupport
import XCTest

/// A provider, and devices whose process a test kills.
class KillTestCase: XCTestCase {
  let pin = "142032"
  let otherPin = "271828"
  private(set) var provider: TestProvider!
  private var document = Data()

  override func setUpWithError() throws {
    provider = try TestProvider()
    document = try provider.clientConfiguration()
  }

  override func tearDown() { provider = nil }

  /// Calls `body` with a wallet on a new device.
  func withDevice(_ body: (KillHost) throws -> Void) throws {
    let host = try KillHost(configuration: document)
    defer { host.remove() }
    try body(host)
  }

  /// The accounts at the provider: confirmed, pending.
  func counts() throws -> [Int] {
    let counts = try provider.control("/counts")
    return [counts["confirmed"] as? Int ?? -1, counts["pending"] as? Int ?? -1]
  }

  /// Checks that the start succeeded and that the wallet, if there is one, is locked.
  func assertNamedState(
    _ report: KillHost.Report, _ point: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(report.start, 0, "start after \(point)", file: file, line: line)
    XCTAssertEqual(report.look, 0, "has_registration after \(point)", file: file, line: line)
    XCTAssertTrue(report.isLocked, "locked after \(point)", file: file, line: line)
  }

  func kill(_ host: KillHost, at point: String, _ steps: KillHost.Step...) throws {
    XCTAssertTrue(try host.run(steps, killAt: point).isKilled, point)
  }

  /// Checks that a wipe succeeds and leaves neither wallet nor keys.
  func assertAWipeLeavesNothing(
    _ host: KillHost, after point: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    XCTAssertEqual(try host.run(.wipe).completions, [.done], point, file: file, line: line)
    XCTAssertEqual(try host.platformKeys(), [], "keys: \(point)", file: file, line: line)
    let left = try host.walletFiles()
    XCTAssertEqual(left, [], "files: \(point)", file: file, line: line)
    XCTAssertFalse(try host.run().isRegistered, point, file: file, line: line)
  }

  /// Leaves a wallet whose certificate is stored but not confirmed.
  func leaveUnconfirmed(_ host: KillHost) throws {
    try kill(host, at: "storage.register.complete.after-commit", .register(pin))
    XCTAssertEqual(try counts(), [0, 1])
  }
}
