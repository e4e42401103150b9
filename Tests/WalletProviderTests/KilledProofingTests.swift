import ServerTestSupport
import WalletCredentials
import WalletProtocol
import WalletProvider
import XCTest

/// A server that is killed at the commits of a proofing, or during vetting, and restarted: there is
/// one verdict, one consumed code and one PID.
class KilledProofingTests: KilledServerTestCase {
  func testProviderKilledAtTheCommitsOfClaimEvidenceAndIssueHasOneVerdict() async throws {
    for point in CommitFault.allCases {
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

      // Later than the verdict, by the clock of the provider in this process.
      harness.clock.advance(60_000)
      _ = try await wallet.checkRight()
      let key = TestHardwareKey.makeP256()
      let challenge = try await wallet.challenge(for: .issuePID)
      let issuance = try wallet.prepareSealed(
        .issuePID, wallet.issuance(session.id, pidKey: key, challenge: challenge),
        challenge: challenge)
      let issued = try await sendTwice(issuance, harness, dying: point.rawValue) {}
      let (pid, verified, _) = try wallet.verified(issued, now: SystemWallClock().now / 1000)
      XCTAssertEqual(pid.familyName, "Mustermann")
      XCTAssertEqual(verified.terms.holderKey?.der, key.der)
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
