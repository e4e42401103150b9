import WalletModel
import XCTest

@testable import WalletUseCases

final class UC3_1ObtainPIDTests: FlowTestCase {
  // MARK: The path to a PID

  func testTheStepsLeadFromTheCodeToThePID() {
    var walk = Walk.proofing()
    walk.forgetTrail()
    for action in [Action.scan, .scanned, .scanLicence, .scanned] { walk.choose(action) }
    XCTAssertEqual(walk.at, "UC3.1 11")
    XCTAssertEqual(
      walk.taken,
      [
        "UC3.1 2ba", "UC3.1 3a", "UC3.1 4a", "UC3.1 5ca", "UC3.1 6a", "UC3.1 7a", "UC3.1 9aa",
        "UC3.1 9ba",
      ])
    XCTAssertEqual(walk.commands.filter { $0 != .noteActivity }, [.forgetProofing])
    walk.choose(.goOn)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC3_1_1cObstaclesAreListedAndOnlyExitIsOffered() {
    var walk = Walk.locked(hasPID: false)
    walk.facts.reference = "R-test"
    walk.outcomes[.checkProofing] = [.unavailable]
    walk.effectDetails[.checkProofing] = Details(
      arguments: [.reasons: .text("init.camera_denied,init.offline")], failure: .cameraDenied)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2a")
    XCTAssertEqual(walk.step?.name, "proofing-unavailable")
    XCTAssertEqual(walk.offered, ["exit"])
    XCTAssertEqual(walk.step?.arguments[.reference], .text("R-test"))
    let message = walk.step?.message ?? ""
    for reason in [ProofingError.cameraDenied, .offline] {
      XCTAssert(message.contains(StepText.message(of: reason, [:])), message)
    }
    walk.choose(.exit)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  /// Returns the outcome that a walk with pending work waits for.
  private func reply(to walk: Walk, _ outcome: Outcome) -> FlowInput {
    .outcome(id: walk.engine.pending?.id ?? 0, outcome, Details())
  }

  func testUC3_1_2bTheStartOffersScannerKeptLinkLaterAndHelp() {
    var walk = Walk.proofing()
    XCTAssertEqual(walk.offered, ["scan", "later", "help"])
    walk.facts.hasEnrolmentLink = true
    walk.choose(.help)
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC3.1 2b")
    XCTAssertEqual(walk.offered, ["use-link", "scan", "later", "help"])
    var later = walk
    later.choose(.later)
    XCTAssertEqual(later.at, "UC7.1 1.1")
    walk.forgetTrail()
    walk.choose(.useLink)
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.taken, ["UC3.1 2bb", "UC3.1 4a"])
    XCTAssert(walk.commands.contains(.useLink))
  }

  func testUC3_1_3And6AreScannersWithATimeout() {
    for (walk, name) in [
      (Self.scanningCode(), "scan-enrolment-code"), (.scanningLicence(), "scan-licence"),
    ] {
      XCTAssertEqual(walk.step?.name, name)
      XCTAssertEqual(walk.step?.input, .scan)
      XCTAssertEqual(walk.offered, ["scanned", "cancel", "unreadable", "back"])
      XCTAssertEqual(walk.engine.timer, StepTimer(serial: walk.engine.serial, end: .scan))
    }
  }

  func testUC3_1_3eAnd6eBackLeadsToTheStartAndToTheAccount() {
    var walk = Self.scanningCode()
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC3.1 2b")
    walk = .scanningLicence()
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.step?.arguments[.accountLabel], Walk.claim.arguments[.accountLabel])
  }

  static func scanningCode() -> Walk {
    var walk = Walk.proofing()
    walk.choose(.scan)
    return walk
  }

  // MARK: The account

  func testUC3_1_5cThePrivacyNoticeIsShortParagraphsWithHeadings() {
    let paragraphs = (Walk.confirmingAccount().step?.message ?? "")
      .split(separator: "\n\n").map { $0.split(separator: "\n") }
    XCTAssertEqual(paragraphs.map(\.count), [1, 2, 2, 2])
    XCTAssertEqual(
      paragraphs.dropFirst().map(\.first), ["What is sent", "What is kept", "Your choice"])
    XCTAssert(paragraphs.joined().allSatisfy { $0.count <= 160 }, "\(paragraphs)")
  }

