import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// The chain of Support/Chain.swift, once undisturbed and once with an interruption at every step.
final class FlowChainTests: XCTestCase {
  private var provider: TestProvider!
  private var document = Data()

  override func setUpWithError() throws {
    provider = try TestProvider()
    document = try provider.clientConfiguration()
    wallet_core_testing_advance_clock(0)
  }

  override func tearDown() { provider = nil }

  private func advance(_ milliseconds: Int) throws {
    try provider.advanceClock(milliseconds: milliseconds)
  }

  /// Calls `body` with a wallet on a new device.
  private func withDevice(_ body: (FlowHost) throws -> Void) throws {
    // With clocks too far apart an identity proofing cannot begin.
    try provider.resetClock()
    let host = try TestHost(configuration: document)
    host.keys.hasBiometrics = true
    try host.start()
    defer { XCTAssertEqual(wallet_core_testing_reset_process(), 1) }
    try body(FlowHost(host))
  }

  func testTheChainAsAUserTakesIt() throws {
    try withDevice { flow in
      try Chain.walk(flow, provider: advance)
      XCTAssertFalse(flow.host.isRegistered)
      XCTAssertEqual(flow.host.keys.keyCount, 0)
    }
  }

  /// The row after a take-over at a step without a wallet: the same row, unless it had a PIN.
  private func restarted(_ row: String) -> String {
    row.hasPrefix("UC2.1") ? "UC2.1 1.1" : row
  }

  /// The row after the unlock that follows an interruption at `link`.
  private func resumed(_ link: Chain.Link) -> String {
    // An interrupted set-up goes on; otherwise the wallet needs a PID first.
    link.isUnlocked && link.row.hasPrefix("UC2.1") ? link.row : "UC3.1 2b"
  }

  /// Unlocks with the PIN, even if the chain has blocked it.
  private func unlock(_ flow: FlowHost, _ what: String) throws {
    flow.enter(Chain.pin)
    let step = try flow.next()
    guard step.row == "PF2.8 5.1" else { return }
    try advance(60_000)
    flow.advanceClock(60_000)
    try flow.expect("UC2.3 1.3")
    flow.enter(Chain.pin)
    try flow.next()
  }

  func testTheHostIsReboundAtEveryStepOfTheChain() throws {
    for (index, link) in Chain.links.enumerated() {
      let what = "rebound at link \(index), \(link.row)"
      try withDevice { flow in
        try Chain.walk(flow, index + 1, provider: advance)
        try flow.host.attach()
        XCTAssertTrue(flow.host.isLocked, what)
        guard link.isRegistered else {
          XCTAssertEqual(try flow.next().row, restarted(link.row), what)
          return
        }
        XCTAssertEqual(try flow.next().row, "UC2.3 1.3", what)
        if index == 18 {
          // The new engine is in the foreground, and the user chooses the PIN.
          flow.host.keys.prompts.expect(.refused(WALLET_CORE_BRIDGE_CANCELLED_BY_USER))
          flow.tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
          XCTAssertEqual(try flow.next().row, "UC2.3 1.3", what)
        }
        try unlock(flow, what)
        XCTAssertEqual(flow.step?.row, resumed(link), what)
        XCTAssertFalse(flow.host.isLocked, what)
      }
    }
  }

  func testTheProcessStartsAgainAfterEveryStepOfTheChain() throws {
    for (index, link) in Chain.links.enumerated() {
      let what = "started anew after link \(index), \(link.row)"
      try withDevice { flow in
        try Chain.walk(flow, index + 1, provider: advance)
        try flow.host.restart()
        // The user chooses the PIN.
        flow.host.keys.prompts.expect(.refused(WALLET_CORE_BRIDGE_CANCELLED_BY_USER))
        try flow.launch()
        guard link.isRegistered else {
          XCTAssertEqual(try flow.next().row, "UC1.1 1.1", what)
          return
        }
        XCTAssertEqual(try flow.next().row, "UC2.3 1.3", what)
        try unlock(flow, what)
        XCTAssertEqual(flow.step?.row, "UC3.1 2b", what)
        XCTAssertFalse(flow.host.isLocked, what)
      }
    }
  }
}
