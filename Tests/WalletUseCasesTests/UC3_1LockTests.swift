import WalletModel
import XCTest

@testable import WalletUseCases

/// Tests the effects of a lock, a take-over and a link on an identity proofing.
final class UC3_1LockTests: FlowTestCase {
  /// Returns a walk in which `effect` is pending.
  private func working(_ effect: FlowEffect) -> Walk {
    var walk = effect == .claimCode ? UC3_1ObtainPIDTests.scanningCode() : .scanningLicence()
    walk.isHolding = true
    walk.choose(.scanned)
    for (before, outcome) in [(FlowEffect.readLicence, Outcome.passed), (.announceLicence, .done)] {
      guard effect != before, walk.engine.pending?.job == .perform(before) else { break }
      walk.send(.outcome(id: walk.engine.pending?.id ?? 0, outcome, Details()))
    }
    XCTAssertEqual(walk.engine.pending?.job, .perform(effect))
    return walk
  }

  private func failed(
    _ effect: FlowEffect, _ failure: ProofingError, _ outcome: Outcome = .recoverable
  )
    -> Walk
  {
    var walk = working(effect)
    walk.details = Details(failure: failure)
    walk.outcomes[effect] = [outcome]
    walk.finish()
    return walk
  }

  private let causes: [FlowInput] = [
    .lockRequested, .locked(.inactivity), .locked(.background), .takenOver,
  ]

  /// Locks in each way, then unlocks.
  private func check(
    _ start: Walk, resumesAs row: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    for cause in causes {
      var walk = start
      walk.isHolding = false
      walk.send(cause)
      XCTAssertEqual(walk.at, "UC2.3 1.3", file: file, line: line)
      walk.enterPin()
      XCTAssertEqual(walk.at, row, "\(cause)", file: file, line: line)
      XCTAssert(walk.taken.contains("UC2.3 1.5c") || row == "UC3.1 11", file: file, line: line)
    }
  }

  // MARK: Resumed steps

