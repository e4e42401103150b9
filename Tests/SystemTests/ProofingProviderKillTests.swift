import Foundation
import TestSupport
import XCTest

/// The provider is killed at each commit of claim, evidence and issuance and during the vetting,
/// and started again: the phone finishes with one verdict, one PID and one consumed code.
final class ProofingProviderKillTests: ProofingTestCase {
  private static let kinds = ["crash_before_commit", "crash_after_commit"]

  /// Every kind of crash at every instruction; in a sampled run one for each instruction.
  private static func deaths(at instructions: [String]) -> [(kind: String, instruction: String)] {
    Sample.of(
      kinds.flatMap { kind in instructions.map { (kind: kind, instruction: $0) } },
      kind: \.instruction)
  }

  /// Lets the provider die at `instruction`, and starts it again once the phone has reported the
  /// failure.
  private func die(
    _ kind: String, at instruction: String, skip: Int = 0, told row: String, _ failure: String,
    _ act: () throws -> Void, line: UInt = #line
  ) throws {
    try provider.control(
      "/faults", ["kind": kind, "path": path(instruction), "skip": skip])
    try act()
    try flow.expect(row, line: line)
    XCTAssertEqual(flow.text("failure"), failure, "\(kind) at \(instruction)", line: line)
    try restartProvider()
    flow.choose("try-again", line: line)
  }

  private func assertOnePID(after kind: String, at instruction: String) throws {
    flow.choose("continue")
    try flow.expect("UC7.1 1.1")
    let issued = try proofings()["issued"]
    // Counted since the process's start; a PID that the former process issued was lost with its
    // answer.
    XCTAssertEqual(issued, 1, "\(kind) at \(instruction)")
    try assertOnePID("\(kind) at \(instruction)")
  }

  func testTheClaimIsTriedAgainWithTheSameCodeAfterTheProviderDied() throws {
    for (number, death) in Self.deaths(at: ["challenge", "claim_enrolment_code"]).enumerated() {
      let (kind, instruction) = death
      if number > 0 { try restartWithNewWallet() }
      let link = try account().link
      flow.choose("scan")
      try flow.expect("UC3.1 3")
      try die(kind, at: instruction, told: "UC3.1 5b", "code.network") { flow.scanCode(link) }
      try flow.expect("UC3.1 5c")
      try flow.submit(applicant)
      try flow.expectPID()
      try assertOnePID(after: kind, at: instruction)
    }
  }

  func testTheLicenceIsSentAgainUnderItsNameAfterTheProviderDied() throws {
    for (number, death) in Self.deaths(at: ["challenge", "submit_evidence"]).enumerated() {
      let (kind, instruction) = death
      if number > 0 { try restartWithNewWallet() }
      try flow.claim(account().link)
      try die(kind, at: instruction, told: "UC3.1 10b", "proof.network") {
        try flow.submit(applicant)
      }
      try flow.expectPID()
      try assertOnePID(after: kind, at: instruction)
    }
  }

  func testThePIDIsFetchedAgainAndNothingVettedAgainAfterTheProviderDied() throws {
    for (number, death) in Self.deaths(at: ["challenge", "issue_pid"]).enumerated() {
      let (kind, instruction) = death
      // The challenge for the PID comes after that for the licence.
      let skip = instruction == "challenge" ? 1 : 0
      if number > 0 { try restartWithNewWallet() }
      try flow.claim(account().link)
      try die(kind, at: instruction, skip: skip, told: "UC3.1 10b", "proof.network") {
        try flow.submit(applicant)
      }
      try flow.expectPID()
      XCTAssertEqual(requests("submit_evidence"), 1)
      try assertOnePID(after: kind, at: instruction)
    }
  }

  func testALicenceThatWasBeingVettedWhenTheProviderDiedIsVettedAgainAndGetsOneVerdict() throws {
    for verdict in [nil, "declined"] {
      if verdict != nil { try restartWithNewWallet() }
      try flow.claim(account().link)
      try self.simulateVerdict(verdict)
      // The simulated verdict ends with the process, so a second verdict would differ from the
      // first.
      try die("crash_while_vetting", at: "submit_evidence", told: "UC3.1 10b", "proof.network") {
        try flow.submit(applicant)
      }
      try flow.expectPID()
      try assertOnePID(after: "crash_while_vetting", at: "submit_evidence")
    }
  }

  func testACodeThatIsReturnedToAProviderThatDiesIsClaimedAgain() throws {
    for (number, death) in Self.deaths(at: ["challenge", "release_claim"]).enumerated() {
      let (kind, instruction) = death
      if number > 0 { try restartWithNewWallet() }
      let link = try account().link
      try flow.claim(link)
      try provider.control("/faults", ["kind": kind, "path": path(instruction)])
      flow.choose("not-my-account")
      try flow.expect("UC3.1 5b")
      XCTAssertTrue(eventually { !provider.isRunning }, "\(kind) at \(instruction)")
      try restartProvider()
      flow.choose("scan-again")
      try flow.expect("UC3.1 3")
      flow.scanCode(link)
      try flow.expect("UC3.1 5c")
      try flow.submit(applicant)
      try flow.expectPID()
      try assertOnePID(after: kind, at: instruction)
    }
  }

  func testAProviderThatDiedWhileAnotherPersonDecidesStillKnowsTheCase() throws {
    for kind in Self.kinds {
      if kind != Self.kinds[0] { try restartWithNewWallet() }
      try simulateVerdict("pending")
      try flow.claim(account().link)
      let awaited = pass("proofing.decision-awaited")
      try flow.submit(applicant)
      try awaitPass("proofing.decision-awaited", beyond: awaited)
      try provider.control("/faults", ["kind": kind, "path": path("proofing_status")])
      // The longest pause before the core asks again.
      flow.advanceClock(15_000)
      try flow.expect("UC3.1 10b")
      // The simulated verdict ends with the process.
      try restartProvider()
      flow.choose("try-again")
      try flow.expectPID()
      try assertOnePID(after: kind, at: "proofing_status")
    }
  }

  /// Starts with another device and another provider, so that the counts begin at zero.
  private func restartWithNewWallet() throws {
    tearDown()
    try setUpWithError()
  }
}
