import WalletModel
import XCTest

@testable import WalletUseCases

/// Each start of the scanner for codes is an attempt, five in fifteen minutes.
final class UC3_1AttemptTests: FlowTestCase {
  private static let minute: Int64 = 60_000

  /// Returns a walk after `count` cancelled scans, a minute apart.
  private func cancelled(_ count: Int) -> Walk {
    var walk = Walk.proofing()
    walk.facts.now = 0
    walk.choose(.scan)
    for index in 1...count {
      walk.choose(.cancel)
      guard index < count else { break }
      walk.facts.now += Self.minute
      walk.choose(.scanAgain)
    }
    return walk
  }

  func testUC3_1_5bAttemptsLeftAreShownFromTwoDown() {
    let told: [Int: Step.Value] = [3: .number(2), 4: .number(1)]
    for count in 1...4 {
      let walk = cancelled(count)
      XCTAssertEqual(walk.at, "UC3.1 5b")
      XCTAssertEqual(walk.step?.arguments[.attemptsLeft], told[count])
    }
  }

  func testUC3_1_5bdTheFifthFailureIsFinalForNow() {
    let walk = cancelled(5)
    XCTAssertEqual(walk.at, "UC3.1 5a")
    XCTAssertEqual(walk.taken.suffix(2), ["UC3.1 3c", "UC3.1 5bd"])
    XCTAssertEqual(walk.step?.arguments[.failure], .text("code.rate_limited"))
    XCTAssertEqual(walk.step?.arguments[.retryAfter], .number(11 * Self.minute))
    XCTAssert(walk.step?.message.contains("11 minutes") ?? false)
    XCTAssertEqual(walk.step?.arguments[.reference], .text("R-test"))
    XCTAssertEqual(walk.offered, ["exit"])
  }

  func testUC3_1_3fNoScannerStartsWhileNoAttemptIsLeft() {
    var walk = cancelled(5)
    walk.choose(.exit)
    walk.choose(.obtainPID)
    walk.choose(.scan)
    XCTAssertEqual(walk.at, "UC3.1 5a")
    XCTAssertEqual(walk.taken.suffix(2), ["UC3.1 2ba", "UC3.1 3f"])
    walk.choose(.exit)
    walk.choose(.obtainPID)
    walk.facts.now = 15 * Self.minute
    walk.choose(.scan)
    XCTAssertEqual(walk.at, "UC3.1 3", "the first start is fifteen minutes old")
  }

  func testUC3_1_3ACodeOfAnotherKindIsNoAttempt() {
    var walk = Walk.proofing()
    walk.facts.now = 0
    walk.choose(.scan)
    for _ in 0..<7 {
      XCTAssertEqual(walk.at, "UC3.1 3")
      XCTAssertEqual(walk.step?.arguments[.symbology], .text("qr-code"))
      walk.outcomes[.claimCode] = [.recoverable]
      walk.effectDetails[.claimCode] = Details(failure: .codeNotOurs)
      walk.effectDetails[.claimCode]?.isOfOtherKind = true
      walk.choose(.scanned)
      XCTAssertEqual(walk.at, "UC3.1 5b")
      XCTAssertNil(walk.step?.arguments[.attemptsLeft])
      walk.choose(.scanAgain)
    }
  }

