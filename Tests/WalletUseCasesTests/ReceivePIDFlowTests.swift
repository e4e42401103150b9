import WalletModel
import XCTest

@testable import WalletUseCases

/// UC3.1 9c and 9d: the PIN with which a PID is received.
final class ReceivePIDFlowTests: FlowTestCase {
  /// At UC3.1 9c: the verdict came, and nobody has proved the PIN since.
  private func asked() -> Walk {
    var walk = Walk.scanningLicence()
    walk.facts.proofing = .submitted
    walk.outcomes[.submitProofing] = [.pinNeeded, .issued]
    walk.choose(.scanned)
    return walk
  }

  func testUC3_1_9bgAndcaAndda_ThePINBringsThePID() {
    var walk = asked()
    XCTAssertEqual(walk.at, "UC3.1 9c")
    XCTAssertEqual(walk.step?.name, "receive-with-pin")
    XCTAssertEqual(walk.step?.arguments[.pinLength], .number(6))
    XCTAssertEqual(walk.step?.isProtected, true)
    XCTAssertEqual(walk.offered, ["enter", "exit"])
    walk.isHolding = true
    walk.enterPin()
    XCTAssertEqual(walk.engine.pending?.job, .perform(.validatePin))
    XCTAssertEqual(walk.engine.pending?.caller, .receiveByPin)
    XCTAssertNotNil(walk.engine.pending?.slots.first)
    walk.finish()
    XCTAssertEqual(walk.at, "UC3.1 11")
  }

  func testUC3_1_9dbAndcAWrongPINIsAskedForAgain() {
    var walk = asked()
    walk.outcomes[.validatePin] = [.wrongFirst, .wrongSecond, .valid]
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 2.1")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC3.1 9c")
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 3.1")
    walk.choose(.forgotPin)
    XCTAssertEqual(walk.at, "PF2.8 10.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC3.1 9c", "PF2.8 ends with Back")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 11")
  }

  func testUC3_1_9cALinkWaitsForThePINThatReceivesThePID() {
    var walk = asked()
    func check(_ row: String) {
      let (step, serial) = (walk.step, walk.engine.serial)
      walk.openLink()
      XCTAssertEqual(walk.at, row)
      XCTAssertEqual(walk.step, step)
      XCTAssertEqual(walk.engine.serial, serial, "the user's tap")
    }
    walk.outcomes[.validatePin] = [.wrongFirst, .valid]
    check("UC3.1 9c")
    walk.enterPin()
    check("PF2.8 2.1")
    walk.choose(.close)
    walk.answers[.isLinkThere] = [.yes]
    walk.answers[.linkPurpose] = [.login]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3", "it is opened after the PID was received")
  }

  func testUC3_1_9cbThePIDCanBeReceivedLater() {
    var walk = asked()
    walk.choose(.exit)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertFalse(walk.commands.contains(.releaseClaim))
    walk.outcomes[.checkProofing] = [.submissionPending]
    walk.outcomes[.submitProofing] = [.pinNeeded, .issued]
    walk.choose(.obtainPID)
    XCTAssertEqual(walk.at, "UC3.1 9c")
  }

  func testAnUnlockWithThePINIsWhatWasAskedFor() {
    var walk = asked()
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 11")
  }

  func testALockBeneathTheCheckOfThePINResumesWithThePID() {
    var walk = asked()
    walk.isHolding = true
    walk.enterPin()
    walk.send(.locked(.inactivity))
    walk.isHolding = false
    walk.finish()
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 11")
  }

  func testALinkWaitsWhileThePINIsAskedFor() {
    var walk = asked()
    XCTAssertTrue(walk.engine.isProofingUnderWay)
    walk.choose(.exit)
    XCTAssertFalse(walk.engine.isProofingUnderWay)
  }
}
