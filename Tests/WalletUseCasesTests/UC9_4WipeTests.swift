import WalletModel
import XCTest

@testable import WalletUseCases

final class UC9_4WipeTests: FlowTestCase {
  func testUC9_4_1_1bCancelLeadsToTheScreenBefore() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_4_1_2aADeletedWalletLeavesNothing() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.lockRequested)
    walk.choose(.forgotPin)
    walk.choose(.deleteWallet)
    walk.forgetTrail()
    walk.choose(.confirmDelete)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
    XCTAssertEqual(walk.taken, ["UC9.4 1.1a", "UC9.4 1.2a"])
    XCTAssert(walk.commands.contains(.forgetLink))
    XCTAssertNil(walk.engine.suspended)
    XCTAssertEqual(walk.engine.history, [])
    XCTAssertFalse(walk.engine.isUnlocked)
  }

  func testUC9_4_1_2bAFailureCanBeTriedAgain() {
    var walk = Walk.dashboard()
    walk.outcomes[.wipe] = [.failed]
    walk.choose(.removeData)
    walk.choose(.confirmDelete)
    XCTAssertEqual(walk.at, "UC9.4 1.2 generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
    walk.outcomes[.wipe] = [.failed]
    walk.choose(.confirmDelete)
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC9_4_1_2TheLockDoesNotInterruptADeletion() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.isHolding = true
    walk.choose(.confirmDelete)
    walk.send(.inactivityWarning(locksAt: 1000))
    XCTAssertEqual(walk.step?.name, "inactivity-warning")
    walk.send(.locked(.request))
    XCTAssertEqual(walk.at, "UC9.4 1.2")
    XCTAssertEqual(walk.step?.kind, .progress)
    walk.send(.unlocked)
    walk.send(.takenOver)
    XCTAssertEqual(walk.engine.pending?.job, .perform(.wipe))
    walk.finish()
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC9_4_1_1bAfterALockCancelLeadsToTheUnlock() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.isHolding = true
    walk.choose(.confirmDelete)
    walk.send(.locked(.request))
    walk.outcomes[.wipe] = [.failed]
    walk.finish()
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC2.3 1.3", "Back never crosses the lock")
  }

  func testUC9_4WipeByAHostsOwnScreensLeadsToTheIntroduction() {
    for action in [Action.card, .about, .scan] {
      var walk = Walk.dashboard()
      walk.choose(action)
      walk.facts = Facts()
      walk.send(.wiped)
      XCTAssertEqual(walk.at, "UC1.1 1.1")
      XCTAssertFalse(walk.engine.isUnlocked)
    }
  }

  func testUC9_4WipeElsewhereDoesNotDisturbStepsWithoutAWallet() {
    var walk = Walk.introduction()
    walk.choose(.next)
    walk.choose(.help)
    walk.send(.wiped)
    XCTAssertEqual(walk.at, "UC9.6 1")
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC1.1 1.2")

    walk = Walk()
    walk.facts.isRegistered = true
    walk.open()
    walk.isHolding = true
    walk.passTime()
    walk.facts = Facts()
    walk.send(.wiped)
    walk.finish()
    XCTAssertEqual(walk.at, "UC1.1 1.1", "the start-up continues")
  }

  func testUC9_4WipeElsewhereWhileTheAppResumesEndsTheResume() {
    var walk = Walk.dashboard()
    walk.isHolding = true
    walk.open(.resume)
    let id = walk.engine.pending?.id ?? 0
    walk.facts = Facts()
    walk.send(.wiped)
    walk.send(.outcome(id: id, .yes, Details()))
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC9_4WipeElsewhereDuringADeletionClearsTheHistory() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.isHolding = true
    walk.choose(.confirmDelete)
    walk.facts = Facts()
    walk.send(.wiped)
    walk.outcomes[.wipe] = [.failed]
    walk.finish()
    walk.choose(.back)
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC9_4WhereOnlyStartingOverHelpsAnErrorOffersTheWipe() {
    var walk = Walk.locked()
    walk.outcomes[.validatePin] = [.failed]
    walk.details = Details(repeatingHelps: false, wipeHelps: true)
    walk.enterPin()
    XCTAssertEqual(walk.offered, ["back", "delete-wallet"])
    walk.choose(.deleteWallet)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }
}
