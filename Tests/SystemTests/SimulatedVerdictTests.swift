import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Slow decisions, refusals, issuing sources that do not answer, and spent attempts, with a real
/// provider.
final class SimulatedVerdictTests: ProofingTestCase {
  /// Lets the core ask for the decision until it gives up.
  private func waitForPatienceToEnd(since awaitedSoFar: Int64, line: UInt = #line) throws {
    let told = pass("flow.UC3.1 9bd")
    var awaited = awaitedSoFar
    while pass("flow.UC3.1 9bd") == told {
      // The core has set its timer, or given up. An earlier advance would only move the timer.
      let goesOn = eventually {
        pass("proofing.decision-awaited") > awaited || pass("flow.UC3.1 9bd") > told
      }
      guard goesOn else { throw TestFailure("The core does not ask again (line \(line)).") }
      awaited = pass("proofing.decision-awaited")
      flow.advanceClock(5_000)
    }
    try flow.expect("UC3.1 10a", line: line)
  }

  func testAPendingDecisionIsAskedForLaterAndEndsInAPIDWithoutAnotherScan() throws {
    try simulateVerdict("pending")
    try flow.claim(account().link)
    var awaited = pass("proofing.decision-awaited")
    try flow.submit(applicant)
    try waitForPatienceToEnd(since: awaited)
    XCTAssertEqual(flow.step?.name, "proofing-pending")
    let reference = flow.text("reference")
    XCTAssertFalse(reference.isEmpty)
    XCTAssertEqual(requests("submit_evidence"), 1)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    // Later it is still pending, with the same reference.
    awaited = pass("proofing.decision-awaited")
    flow.choose("obtain-pid")
    try waitForPatienceToEnd(since: awaited)
    XCTAssertEqual(flow.text("reference"), reference)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    // The state survives the process: row 1 leads to 9b.
    try flow.host.restart()
    try flow.launch()
    try flow.expect("UC2.3 1.3")
    try simulateVerdict(nil)
    flow.enter(pin)
    try flow.expectPID()
    XCTAssertEqual(requests("submit_evidence"), 1)
    XCTAssertEqual(requests("claim_enrolment_code"), 1)
    try assertOnePID()
  }

  func testADeclinedProofingEndsWithAReferenceAndConsumesTheCode() throws {
    try simulateVerdict("declined")
    let account = try account()
    try flow.claim(account.link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "proof.declined")
    XCTAssertFalse(flow.text("reference").isEmpty)
    XCTAssertEqual(try proofings()["consumed"], 1)
    XCTAssertEqual(try proofings()["proofed"], 0)
    try simulateVerdict(nil)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
    flow.choose("scan")
    try flow.expect("UC3.1 3")
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5b")
    XCTAssertEqual(flow.text("failure"), "code.expired", "a verdict consumes the code")
    flow.choose("scan-again")
    try flow.expect("UC3.1 3")
    flow.scanCode(try provider.newCode(for: account).link)
    try flow.expect("UC3.1 5c")
    try flow.submit(applicant)
    try flow.expectPID()
  }

  func testUC3_1_10aARefusedPIDHasAReferenceAndAnotherCodeReplacesIt() throws {
    let account = try account()
    let issuance = path("issue_pid")
    middle.answer { $0.path == issuance ? ManInTheMiddle.http(200, "{}") : nil }
    try flow.claim(account.link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "proof.internal")
    XCTAssertFalse(flow.text("reference").isEmpty)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    // The PID is requested again, because the verdict is still valid.
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 10a")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    middle.answer(with: nil)
    flow.choose("scan")
    try flow.expect("UC9.9 1.1")
    flow.choose("granted")
    try flow.expect("UC9.9 1.3")
    // An unusable code does not take the granted PID away.
    flow.scanCode(account.link)
    try flow.expect("UC3.1 5b")
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    flow.choose("scan")
    try flow.expect("UC9.9 1.1")
    flow.choose("granted")
    try flow.expect("UC9.9 1.3")
    let link = try provider.newCode(for: account).link
    flow.scanCode(link)
    try flow.expect("UC3.1 5c")
    XCTAssertEqual(flow.step?.notices, [])
    try flow.submit(applicant)
    try flow.expectPID()
    XCTAssertEqual(try flow.host.cards().get().count, 1)
  }

  func testASilentSourceIsTriedAgainUnderTheSameNameAndCountsNothing() throws {
    try simulateVerdict("unavailable")
    try flow.claim(account().link)
    try flow.submit(applicant)
    try flow.expect("UC3.1 10b")
    for _ in 0..<6 {
      XCTAssertEqual(flow.text("failure"), "proof.source_unavailable")
      XCTAssertNil(flow.number("attempts_left"))
      XCTAssertEqual(flow.step?.actions, ["try-again", "exit"])
      XCTAssertEqual(try proofings()["consumed"], 0)
      flow.choose("try-again")
      try flow.expect("UC3.1 10b")
    }
    try simulateVerdict(nil)
    flow.choose("try-again")
    try flow.expectPID()
    XCTAssertEqual(requests("submit_evidence"), 8)
    try assertOnePID()
  }

  func testASilentSourceAfterALockOrARestartTakesAnotherScanAndCountsNothing() throws {
    for isRestarted in [false, true] {
      if isRestarted {
        tearDown()
        try setUpWithError()
      }
      try simulateVerdict("unavailable")
      try flow.claim(account().link)
      try flow.submit(applicant)
      try flow.expect("UC3.1 10b")
      XCTAssertEqual(flow.text("failure"), "proof.source_unavailable")
      if isRestarted {
        try restart(to: "UC3.1 10b")
      } else {
        lock()
        try unlock(to: "UC3.1 10b")
      }
      XCTAssertEqual(flow.text("failure"), "proof.rescan_document")
      XCTAssertNil(flow.number("attempts_left"))
      try simulateVerdict(nil)
      flow.choose("scan-licence")
      try flow.expect("UC3.1 6")
      flow.scanLicence(applicant)
      try flow.expectPID()
      XCTAssertEqual(requests("claim_enrolment_code"), 1)
      XCTAssertEqual(requests("submit_evidence"), 2)
      try assertOnePID()
    }
  }

  func testTheProvidersAttemptsAreSpentByLicencesThatDoNotMatchAndATimePasses() throws {
    let account = try account()
    try flow.claim(account.link)
    try flow.submit(stranger())
    var seen: [Int64?] = []
    while try flow.next().row == "UC3.1 10b" {
      XCTAssertEqual(flow.text("failure"), "proof.not_matched")
      seen.append(flow.number("attempts_left"))
      flow.choose("scan-again")
      try flow.expect("UC3.1 6")
      flow.scanLicence(stranger())
    }
    XCTAssertEqual(flow.step?.row, "UC3.1 10a")
    XCTAssertEqual(flow.text("failure"), "attempts_exhausted")
    XCTAssertFalse(flow.text("reference").isEmpty)
    XCTAssertGreaterThan(flow.number("retry_after_ms") ?? 0, 0)
    XCTAssertEqual(seen, [nil, nil, 2, 1])
    XCTAssertEqual(requests("submit_evidence"), 5)
    flow.choose("exit")
    try flow.expect("UC7.1 1.1")
    let link = try provider.newCode(for: account).link
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
    flow.choose("scan")
    try flow.expect("UC3.1 3")
    flow.scanCode(link)
    try flow.expect("UC3.1 5a")
    XCTAssertEqual(flow.text("failure"), "code.account_final", "the account is blocked for a time")
  }

  private func stranger() -> Applicant {
    var stranger = Applicant()
    stranger.givenName = "PHINEAS"
    return stranger
  }
}
