import WalletModel
import XCTest

@testable import WalletUseCases

/// I5: each start of the scanner for codes is an attempt, five in fifteen minutes.
final class UC3_1AttemptTests: FlowTestCase {
  private static let minute: Int64 = 60_000

  /// After `count` scans that were cancelled, a minute apart.
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

  func testUC3_1_5bAttemptsLeftAreToldFromTwoOn() {
    let told: [Int: Step.Value] = [3: .number(2), 4: .number(1)]
    for count in 1...4 {
      let walk = cancelled(count)
      XCTAssertEqual(walk.at, "UC3.1 5b")
      XCTAssertEqual(walk.step?.arguments["attempts_left"], told[count])
    }
  }

  func testUC3_1_5bdTheFifthFailureIsFinalForNow() {
    let walk = cancelled(5)
    XCTAssertEqual(walk.at, "UC3.1 5a")
    XCTAssertEqual(walk.taken.suffix(2), ["UC3.1 3c", "UC3.1 5bd"])
    XCTAssertEqual(walk.step?.arguments["failure"], .text("code.rate_limited"))
    XCTAssertEqual(walk.step?.arguments["retry_after_ms"], .number(11 * Self.minute))
    XCTAssert(walk.step?.message.contains("11 minutes") ?? false)
    XCTAssertEqual(walk.step?.arguments["reference"], .text("R-test"))
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

  func testTheConnectionCostsNoAttemptAndTheCodeCanStillBeClaimed() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.isHolding = true
    walk.choose(.scanned)
    walk.details = Details(failure: .codeNetwork)
    walk.outcomes[.claimCode] = [.recoverable]
    walk.finish()
    XCTAssertEqual(walk.at, "UC3.1 5b")
    XCTAssertNil(walk.step?.arguments["attempts_left"])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC3.1 5c")
  }

  func testAScannerThatIsShownAgainIsNoAttempt() {
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

  func testAnErrorThatLeadsBackToTheScannerIsAnAttempt() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.outcomes[.claimCode] = [.failed]
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 4 generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC3.1 5a")
  }

  func testAStrangersAccountWithoutAnAttemptLeftIsFinal() {
    var walk = cancelled(4)
    walk.choose(.scanAgain)
    walk.choose(.scanned)
    walk.choose(.notMyAccount)
    XCTAssertEqual(walk.at, "UC3.1 5a")
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

  func testNoTimeTraps() {
    var attempts = CodeAttempts()
    for now in [Int64.min, .max, .min, -1, 0, .max, .max, .max, .max, .max] {
      attempts.note(at: now)
      XCTAssert((0...5).contains(attempts.left(at: now)))
      XCTAssert((0...CodeAttempts.window).contains(attempts.wait(at: now)))
    }
  }
}
