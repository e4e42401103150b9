import WalletModel
import XCTest

@testable import WalletUseCases

/// Tests every code of the error table on its screen.
final class UC3_1FailureTests: FlowTestCase {
  /// Returns a walk in which the claim, the licence or the submission failed with `failure`.
  private func failed(
    _ effect: FlowEffect, _ outcome: Outcome, _ failure: ProofingError?,
    _ arguments: [StepArgument: Step.Value] = [:]
  ) -> Walk {
    var walk = effect == .claimCode ? UC3_1ObtainPIDTests.scanningCode() : .scanningLicence()
    walk.isHolding = true
    walk.choose(.scanned)
    if effect == .submitProofing {
      for outcome in [Outcome.passed, .done] {
        walk.send(.outcome(id: walk.engine.pending?.id ?? 0, outcome, Details()))
      }
    }
    XCTAssertEqual(walk.engine.pending?.job, .perform(effect))
    walk.details = Details(arguments: arguments, failure: failure)
    walk.outcomes[effect] = [outcome]
    walk.finish()
    return walk
  }

  private func effect(of failure: ProofingError) -> FlowEffect {
    switch failure {
    case _ where failure.rawValue.hasPrefix("code."): .claimCode
    case _ where failure.rawValue.hasPrefix("doc."), .attemptsExhausted: .readLicence
    default: .submitProofing
    }
  }

  private func row(of effect: FlowEffect, _ isFinal: Bool) -> String {
    switch effect {
    case .claimCode: isFinal ? "UC3.1 5a" : "UC3.1 5b"
    case .readLicence: isFinal ? "UC3.1 8a" : "UC3.1 8b"
    default: isFinal ? "UC3.1 10a" : "UC3.1 10b"
    }
  }

  func testEveryCodeReachesItsScreenWithItsButtons() {
    // The codes of the start are shown together, and a lapsed session has no screen of its own.
    let codes = ProofingError.allCases.filter {
      !$0.rawValue.hasPrefix("init.") && $0 != .sessionLost
    }
    XCTAssertEqual(codes.count, ProofingError.allCases.count - 9)
    for failure in codes {
      let isFinal = failure.row.primary == .exit
      let outcome: Outcome =
        failure == .proofPendingReview ? .pendingReview : isFinal ? .irrecoverable : .recoverable
      let effect = effect(of: failure)
      let walk = failed(effect, outcome, failure)
      XCTAssertEqual(walk.at, row(of: effect, isFinal), failure.rawValue)
      XCTAssertEqual(walk.step?.arguments[.failure], .text(failure.rawValue))
      let primary = failure.row.primary.action?.rawValue ?? ""
      XCTAssertEqual(walk.offered, isFinal ? ["exit"] : [primary, "exit"], failure.rawValue)
      XCTAssertEqual(walk.step?.arguments[.mayCloseApp], .truth(true))
      XCTAssert(
        walk.step?.message.contains(StepText.message(of: failure, [:]).prefix(20)) ?? false,
        failure.rawValue)
      XCTAssertEqual(
        walk.step?.arguments[.reference],
        failure.row.errorClass == .irrecoverable ? .text("R-test") : nil, failure.rawValue)
    }
  }

  func testThePrimaryButtonLeadsWhereTheErrorTableSays() {
    for failure in ProofingError.allCases where failure.row.primary != .exit {
      guard let action = failure.row.primary.action else { continue }
      let effect = effect(of: failure)
      var walk = failed(effect, .recoverable, failure)
      walk.isHolding = true
      walk.choose(action)
      let target =
        switch failure.row.target {
        case .code: "UC3.1 3"
        case .claim: "UC3.1 4"
        case .licence: "UC3.1 6"
        case .submission: "UC3.1 9b"
        case .left, .exit: ""
        }
      XCTAssertEqual(walk.at, target, failure.rawValue)
    }
  }