  func testUC3_1_5cTheAccountAndThePrivacyNoticeAreShownBeforeTheLicence() {
    let walk = Walk.confirmingAccount()
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.offered, ["scan-licence", "not-my-account", "exit"])
    XCTAssertNil(walk.step?.arguments[.mayCloseApp], "an exit has to be confirmed")
    let message = walk.step?.message ?? ""
    for part in [
      "m•••@example.org", "name", "birth date", "document number", "expiry date", "issuer",
      "voluntary", "keeps",
    ] { XCTAssert(message.contains(part), part) }
  }

  func testUC3_1_5cbAnotherPersonsCodeIsReleased() {
    var walk = Walk.confirmingAccount()
    walk.forgetTrail()
    walk.choose(.notMyAccount)
    XCTAssertEqual(walk.at, "UC3.1 5b")
    XCTAssertEqual(walk.step?.arguments[.failure], .text("code.released"))
    XCTAssertEqual(walk.commands.filter { $0 == .releaseClaim }.count, 1)
    XCTAssertEqual(walk.offered, ["scan-again", "exit"])
    walk.choose(.scanAgain)
    XCTAssertEqual(walk.at, "UC3.1 3")
  }

  func testUC3_1_5dAnExitHasToBeConfirmed() {
    var walk = Walk.confirmingAccount()
    walk.forgetTrail()
    walk.choose(.exit)
    XCTAssertEqual(walk.at, "UC3.1 5d")
    XCTAssertEqual(walk.step?.kind, .prompt)
    XCTAssertEqual(walk.step?.beneath, "confirm-account")
    XCTAssertEqual(walk.offered, ["continue", "stop"])
    XCTAssertFalse(walk.commands.contains(.releaseClaim))
    XCTAssertEqual(walk.step?.arguments[.mayCloseApp], .truth(true))
    var other = walk
    other.choose(.goOn)
    XCTAssertEqual(other.at, "UC3.1 5c")
    XCTAssertEqual(other.step?.arguments[.accountLabel], Walk.claim.arguments[.accountLabel])
    walk.choose(.stop)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssert(walk.commands.contains(.releaseClaim))
    XCTAssertEqual(walk.engine.history, [])
  }

  func testUC3_1_1eAnActiveClaimContinuesWithTheAccount() {
    var walk = Walk.locked(hasPID: false)
    walk.outcomes[.checkProofing] = [.claimAlive]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.step?.arguments[.accountLabel], Walk.claim.arguments[.accountLabel])
  }

  // MARK: The verdict

  func testUC3_1_9aTheReadLicenceIsAnnouncedUntilTheSubmissionIsSlow() {
    var walk = Walk.scanningLicence()
    walk.isHolding = true
    walk.choose(.scanned)
    XCTAssertEqual(walk.engine.pending?.job, .perform(.readLicence))
    let serial = walk.engine.serial
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .passed, Details()))
    XCTAssertEqual(walk.engine.pending?.job, .perform(.announceLicence))
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertEqual(walk.step?.name, "licence-read")
    XCTAssertEqual(walk.step?.kind, .progress)
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .done, Details()))
    XCTAssertEqual(walk.engine.pending?.job, .perform(.submitProofing))
    XCTAssertEqual(walk.engine.serial, serial + 1, "shown until the submission is slow")
    walk.send(.slow(id: walk.engine.pending?.id ?? 0))
    XCTAssertEqual(walk.engine.serial, serial + 2)
    XCTAssertEqual(walk.step?.name, "proofing-wait")
  }

  func testUC3_1_1dAPendingSubmissionIsQueriedAgain() {
    var walk = Walk.locked(hasPID: false)
    walk.facts.proofing = .submitted
    walk.outcomes = [.checkProofing: [.submissionPending], .submitProofing: [.pendingReview]]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 10a")
    XCTAssertEqual(walk.step?.name, "proofing-pending")
    XCTAssertEqual(walk.step?.arguments[.failure], .text("proof.pending_review"))
    XCTAssertEqual(walk.offered, ["exit"])
    XCTAssertNil(walk.step?.arguments[.reference])
    walk.forgetTrail()
    walk.choose(.exit)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertFalse(walk.commands.contains(.releaseClaim), "the submission is decided anyway")
  }

  func testUC3_1_11ExitLeadsToTheCardsAsWell() {
    var walk = Walk.scanningLicence()
    walk.choose(.scanned)
    XCTAssertEqual(walk.offered, ["continue", "exit"])
    XCTAssertEqual(walk.step?.arguments[.mayCloseApp], .truth(true))
    walk.choose(.exit)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.engine.history, [])
  }

  func testAnUnknownFailureIsAnErrorThatCanBeRepeated() {
    var walk = Walk.scanningLicence()
    walk.outcomes[.readLicence] = [.failed]
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 7 generic")
    XCTAssertFalse(walk.engine.needsEvidence)
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC3.1 6", "what was scanned was wiped with the failure")
  }

  // MARK: Data that is still needed

  func testEvidenceIsNeededFromTheScanToTheVerdict() {
    var walk = Walk.scanningLicence()
    XCTAssertFalse(walk.engine.needsEvidence)
    walk.isHolding = true
    walk.choose(.scanned)
    for outcome in [Outcome.passed, .done] {
      XCTAssert(walk.engine.needsEvidence)
      walk.send(reply(to: walk, outcome))
    }
    XCTAssert(walk.engine.needsEvidence)
    var resent = walk
    resent.details = Details(failure: .proofNetwork)
    resent.outcomes[.submitProofing] = [.recoverable]
    resent.finish()
    XCTAssertEqual(resent.at, "UC3.1 10b")
    XCTAssert(resent.engine.needsEvidence, "Try again sends it again")
    resent.choose(.exit)
    XCTAssertFalse(resent.engine.needsEvidence)
    walk.finish()
    XCTAssertFalse(walk.engine.needsEvidence)
  }

  func testACodeIsNeededUntilItIsClaimed() {
    var walk = Self.scanningCode()
    walk.isHolding = true
    walk.choose(.scanned)
    XCTAssert(walk.engine.needsCode)
    var other = walk
    other.details = Details(failure: .codeNetwork)
    other.outcomes[.claimCode] = [.recoverable]
    other.finish()
    XCTAssert(other.engine.needsCode, "Try again claims it again")
    other.choose(.exit)
    XCTAssertFalse(other.engine.needsCode)
    walk.finish()
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertFalse(walk.engine.needsCode)
  }
}
