import WalletModel
import XCTest

@testable import WalletUseCases

/// An enrolment link in a wallet without a PID leads to the PID.
final class UC3_1LinkTests: FlowTestCase {
  /// On the dashboard without a PID.
  private func dashboard() -> Walk {
    var walk = Walk.proofing()
    walk.choose(.later)
    return walk
  }

  private func openLink(_ walk: inout Walk) {
    walk.answers[.hasPID] = [.noButLinkKept]
    walk.facts.hasEnrolmentLink = true
    walk.openLink()
  }

  private func checkOffer(_ walk: Walk, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(walk.at, "UC3.1 2b", file: file, line: line)
    XCTAssertEqual(walk.offered.first, "use-link", file: file, line: line)
    XCTAssertEqual(walk.step?.notices, [], file: file, line: line)
  }

  func testUC1_2_3_3cAnEnrolmentLinkOpensTheProofingFromAnyStep() {
    for actions in [[], [Action.about], [.help], [.scan, .granted], [.removeData]] {
      var walk = dashboard()
      for action in actions { walk.choose(action) }
      walk.forgetTrail()
      openLink(&walk)
      checkOffer(walk)
      XCTAssertEqual(walk.taken.suffix(2), ["UC1.2 3.3c", "UC3.1 1a"])
      walk.choose(.useLink)
      XCTAssertEqual(walk.at, "UC3.1 5c")
    }
  }

  func testUC1_2_3_3cAnEnrolmentLinkReplacesACodeThatWasNotClaimed() {
    var scanner = Walk.proofing()
    scanner.choose(.scan)
    openLink(&scanner)
    checkOffer(scanner)
    var failed = Walk.proofing()
    failed.outcomes[.claimCode] = [.recoverable]
    failed.effectDetails[.claimCode] = Details(failure: .codeNetwork)
    failed.choose(.scan)
    failed.choose(.scanned)
    XCTAssertEqual(failed.at, "UC3.1 5b")
    openLink(&failed)
    checkOffer(failed)
  }

  func testASetUpIsFinishedBeforeAnEnrolmentLinkIsOffered() {
    var walk = Walk.offeredBiometrics()
    openLink(&walk)
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    XCTAssertEqual(walk.step?.notices, ["link-kept"])
    walk.choose(.skip)
    walk.choose(.next)
    checkOffer(walk)
  }

  func testUC2_3_1_5eALinkThatCameWhileLockedOpensTheProofing() {
    for actions in [[], [Action.obtainPID, .scan]] {
      var walk = dashboard()
      for action in actions { walk.choose(action) }
      walk.send(.lockRequested)
      walk.openLink()
      walk.answers[.hasPIDOrLeftStep] = [.noButLinkKept]
      walk.facts.hasEnrolmentLink = true
      walk.enterPin()
      checkOffer(walk)
      XCTAssertEqual(walk.taken.suffix(2), ["UC2.3 1.5e", "UC3.1 1a"])
    }
  }

  func testASetUpThatALockInterruptedGoesBeforeTheLink() {
    var walk = Walk.offeredBiometrics()
    walk.send(.lockRequested)
    walk.openLink()
    walk.answers[.hasPIDOrLeftStep] = [.noButLinkKept]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    XCTAssertEqual(walk.step?.notices, ["link-kept"])
  }

  func testAVisibleSubmissionGoesBeforeTheLink() {
    var walk = Walk.scanningLicence()
    walk.outcomes[.submitProofing] = [.recoverable]
    walk.effectDetails[.submitProofing] = Details(failure: .proofNetwork)
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 10b")
    walk.facts.proofing = .submitted
    walk.isHolding = true
    walk.openLink()
    walk.answerOnce()
    walk.isHolding = false
    walk.send(
      .outcome(
        id: walk.engine.pending?.id ?? 0, .noButLinkKept, Details(notices: [.flowInProgress])))
    XCTAssertEqual(walk.at, "UC3.1 10b")
    XCTAssertEqual(walk.step?.notices, ["flow-in-progress"])
  }
}