  func testUC3_1_5bALostConnectionCostsNoAttempt() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.isHolding = true
    walk.choose(.scanned)
    walk.details = Details(failure: .codeNetwork)
    walk.outcomes[.claimCode] = [.recoverable]
    walk.finish()
    XCTAssertEqual(walk.at, "UC3.1 5b")
    XCTAssertNil(walk.step?.arguments[.attemptsLeft], "no further scanner can be started")
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC3.1 5c")
  }

  func testUC3_1_5bAttemptsLeftAreShownAfterALostConnection() {
    var walk = cancelled(3)
    walk.choose(.scanAgain)
    walk.outcomes[.claimCode] = [.recoverable]
    walk.effectDetails[.claimCode] = Details(failure: .codeNetwork)
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 5b")
    XCTAssertEqual(walk.step?.arguments[.attemptsLeft], .number(1))
  }

  func testUC3_1_3bAScannerInTheBackgroundIsNotTimed() {
    for scanner in [UC3_1ObtainPIDTests.scanningCode(), .scanningLicence()] {
      var walk = scanner
      let timed = walk.engine.serial
      walk.send(.background)
      XCTAssertNil(walk.engine.timer)
      walk.send(.timeIsUp(serial: timed))
      XCTAssertEqual(walk.at, scanner.at)
      walk.send(.foreground)
      XCTAssertEqual(walk.at, scanner.at)
      XCTAssertNotEqual(walk.engine.timer?.serial, timed, "a new minute")
      walk.passTime()
      XCTAssertEqual(walk.step?.name, scanner.at == "UC3.1 3" ? "code-retry" : "licence-retry")
    }
  }

  // MARK: Licences

  func testUC3_1_8bAnd10bAttemptsLeftAreShownForEveryFailure() {
    for (left, told) in [(3, nil), (2, Step.Value.number(2)), (1, .number(1))] {
      var walk = Walk.scanningLicence()
      walk.facts.licenceAttemptsLeft = UInt32(left)
      for action in [nil, Action.cancel, .unreadable] {
        if let action { walk.choose(action) } else { walk.passTime() }
        XCTAssertEqual(walk.at, "UC3.1 8b")
        XCTAssertEqual(walk.step?.arguments[.attemptsLeft], told)
        walk.choose(.scanAgain)
      }
      for failure in [ProofingError.proofNetwork, .proofSourceUnavailable] {
        walk.outcomes[.submitProofing] = [.recoverable]
        walk.effectDetails[.submitProofing] = Details(failure: failure)
        walk.choose(walk.at == "UC3.1 6" ? .scanned : .tryAgain)
        XCTAssertEqual(walk.at, "UC3.1 10b")
        XCTAssertEqual(walk.step?.arguments[.attemptsLeft], told, failure.rawValue)
      }
    }
  }

  /// Returns a walk after the last licence attempt failed on the device, before anything was sent.
  private func exhausted() -> Walk {
    var walk = Walk.scanningLicence()
    walk.facts.now = 0
    walk.outcomes[.readLicence] = [.irrecoverable]
    walk.effectDetails[.readLicence] = Details(failure: .attemptsExhausted, ends: .claim)
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 8a")
    return walk
  }

  func testUC3_1_8aSpentAttemptsSayWhenToTryAgain() {
    let walk = exhausted()
    XCTAssertEqual(walk.step?.arguments[.retryAfter], .number(15 * Self.minute))
    XCTAssert(walk.step?.message.contains("15 minutes") ?? false)
    XCTAssert(walk.commands.contains(.releaseClaim))
  }

  func testUC3_1_5aAnotherClaimDoesNotRestoreTheAttempts() {
    var walk = exhausted()
    walk.facts.hasEnrolmentLink = true
    for action in [Action.scan, .useLink] {
      walk.choose(.exit)
      walk.choose(.obtainPID)
      walk.facts.now += Self.minute
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC3.1 5a")
      XCTAssertEqual(walk.step?.arguments[.failure], .text("code.rate_limited"))
      XCTAssertFalse(walk.engine.needsCode)
    }
    XCTAssertEqual(walk.step?.arguments[.retryAfter], .number(13 * Self.minute))
    walk.choose(.exit)
    walk.choose(.obtainPID)
    walk.facts.now = 15 * Self.minute
    walk.choose(.useLink)
    XCTAssertEqual(walk.at, "UC3.1 5c")
  }

  func testUC3_1_3AScannerThatIsShownAgainIsNoAttempt() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC3.1 3")
    walk.send(.lockRequested)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 3")
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 5c")
  }

  func testUC3_1_3fAnErrorThatLeadsBackToTheScannerIsAnAttempt() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.outcomes[.claimCode] = [.failed]
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 4 generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC3.1 5a")
    XCTAssertEqual(walk.taken.last, "UC3.1 3f")
  }

  func testUC3_1_5bdAnotherPersonsAccountWithoutAnAttemptLeftIsFinal() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.choose(.scanned)
    walk.choose(.notMyAccount)
    XCTAssertEqual(walk.at, "UC3.1 5a")
    XCTAssertEqual(walk.taken.suffix(2), ["UC3.1 5cb", "UC3.1 5bd"])
  }

  func testADeletedWalletHasAllAttempts() {
    var walk = cancelled(5)
    walk.facts.isRegistered = false
    walk.send(.wiped)
    XCTAssertEqual(walk.engine.codeAttempts, CodeAttempts())
  }

  func testTheWindowMovesWithTheClock() {
    var attempts = CodeAttempts()
    for minute in 0..<5 { attempts.note(at: Int64(minute) * Self.minute) }
    XCTAssertEqual(attempts.left(at: 5 * Self.minute), 0)
    XCTAssertEqual(attempts.wait(at: 5 * Self.minute), 10 * Self.minute)
    XCTAssertEqual(attempts.left(at: 15 * Self.minute - 1), 0)
    XCTAssertEqual(attempts.left(at: 15 * Self.minute), 1)
    XCTAssertEqual(attempts.left(at: 17 * Self.minute), 3)
    XCTAssertEqual(attempts.wait(at: 17 * Self.minute), 0)
  }

  func testNoTimeOverflows() {
    var attempts = CodeAttempts()
    for now in [Int64.min, .max, .min, -1, 0, .max, .max, .max, .max, .max] {
      attempts.note(at: now)
      if now == -1 { attempts.bar(at: now) }
      XCTAssert((0...5).contains(attempts.left(at: now)))
      XCTAssert((0...CodeAttempts.window).contains(attempts.wait(at: now)))
    }
  }
}
