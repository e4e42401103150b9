import CWalletCore
import CWalletCoreTesting
import TestSupport
import XCTest

/// The log at DEBUG says why a request failed, and has no secret.
final class DebugLogTests: MiddleTestCase {
  private let log = HostLog()
  private let offline = Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
  private let debug = "4 "

  override func setUpWithError() throws {
    try super.setUpWithError()
    host.log = log
    try host.start()
    try register()
  }

  override func tearDown() {
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    super.tearDown()
  }

  /// Waits for a line, because the log has a thread of its own.
  private func assertLine(_ line: String, _ testLine: UInt = #line) {
    XCTAssertTrue(
      eventually { log.lines.split(separator: "\n").contains { $0 == debug + line } },
      "no line: \(line)\n\(log.lines)", line: testLine)
  }

  private func assertNoSecret(_ pins: [String], line: UInt = #line) {
    let lines = log.lines
    XCTAssertEqual(SecretSearch(pins).found(in: lines), [], line: line)
    let identifiers = host.keys.signingKeys("").union(host.keys.encryptionKeys("").keys)
    XCTAssertFalse(identifiers.isEmpty, line: line)
    for identifier in identifiers { XCTAssertFalse(lines.contains(identifier), line: line) }
    XCTAssertFalse(lines.contains("not now"), "the host's text", line: line)
  }

  func testAnUnlockThatFailedOfflineHasALine() throws {
    wallet_core_testing_set_network_fault(offline, -1)
    XCTAssertEqual(
      try host.unlock("142032").status, WALLET_CORE_ERROR_NO_INTERNET)
    assertLine("requests: unlock ended with NO_INTERNET.")
    assertNoSecret(["142032"])
  }

  func testAnUnlockOfTheFlowsThatFailedOfflineHasALine() throws {
    let flows = FlowHost(host)
    try flows.launch()
    try flows.expect("UC2.3 1.3")
    wallet_core_testing_set_network_fault(offline, -1)
    flows.enter("142032")
    assertLine("flows: validate-pin ended with NO_INTERNET.")
    assertNoSecret(["142032"])
  }

  func testAWrongPinHasALineWithTheAttemptsThatAreLeft() throws {
    XCTAssertEqual(try host.unlock("135790"), .wrong(3))
    assertLine("account: The provider refused the PIN; attempts left: 3.")
    XCTAssertEqual(try host.checkPin("135790"), .wrong(2))
    assertLine("account: The provider refused the PIN; attempts left: 2.")
    XCTAssertEqual(try host.unlock("135790"), .wrong(1))
    XCTAssertEqual(try host.unlock("135790"), .blocked(60_000))
    assertLine("account: The provider refused the PIN and accepts none for 60000 ms.")
    assertNoSecret(["142032", "135790"])
  }

  func testABridgeCallThatFailsHasALine() throws {
    for (status, name) in [
      (WALLET_CORE_BRIDGE_UNAVAILABLE, "UNAVAILABLE"),
      (WALLET_CORE_BRIDGE_HOST_LAST, "the host's code -1000"),
    ] {
      host.keys.refuseSigning(with: "wallet_core.signing.", status)
      XCTAssertNotEqual(try host.unlock("142032").status, 0)
      assertLine("bridges: signing_key_bridge.sign failed: \(name).")
    }
    assertNoSecret(["142032"])
  }
}