  func testUC3_1_9bAPIDIssuedDuringALockIsNotReportedAsALostSession() {
    var walk = working(.submitProofing)
    walk.isHolding = false
    walk.send(.lockRequested)
    walk.facts.proofing = .none
    walk.facts.hasPID = true
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.step?.notices, [])
  }

  func testUC3_1_2aAnExitKeepsAnActiveClaim() {
    var walk = Walk.locked(hasPID: false)
    walk.facts.proofing = .claimed
    walk.outcomes[.checkProofing] = [.unavailable]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2a")
    walk.choose(.exit)
    XCTAssertFalse(walk.commands.contains(.releaseClaim))
    XCTAssertFalse(walk.commands.contains(.forgetProofing))
  }

  func testUC3_1_9bAnErrorDoesNotReleaseASubmittedClaim() {
    var walk = working(.submitProofing)
    walk.facts.proofing = .submitted
    walk.outcomes[.submitProofing] = [.failed]
    walk.finish()
    XCTAssertEqual(walk.step?.name, "generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertFalse(walk.commands.contains(.releaseClaim))
  }

  func testUC3_1_6To8bResumeAsTheAccount() {
    check(.scanningLicence(), resumesAs: "UC3.1 5c")
    check(working(.readLicence), resumesAs: "UC3.1 5c")
    check(working(.announceLicence), resumesAs: "UC3.1 5c")
    check(failed(.readLicence, .documentDamaged), resumesAs: "UC3.1 5c")
    var walk = Walk.scanningLicence()
    walk.send(.lockRequested)
    walk.enterPin()
    XCTAssertEqual(walk.step?.arguments[.accountLabel], Walk.claim.arguments[.accountLabel])
    XCTAssertEqual(walk.engine.history, [])
  }

  func testUC3_1OtherStepsResumeAsTheyAre() {
    check(.proofing(), resumesAs: "UC3.1 2b")
    check(UC3_1ObtainPIDTests.scanningCode(), resumesAs: "UC3.1 3")
    check(failed(.claimCode, .codeNotOurs), resumesAs: "UC3.1 5b")
    check(failed(.claimCode, .codeVersion, .irrecoverable), resumesAs: "UC3.1 5a")
    check(.confirmingAccount(), resumesAs: "UC3.1 5c")
    check(failed(.readLicence, .documentExpired, .irrecoverable), resumesAs: "UC3.1 8a")
    check(failed(.submitProofing, .proofDeclined, .irrecoverable), resumesAs: "UC3.1 10a")
    check(failed(.submitProofing, .proofRescanDocument), resumesAs: "UC3.1 10b")
    var asked = Walk.confirmingAccount()
    asked.choose(.exit)
    check(asked, resumesAs: "UC3.1 5d")
  }

  func testUC3_1_4TheClaimIsRepeatedWithTheSameCode() {
    check(working(.claimCode), resumesAs: "UC3.1 5c")
    var walk = working(.claimCode)
    walk.send(.lockRequested)
    XCTAssert(walk.engine.needsCode)
  }

  func testUC3_1_5bWithCodeNetworkKeepsTheCodeOverALock() {
    var walk = failed(.claimCode, .codeNetwork)
    walk.send(.lockRequested)
    XCTAssert(walk.engine.needsCode)
    walk.enterPin()
    XCTAssertEqual(walk.offered, ["try-again", "exit"])
  }

  func testUC3_1_1ChecksAreRepeatedAfterALock() {
    var walk = Walk.dashboard()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.enrolment]]
    walk.isHolding = true
    walk.open(.resume)
    while walk.engine.pending?.job != .perform(.checkProofing) {
      guard case .ask(let query)? = walk.engine.pending?.job else { return XCTFail(walk.at) }
      let answers: [FlowQuery: Outcome] = [.linkPurpose: .enrolment, .isLinkValid: .valid]
      walk.send(
        .outcome(id: walk.engine.pending?.id ?? 0, answers[query] ?? .yes, Details()))
    }
    walk.send(.lockRequested)
    XCTAssert(walk.engine.needsCode)
    walk.answers = [:]
    walk.outcomes[.checkProofing] = [.codeKept]
    walk.finish()
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 5c")
  }

  // MARK: The submission

  func testUC3_1_9bContinuesWhileLockedAndShowsItsOutcomeAfterTheUnlock() {
    for cause in causes {
      var walk = working(.submitProofing)
      walk.facts.proofing = .submitted
      walk.isHolding = false
      walk.send(cause)
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      XCTAssert(walk.engine.needsEvidence, "the submission continues")
      walk.isHolding = true
      walk.enterPin()
      while case .ask? = walk.engine.pending?.job { walk.answerOnce() }
      walk.answerOnce()
      while case .ask? = walk.engine.pending?.job { walk.answerOnce() }
      XCTAssertEqual(walk.engine.pending?.job, .perform(.submitProofing))
      XCTAssert(walk.engine.needsEvidence)
      walk.finish()
      XCTAssertEqual(walk.at, "UC3.1 11")
      XCTAssertFalse(walk.engine.needsEvidence)
    }
  }

  func testUC3_1_9bAnOutcomeFromBeforeTheLockIsIgnored() {
    var walk = working(.submitProofing)
    let late = walk.engine.pending?.id ?? 0
    walk.isHolding = false
    walk.send(.lockRequested)
    let before = walk.engine.serial
    walk.send(.outcome(id: late, .issued, Details()))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.engine.serial, before)
  }

  func testUC3_1_10bResumesWithoutTheEvidence() {
    let network = failed(.submitProofing, .proofNetwork)
    check(network, resumesAs: "UC3.1 5c")
    var walk = network
    walk.send(.lockRequested)
    XCTAssertFalse(walk.engine.needsEvidence)
    var submitted = network
    submitted.facts.proofing = .submitted
    check(submitted, resumesAs: "UC3.1 11")
    submitted.send(.lockRequested)
    XCTAssertFalse(submitted.engine.needsEvidence, "the provider is asked for its verdict")
    submitted.outcomes[.submitProofing] = [.recoverable]
    submitted.effectDetails[.submitProofing] = Details(failure: .proofRescanDocument)
    submitted.enterPin()
    XCTAssertEqual(submitted.at, "UC3.1 10b")
    XCTAssertEqual(submitted.offered, ["scan-licence", "exit"])
  }

  /// An outcome ends a claim or a submission when the user sees it, not before.
  func testUC3_1_10aAVerdictDuringALockIsShownAfterTheUnlock() {
    for end in [ProofingEnd.claim, .submission] {
      let command: Command = end == .claim ? .releaseClaim : .endSubmission
      var walk = working(.submitProofing)
      walk.facts.proofing = .submitted
      let late = walk.engine.pending?.id ?? 0
      walk.isHolding = false
      walk.outcomes[.submitProofing] = [.irrecoverable]
      walk.effectDetails[.submitProofing] = Details(failure: .proofDeclined, ends: end)
      walk.send(.lockRequested)
      walk.send(.outcome(id: late, .irrecoverable, Details(failure: .proofDeclined, ends: end)))
      XCTAssertFalse(walk.commands.contains(command))
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC3.1 10a")
      XCTAssertEqual(walk.step?.arguments[.failure], .text("proof.declined"))
      XCTAssertEqual(walk.commands.filter { $0 == command }, [command])
    }
  }

  func testUC3_1_10bTheBackgroundKeepsEvidenceToSendAgain() {
    var walk = failed(.submitProofing, .proofNetwork)
    walk.send(.background)
    XCTAssert(walk.engine.needsEvidence)
    walk.isHolding = true
    walk.send(.foreground)
    XCTAssertNotNil(walk.engine.pending)
    XCTAssert(walk.engine.needsEvidence, "also during the return")
    walk.finish()
    XCTAssertEqual(walk.at, "UC3.1 10b")
    XCTAssert(walk.engine.needsEvidence)
  }

  func testUC3_1_6TheLicenceScannerContinuesAfterTheBackground() {
    var walk = Walk.scanningLicence()
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC3.1 6")
  }

  // MARK: Lapsed claims

  func testUC3_1_2bAClaimThatLapsedDuringALockRestartsWithANotice() {
    for start in [
      Walk.confirmingAccount(), .scanningLicence(), working(.submitProofing),
      failed(.submitProofing, .proofRescanDocument),
    ] {
      var walk = start
      walk.isHolding = false
      walk.send(.lockRequested)
      walk.facts.proofing = .none
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC3.1 2b")
      XCTAssertEqual(walk.step?.notices, ["session-lost"])
      XCTAssertFalse(walk.engine.needsEvidence)
    }
    var renewal = Walk.scanningLicence()
    renewal.facts.hasPID = true
    renewal.send(.lockRequested)
    renewal.facts.proofing = .none
    renewal.enterPin()
    XCTAssertEqual(renewal.at, "UC7.1 1.1")
    XCTAssertEqual(renewal.step?.notices, ["session-lost"])
    var resumed = Walk.confirmingAccount()
    resumed.facts.proofing = .none
    resumed.open(.resume)
    XCTAssertEqual(resumed.at, "UC3.1 2b")
  }

  // MARK: Links

  func testPF2_7_1_3eAnActiveClaimRefusesLinks() {
    for purpose in [Outcome.issuance, .sharing, .login, .enrolment] {
      var walk = Walk.dashboard()
      walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.enrolment]]
      walk.outcomes[.checkProofing] = [.codeKept]
      walk.open(.resume)
      XCTAssertEqual(walk.at, "UC3.1 5c")
      walk.answers = [.isLinkThere: [.yes], .linkPurpose: [purpose]]
      walk.open(.resume)
      XCTAssertEqual(walk.at, "UC3.1 5c", purpose.rawValue)
      XCTAssertEqual(walk.step?.notices, ["flow-in-progress"])
      XCTAssertEqual(walk.taken.suffix(2), ["PF2.7 1.3e", "UC1.2 3.4a"])
    }
  }

  func testUC1_2_3_3bALinkWithoutAPIDWaitsForTheActiveProofing() {
    var walk = Walk.confirmingAccount()
    walk.details = Details(notices: [.linkNeedsPID])
    walk.isHolding = true
    walk.open(.resume)
    XCTAssertEqual(walk.engine.pending?.job, .ask(.isWalletThere))
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .yes, Details()))
    walk.finish()
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.taken.last, "UC1.2 3.3b")
    XCTAssertEqual(walk.step?.notices, ["flow-in-progress"])
  }

  func testUC9_9_1_5fAnActiveClaimRefusesCodes() {
    var walk = Walk.dashboard()
    walk.facts.proofing = .claimed
    walk.choose(.scan)
    walk.choose(.granted)
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC9.9 3.1")
    XCTAssertEqual(walk.taken.last, "UC9.9 1.5f")
    XCTAssertEqual(walk.step?.notices, ["flow-in-progress"])
    XCTAssertEqual(walk.step?.arguments[.reason], .text("flow-in-progress"))
    walk.choose(.ok)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
  }

  func testPF2_7_1_3cAPendingReviewAllowsLinks() {
    var walk = Walk.dashboard()
    walk.facts.proofing = .submitted
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.login]]
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC5.2 1.3")
    XCTAssertTrue(walk.taken.contains("PF2.7 1.3c"), "\(walk.taken)")
  }

  func testPF2_7_1_3eAVisibleSubmissionRefusesLinks() {
    var walk = failed(.submitProofing, .proofNetwork)
    walk.facts.proofing = .submitted
    walk.facts.hasPID = true
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.login]]
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC3.1 10b")
    XCTAssertTrue(walk.taken.contains("PF2.7 1.3e"), "\(walk.taken)")
    XCTAssertEqual(walk.step?.notices, ["flow-in-progress"])
  }
}
