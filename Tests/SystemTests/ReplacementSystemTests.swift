import CWalletCore
import CWalletCoreTesting
import TestSupport
import WalletProtocol
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
    try turn(to: other, row: "UC3.1 9c")
    flow.enter(pin)
    try flow.expect("UC3.1 11")
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
    try flow.expectPID()
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
    try flow.expectPID()
  }

  // MARK: Hosts with their own screens

  /// Continues on the proofed device, whose app was ended and shows its own screens.
  private func turnToOwnScreens() throws -> TestHost {
    try owner.host.restart()
    return owner.host
  }

  private func assertTells(
    _ completion: Completion, _ expected: Completion, line: UInt = #line
  ) {
    XCTAssertEqual(completion, expected, line: line)
    XCTAssertNotEqual(completion.replacementSession, "", "it is told", line: line)
    XCTAssertTrue(
      (1...Int64(Self.day)).contains(completion.takesEffectIn), "\(completion.takesEffectIn)",
      line: line)
  }

  private func assertTellsNothing(
    _ completion: Completion, _ expected: Completion, line: UInt = #line
  ) {
    XCTAssertEqual(completion, expected, line: line)
    XCTAssertEqual(completion.replacementSession, "", line: line)
    XCTAssertEqual(completion.takesEffectIn, 0, line: line)
  }

  /// Checks whether the other wallet still waits.
  private func assertWaits(_ waits: Bool, line: UInt = #line) throws {
    let shown = try provider.show(holder)
    XCTAssertEqual(shown.contains("replacement: waits until"), waits, shown, line: line)
  }

  func testEachAnswerAboutThePinTellsAHostWithItsOwnScreens() throws {
    try makeBoth()
    let host = try turnToOwnScreens()
    assertTells(try host.pinState(), .notBlocked(4))
    assertTells(try host.unlock(pin), .valid)
    assertTells(try host.checkPin("142033"), .wrong(3))
    assertTells(try host.checkPin(pin), .valid)
    assertTells(try host.changePin(pin, to: "271828"), .valid)
    assertTells(try host.enableBiometrics("271828"), .valid)
    let told = try host.checkPin("271828")
    assertTells(try host.decide(WALLET_CORE_REPLACEMENT_ALLOW, on: "no-such", "271828"), .valid)
    // It counts down, by the provider's clock.
    try provider.advanceClock(milliseconds: 3_600_000)
    let later = try host.pinState()
    XCTAssertEqual(later.replacementSession, told.replacementSession)
    XCTAssertLessThanOrEqual(later.takesEffectIn, told.takesEffectIn - 3_600_000)
    try assertWaits(true)
  }

  func testAnUnlockByBiometricsTellsWhatIsKnownAndTheNextQuestionTheRest() throws {
    try newWallet()
    holder = try account()
    owner = flow
    try flow.obtainPID(applicant, holder.link)
    assertTellsNothing(try owner.host.enableBiometrics(pin), .valid)
    let code = try provider.newCode(for: holder)
    try newWallet()
    try flow.claim(code.link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 10c")

    let host = try turnToOwnScreens()
    // No provider was asked yet in this process.
    assertTellsNothing(try host.unlockWithBiometrics(), .done)
    assertTells(try host.pinState(), .notBlocked(4))
    lock()
    assertTells(try host.unlockWithBiometrics(), .done)
    wallet_core_testing_advance_clock(Int64(Self.day))
    let last = try host.unlockWithBiometrics()
    XCTAssertNotEqual(last.replacementSession, "")
    XCTAssertEqual(last.takesEffectIn, 0, "the time is over, whatever the provider will say")
  }

  func testAnOwnerRefusesWithoutTheFlows() throws {
    try makeBoth()
    let host = try turnToOwnScreens()
    let session = try host.unlock(pin).replacementSession
    assertTells(
      try host.decide(WALLET_CORE_REPLACEMENT_REFUSE, on: session, "142033"), .wrong(3))
    try assertWaits(true)
    // Whichever replacement is named, each that waits is refused.
    let refused = try host.decide(WALLET_CORE_REPLACEMENT_REFUSE, on: session + "x", pin)
    assertTellsNothing(refused, .valid)
    XCTAssertTrue(try provider.show(holder).contains("replacement refused: "))
    assertTellsNothing(try host.pinState(), .notBlocked(4))
    // A decision on what has ended has no effect.
    assertTellsNothing(try host.decide(WALLET_CORE_REPLACEMENT_ALLOW, on: session, pin), .valid)
    XCTAssertEqual(try host.cards().get().count, 1)
    try turn(to: other, row: "UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "proof.declined")
    try assertHasPID(false)
  }

  func testAnOwnerAllowsWithoutTheFlows() throws {
    try makeBoth()
    let host = try turnToOwnScreens()
    let session = try host.unlock(pin).replacementSession
    // Only the replacement that was shown is decided on.
    assertTells(try host.decide(WALLET_CORE_REPLACEMENT_ALLOW, on: session + "x", pin), .valid)
    try assertWaits(true)
    assertTellsNothing(try host.decide(WALLET_CORE_REPLACEMENT_ALLOW, on: session, pin), .valid)
    try turn(to: other, row: "UC3.1 9c")
    flow.enter(pin)
    try flow.expect("UC3.1 11")
    try assertHasPID(true)
    try owner.host.restart()
    XCTAssertEqual(
      try owner.host.pinState().status, WALLET_CORE_ERROR_ACCOUNT_DIVERGED)
  }

  func testADecisionPassesTheGate() throws {
    try makeBoth()
    let host = try turnToOwnScreens()
    let session = try host.pinState().replacementSession
    func status() throws -> wallet_core_status {
      try host.decide(WALLET_CORE_REPLACEMENT_REFUSE, on: session, pin).status
    }
    let path = path("decide_replacement")
    XCTAssertEqual(try status(), WALLET_CORE_ERROR_LOCKED)
    // A lock before the PIN is sent.
    assertTells(try host.unlock(pin), .valid)
    let held = HeldAnswer(Route.instruction(.challenge))
    middle.answer(with: held.rewrite)
    let decide: TestHost.PinRequest = { client, bytes, length, request, error in
      wallet_core_decide_replacement(
        client, session, WALLET_CORE_REPLACEMENT_REFUSE, bytes, length, request, error)
    }
    let request = try host.begin(decide, pin)
    try held.waitUntilHeld()
    lock()
    held.letGo()
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_LOCKED)
    middle.answer(with: nil)
    XCTAssertNil(middle.latest(path))
    try assertWaits(true)
    // The last attempt of a round locks.
    assertTells(try host.unlock(pin), .valid)
    for _ in 1...3 {
      _ = try host.decide(WALLET_CORE_REPLACEMENT_REFUSE, on: session, "142033")
    }
    let blocked = try host.decide(WALLET_CORE_REPLACEMENT_REFUSE, on: session, "142033")
    assertTells(blocked, .blocked(60_000))
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try status(), WALLET_CORE_ERROR_LOCKED)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try status(), WALLET_CORE_ERROR_NOT_REGISTERED)
    // What was known is forgotten with the wallet.
    XCTAssertEqual(try host.register(pin), .done)
    assertTellsNothing(try host.checkPin(pin), .valid)
    try provider.control("/update-policy", ["rules": [["grade": "block"]]])
    XCTAssertEqual(try host.refresh(), .done)
    XCTAssertEqual(try status(), WALLET_CORE_ERROR_VERSION_BLOCKED)
  }
}
