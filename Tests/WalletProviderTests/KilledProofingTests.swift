import Foundation
import TestSupport
import WalletProtocol
import WalletProvider
import XCTest

/// A server that is killed at the commits of a proofing, or during vetting, and restarted: there is
/// one verdict, one consumed code and one PID.
class KilledProofingTests: StoreTestCase {
  private enum Point: String, CaseIterable {
    case before = "crash_before_commit"
    case after = "crash_after_commit"
  }

  private func server(_ harness: ProviderHarness) throws -> ServerProcess {
    var options = ["--data", harness.path, "--control-tcp", "0"]
    if case .database(let url) = harness.storeLocation { options += ["--database", url.text] }
    return try ServerProcess(options, program: Program.testingProvider, lines: 2)
  }

  private func post(_ url: String, _ body: String) throws -> ProgramResult {
    try Program.curl(
      url, "--header", "Content-Type: application/json", "--data-binary", body, "--max-time",
      "\(Int(Patience.seconds))")
  }

  private func set(_ kind: String, at server: ServerProcess) throws {
    let answer = try post(try server.url(1) + "/faults", #"{"kind":"\#(kind)"}"#)
    XCTAssertEqual(answer.output, "{}")
  }

  private func send(
    _ request: TestWallet.Prepared, to server: ServerProcess, _ harness: ProviderHarness
  ) throws -> InstructionOutcome {
    let answer = try post(
      try server.url() + Route.instruction(request.instruction),
      String(decoding: request.body, as: UTF8.self))
    XCTAssertEqual(answer.status, 0, answer.errors)
    return try harness.result(
      try WireJSON.decode(InstructionAnswer.self, from: Array(answer.output.utf8)),
      to: request.body, claims: request.claims)
  }

  /// Sends the request to a server that is killed at `point`, then to a restarted one.
  private func sendTwice(
    _ request: TestWallet.Prepared, _ harness: ProviderHarness, dying kind: String,
    meanwhile: () async throws -> Void
  ) async throws -> InstructionOutcome {
    let dying = try server(harness)
    try set(kind, at: dying)
    let lost = try post(
      try dying.url() + Route.instruction(request.instruction),
      String(decoding: request.body, as: UTF8.self))
    XCTAssertNotEqual(lost.status, 0, "there was an answer: \(lost.output)")
    XCTAssertEqual(dying.killedBy(), SIGKILL)
    try await meanwhile()
    return try send(request, to: try server(harness), harness)
  }

  func testProviderKilledAtTheCommitsOfClaimEvidenceAndIssueHasOneVerdict() async throws {
    for point in Point.allCases {
      let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
      let isDone = point == .after ? 1 : 0
      let wallet = try await TestWallet.confirmed(harness)
      let code = try await harness.accounts.create(try TestPerson.person())
      let claim = try await wallet.prepareClaim(code.secret)
      let claimed = try await sendTwice(claim, harness, dying: point.rawValue) {
        let counts = try await harness.store.proofingCounts()
        XCTAssertEqual(counts.sessions, isDone)
        XCTAssertEqual(counts.claimed, isDone)
      }
      guard case .claimed(let session) = claimed else { return XCTFail("not claimed: \(claimed)") }

      let submission = try await wallet.prepareSubmission(try TestPerson.claims(), session.id)
      let submitted = try await sendTwice(submission, harness, dying: point.rawValue) {
        let counts = try await harness.store.proofingCounts()
        XCTAssertEqual(counts.consumed, isDone)
        XCTAssertEqual(counts.proofed, isDone)
      }
      guard case .proofing(let status) = submitted else { return XCTFail("no status") }
      XCTAssertEqual(status.state, .proofed)

      let key = TestHardwareKey.makeP256()
      let challenge = try await wallet.challenge(for: .issuePID)
      let issuance = try wallet.prepareSealed(
        .issuePID, wallet.issuance(session.id, pidKey: key, challenge: challenge),
        challenge: challenge)
      let issued = try await sendTwice(issuance, harness, dying: point.rawValue) {}
      let (pid, verified, _) = try wallet.verified(issued, now: SystemWallClock().now / 1000)
      XCTAssertEqual(pid.familyName, "Mustermann")
      XCTAssertEqual(verified.holderKey.der, key.der)
      let counts = try await harness.store.proofingCounts()
      XCTAssertEqual(counts.accounts, 1)
      XCTAssertEqual(counts.consumed, 1)
      XCTAssertEqual(counts.sessions, 1)
    }
  }

  func testProviderKilledDuringVettingVetsAgain() async throws {
    let harness = try ProviderHarness(clock: TestClock(SystemWallClock().now))
    let wallet = try await TestWallet.confirmed(harness)
    let session = try await wallet.newSession()
    let submission = try await wallet.prepareSubmission(try TestPerson.claims(), session.id)
    let outcome = try await sendTwice(submission, harness, dying: "crash_while_vetting") {
      let counts = try await harness.store.proofingCounts()
      XCTAssertEqual([counts.claimed, counts.consumed, counts.proofed], [1, 0, 0])
    }
    guard case .proofing(let status) = outcome else { return XCTFail("no status") }
    XCTAssertEqual(status.state, .proofed)
    let counts = try await harness.store.proofingCounts()
    XCTAssertEqual(
      [counts.claimed, counts.consumed, counts.sessions, counts.proofed], [0, 1, 1, 1])
  }
}
