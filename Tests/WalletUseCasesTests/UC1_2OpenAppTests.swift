import WalletModel
import XCTest

@testable import WalletUseCases

final class UC1_2OpenAppTests: FlowTestCase {
  func testUC1_2_1_1aALaunchShowsTheSplashScreenForASecond() {
    var walk = Walk()
    XCTAssertNil(walk.step)
    walk.open(.launch)
    XCTAssertEqual(walk.at, "UC1.2 2.1")
    XCTAssertEqual(walk.taken, ["UC1.2 1.1a"])
    XCTAssertEqual(walk.offered, [])
    XCTAssertEqual(walk.engine.timer, StepTimer(serial: walk.engine.serial, end: .splash))
  }

  func testUC1_2_1_1aAResumeOfACoreThatWasJustStartedIsALaunch() {
    var walk = Walk()
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.2 2.1")
  }

  func testUC1_2_2_3bWithoutAWalletTheAppIsIntroduced() {
    let walk = Walk.introduction()
    XCTAssertEqual(walk.at, "UC1.1 1.1")
    XCTAssertEqual(
      walk.taken, ["UC1.2 1.1a", "UC1.2 2.1a", "PF1.4 1.1a", "UC1.2 2.2a", "UC1.2 2.3b"])
  }

  func testUC1_2_2_3aWithAWalletItIsUnlocked() {
    let walk = Walk.locked()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssert(walk.taken.contains("UC1.2 2.3a"))
  }

  func testUC1_2_2_3bARefusedLinkIsReportedOnTheNextStep() {
    var walk = Walk()
    walk.open()
    walk.isHolding = true
    walk.passTime()
    walk.send(.outcome(id: pendingID(walk), .allowed, Details()))
    walk.send(.outcome(id: pendingID(walk), .no, Details(notices: [.linkNeedsWallet])))
    XCTAssertEqual(walk.at, "UC1.1 1.1")
    XCTAssertEqual(walk.step?.notices, ["no-wallet"])
    walk.choose(.next)
    XCTAssertEqual(walk.step?.notices, [])
  }

  private func pendingID(_ walk: Walk) -> UInt64 { walk.engine.pending?.id ?? 0 }

  func testUC1_2_2_3cUnusableStorageIsAnErrorThatCanBeTriedAgain() {
    var walk = Walk()
    walk.answers[.isPinSetUp] = [.failed]
    walk.open()
    walk.passTime()
    XCTAssertEqual(walk.at, "UC1.2 2.3 generic")
    XCTAssertEqual(walk.offered, ["try-again", "close"])
    var other = walk
    other.choose(.close)
    XCTAssertEqual(other.step?.kind, .end)
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC1_2_1_1bALaunchWhileAFlowIsUnderWayCountsAsAResume() {
    var walk = Walk.dashboard()
    walk.forgetTrail()
    walk.open(.launch)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(
      walk.taken,
      [
        "UC1.2 1.1b", "UC1.2 3.1a", "UC1.2 3.2a", "UC1.2 3.3a", "PF2.7 1.1b", "UC1.2 3.4a",
      ])
  }

  func testUC1_2_3_1bWithoutAWalletTheSuspendedStepResumes() {
    var walk = Walk.introduction()
    walk.choose(.next)
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.1 1.2")
    XCTAssert(walk.taken.contains("UC1.2 3.1b"))
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC1_2_3_2bALockedWalletIsUnlockedFirst() {
    var walk = Walk.locked()
    walk.choose(.info)
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssert(walk.taken.contains("UC1.2 3.2b"))
  }

  func testUC1_2_3_3bWithoutAPIDNoLinkIsResolved() {
    var walk = Walk.locked(hasPID: false)
    walk.enterPin()
    walk.forgetTrail()
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC3.1 2b")
    XCTAssertEqual(walk.taken.last, "UC1.2 3.3b")
  }

  func testTheLaunchIsNotInterruptedByAnotherOpening() {
    var walk = Walk()
    walk.open()
    let serial = walk.engine.serial
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.2 2.1")
    XCTAssertGreaterThan(walk.engine.serial, serial)
    walk.send(.timeIsUp(serial: serial))
    XCTAssertEqual(walk.at, "UC1.2 2.1", "the timer of an earlier step")
  }
}