  func testUC3_1_5bWithCodeNetworkOffersTryAgainWithTheSameCode() {
    var walk = failed(.claimCode, .recoverable, .codeNetwork)
    XCTAssertEqual(walk.offered, ["try-again", "exit"])
    XCTAssert(walk.engine.needsCode)
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC3.1 5c")
  }

  func testUC3_1_10bTryAgainSubmitsOnceMoreWithoutARescan() {
    var walk = failed(.submitProofing, .recoverable, .proofNetwork)
    walk.forgetTrail()
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.taken, ["UC3.1 10ba", "UC3.1 9ba"])
  }

  func testUC3_1_10bdACodeThatLapsedIsForgottenBeforeAnotherIsScanned() {
    var walk = failed(.submitProofing, .recoverable, .proofCodeExpired)
    walk.forgetTrail()
    walk.choose(.scan)
    XCTAssertEqual(walk.at, "UC3.1 3")
    XCTAssert(walk.commands.contains(.releaseClaim))
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC3.1 2b")
  }

  func testUC3_1_5bAnd8bFailuresOfTheScannerOfferAnotherScan() {
    let ends: [(Action?, ProofingError, ProofingError)] = [
      (nil, .codeTimeout, .documentTimeout), (.cancel, .codeCancelled, .documentCancelled),
      (.unreadable, .codeUnreadable, .documentUnreadable),
    ]
    for (action, codeFailure, licenceFailure) in ends {
      for (start, row, failure) in [
        (UC3_1ObtainPIDTests.scanningCode(), "UC3.1 5b", codeFailure),
        (Walk.scanningLicence(), "UC3.1 8b", licenceFailure),
      ] {
        var walk = start
        if let action { walk.choose(action) } else { walk.passTime() }
        XCTAssertEqual(walk.at, row)
        XCTAssertEqual(walk.step?.arguments[.failure], .text(failure.rawValue))
        XCTAssertEqual(walk.offered, ["scan-again", "exit"])
      }
    }
  }

  func testUC3_1_5aAnd8aAnd10aAfterAFinalFailureThereIsOnlyExit() {
    for number in ["2a", "5a", "8a", "10a"] {
      let row = UseCaseTables.row(RowID(.obtainPID, number))
      XCTAssertEqual(row?.cases.map(\.trigger), [.action(.exit)], number)
      XCTAssertEqual(row?.cases.map(\.next), [.goTo(.cards)], number)
    }
  }

  func testAnExitReleasesTheClaimIfNothingIsSubmitted() {
    for (effect, failure) in [
      (FlowEffect.readLicence, ProofingError.documentExpired), (.submitProofing, .proofDeclined),
    ] {
      var walk = failed(effect, .irrecoverable, failure)
      walk.forgetTrail()
      walk.choose(.exit)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
      XCTAssert(walk.commands.contains(.releaseClaim))
    }
    var submitted = failed(.submitProofing, .recoverable, .proofSourceUnavailable)
    submitted.facts.proofing = .submitted
    submitted.forgetTrail()
    submitted.choose(.exit)
    XCTAssertEqual(submitted.commands, [.noteActivity, .forgetProofing])
  }

  func testUC3_1_8bExitIsOfferedBesideEveryRescan() {
    var walk = failed(.readLicence, .recoverable, .documentDamaged)
    walk.forgetTrail()
    walk.choose(.exit)
    XCTAssertEqual(walk.taken, ["UC3.1 8bc"])
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssert(walk.commands.contains(.releaseClaim))
  }

  func testAFailureWithoutRemedyOnItsScreenIsInternal() {
    let odd: [(FlowEffect, ProofingError?)] = [
      (.claimCode, nil), (.claimCode, .codeVersion), (.claimCode, .proofRescanDocument),
      (.readLicence, nil), (.readLicence, .proofCodeExpired), (.submitProofing, nil),
    ]
    for (effect, failure) in odd {
      let walk = failed(effect, .recoverable, failure)
      XCTAssertEqual(walk.at, row(of: effect, true))
      XCTAssertEqual(walk.step?.arguments[.failure], .text("proof.internal"))
    }
    XCTAssertEqual(
      failed(.submitProofing, .irrecoverable, nil).step?.arguments[.failure],
      .text("proof.internal"))
  }

  func testUC3_1_10aASourceUnavailableUntilTheDeadlineIsFinal() {
    let walk = failed(.submitProofing, .irrecoverable, .proofSourceUnavailable)
    XCTAssertEqual(walk.at, "UC3.1 10a")
    XCTAssertEqual(walk.step?.name, "proofing-failed")
    XCTAssertEqual(walk.step?.arguments[.reference], .text("R-test"))
  }

  func testUC3_1_7dAnd9beALapsedSessionRestartsWithANotice() {
    for effect in [FlowEffect.readLicence, .submitProofing] {
      let answers: [(Outcome, ProofingError?)] = [
        (.sessionLost, nil), (.recoverable, .sessionLost), (.irrecoverable, .sessionLost),
      ]
      for (outcome, failure) in answers {
        let walk = failed(effect, outcome, failure)
        XCTAssertEqual(walk.at, "UC3.1 2b")
        XCTAssertEqual(walk.taken.last, effect == .readLicence ? "UC3.1 7d" : "UC3.1 9be")
        XCTAssertEqual(walk.step?.notices, ["session-lost"])
        XCTAssertEqual(walk.step?.arguments[.failure], .text("session_lost"))
        XCTAssert(
          walk.step?.message.hasPrefix(StepText.message(of: .sessionLost, [:])) ?? false)
        XCTAssert(walk.commands.contains(.releaseClaim))
      }
    }
  }

  func testAnErrorOfTheProofingHasAReferenceForSupport() {
    for effect in [FlowEffect.claimCode, .readLicence, .submitProofing] {
      let walk = failed(effect, .failed, nil, [.statusName: .text("INTERNAL")])
      XCTAssertEqual(walk.step?.name, "generic")
      XCTAssertEqual(walk.step?.arguments[.reference], .text("R-test"))
      XCTAssert(walk.step?.message.contains("R-test") ?? false)
    }
  }

  // MARK: Texts

  func testUC3_1_8bAttemptsAreShownWhenTwoOrFewerAreLeft() {
    for (left, isTold) in [(3, false), (2, true), (1, true)] {
      let walk = failed(
        .readLicence, .recoverable, .documentDamaged, [.attemptsLeft: .number(Int64(left))])
      XCTAssertEqual(walk.step?.arguments[.attemptsLeft] != nil, isTold)
      XCTAssertEqual(walk.step?.message.contains("left."), isTold)
    }
  }

  func testUC3_1_10aAReferenceOfTheProviderIsShown() {
    let walk = failed(
      .submitProofing, .irrecoverable, .proofDeclined, [.reference: .text("P-provider")])
    XCTAssertEqual(walk.step?.arguments[.reference], .text("P-provider"))
    XCTAssert(walk.step?.message.contains("P-provider") ?? false)
  }

  func testUC3_1_8aMessagesShowTheArgumentsOfCodes() {
    let told: [(ProofingError, StepArgument, Step.Value, String)] = [
      (.documentUnderAge, .minimumAge, .number(18), "18"),
      (.attemptsExhausted, .retryAfter, .number(600_000), "10 minutes"),
    ]
    for (failure, name, value, part) in told {
      let walk = failed(.readLicence, .irrecoverable, failure, [name: value])
      XCTAssert(walk.step?.message.contains(part) ?? false, failure.rawValue)
    }
  }

  func testEveryCodeHasAMessageWithoutArguments() {
    for failure in ProofingError.allCases {
      XCTAssertFalse(StepText.message(of: failure, [:]).isEmpty)
    }
  }
}
