import CWalletCore
import CWalletCoreTesting
import TestSupport
import XCTest

/// Two wallets of one account, on two devices in turn: the one that is proofed, and another one that
/// would take its place with a new code.
final class ReplacementSystemTests: ProofingTestCase {
  private static let day = 24 * 3_600_000
  private var holder: TestProvider.Account!
  private var owner: FlowHost!
  private var other: FlowHost!

  /// Leads to a proofed wallet, and to another one at UC3.1 10c, which is shown.
  private func makeBoth() throws {
    holder = try account()
    owner = flow
    try flow.obtainPID(applicant, holder.link)
    let code = try provider.newCode(for: holder)
    try newWallet()
    other = flow
    try flow.claim(code.link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 10c")
  }

  /// Continues on the other device, whose app was ended.
  private func turn(to device: FlowHost, row: String, line: UInt = #line) throws {
    flow = device
    try device.host.restart()
    try device.launch()
    try unlock(to: row, line: line)
  }

  private func restartProvider(replacementSeconds: Int) throws {
    provider.settings["replacement-seconds"] = "\(replacementSeconds)"
    try restartProvider()
  }

  private func decide(_ action: String, _ row: String) throws {
    flow.choose(action)
    try flow.expect(row)
    flow.enter(pin)
    try flow.expect("UC7.1 1.1")
  }

  private func assertHasPID(_ hasPID: Bool, line: UInt = #line) throws {
    XCTAssertEqual(try flow.host.cards().get().isEmpty, !hasPID, line: line)
  }

  func testAThiefWithALeakedCodeGetsNoPIDAndIsDeclinedByTheOwner() throws {
    try makeBoth()
    XCTAssertEqual(flow.step?.actions, ["try-again", "exit"])
    let wait = try XCTUnwrap(flow.number("retry_after_ms"))
    XCTAssertTrue((1...Int64(Self.day)).contains(wait), "\(wait)")
    // Neither asking again nor a start of wallet or provider shortens the wait.
    flow.choose("try-again")
    try flow.expect("UC3.1 10c")
    try restartProvider()
    try turn(to: other, row: "UC3.1 10c")
    try assertHasPID(false)
    XCTAssertTrue(try provider.show(holder).contains("replacement: waits until"))
    // The owner is told with the next unlock, has the card still, and refuses.
    try turn(to: owner, row: "UC7.1 4.1")
    let told = try XCTUnwrap(flow.number("takes_effect_in_ms"))
    XCTAssertTrue((1...Int64(Self.day)).contains(told), "\(told)")
    try assertHasPID(true)
    try decide("refuse", "UC7.1 4.2")
    XCTAssertEqual(flow.step?.notices, ["replacement-refused"])
    XCTAssertFalse(flow.step?.actions.contains("replacement") ?? true)
    let shown = try provider.show(holder)
    XCTAssertTrue(shown.contains("replacement refused: "), shown)
    XCTAssertFalse(shown.contains("replacement: "), shown)
    // The thief is declined.
    try turn(to: other, row: "UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "proof.declined")
    try assertHasPID(false)
    try turn(to: owner, row: "UC7.1 1.1")
    try assertHasPID(true)
  }

  func testAnOwnerWithBothPhonesAllowsItAndTheNewWalletNeedsNotWait() throws {
    try makeBoth()
    try turn(to: owner, row: "UC7.1 4.1")
    try decide("allow", "UC7.1 4.4")
    XCTAssertEqual(flow.step?.notices, ["replacement-allowed"])
    try turn(to: other, row: "UC3.1 11")
    try assertHasPID(true)
    // The replaced wallet finds out with its next PIN.
    flow = owner
    try owner.host.restart()
    try owner.launch()
    try owner.expect("UC2.3 1.3")
    owner.enter(pin)
    XCTAssertEqual(try owner.next().name, "generic")
    XCTAssertEqual(flow.text("status_name"), "ACCOUNT_DIVERGED")
  }

  func testTheNewWalletGetsItsPIDAfterTheWait() throws {
    try restartProvider(replacementSeconds: 60)
    try makeBoth()
    try provider.advanceClock(milliseconds: 60_000)
    flow.advanceClock(60_000)
    try flow.expect("UC3.1 11")
    try assertHasPID(true)
  }

  func testADecisionWhoseAnswerIsLostIsMadeOnce() throws {
    try makeBoth()
    try turn(to: owner, row: "UC7.1 4.1")
    try provider.control(
      "/faults",
      ["kind": "crash_after_commit", "path": path("decide_replacement")])
    flow.choose("refuse")
    try flow.expect("UC7.1 4.2")
    flow.enter(pin)
    // The provider has died with the answer.
    XCTAssertEqual(try flow.next().name, "server-unreachable")
    try restartProvider()
    try turn(to: owner, row: "UC7.1 1.1")
    try turn(to: other, row: "UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "proof.declined")
  }

  func testADemonstrationMayReplaceAWalletAtOnce() throws {
    try restartProvider(replacementSeconds: 0)
    holder = try account()
    try flow.obtainPID(applicant, holder.link)
    let code = try provider.newCode(for: holder)
    try newWallet()
    try flow.claim(code.link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 11")
  }
}
