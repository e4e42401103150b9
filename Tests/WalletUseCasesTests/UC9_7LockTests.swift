import WalletModel
import XCTest

@testable import WalletUseCases

final class UC9_7LockTests: FlowTestCase {
  private func trail(_ walk: Walk, _ event: FlowInput) -> [String] {
    var walk = walk
    walk.forgetTrail()
    walk.send(event)
    return walk.taken
  }

  func testUC9_7_1_1aActivityIsNotedOnlyWhileUnlocked() {
    XCTAssertEqual(trail(.dashboard(), .userActivity), ["UC9.7 1.1a"])
    XCTAssertEqual(trail(.locked(), .userActivity), [])
  }

  func testUC9_7_1_1bInactivityLocks() {
    var walk = Walk.dashboard()
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertFalse(walk.engine.isUnlocked)
    XCTAssertEqual(trail(.dashboard(), .locked(.inactivity)).first, "UC9.7 1.1b")
  }

  func testUC9_7_1_1cTheWarningIsShownOverAnyStep() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.inactivityWarning(locksAt: 30_000))
    XCTAssertEqual(walk.at, "UC9.7 1.2")
    XCTAssertEqual(walk.step?.beneath, "card-details")
    XCTAssertEqual(walk.step?.arguments[.locksIn], .number(30_000))
    XCTAssertEqual(walk.step?.isProtected, true)
    XCTAssertEqual(walk.offered, ["continue", "lock"])
    XCTAssertEqual(walk.taken.last, "UC9.7 1.1c")
    walk.choose(.goOn)
    XCTAssertEqual(walk.at, "UC7.1 2.1")
    XCTAssertEqual(walk.taken.last, "UC9.7 1.2a")
  }

  func testUC9_7_1_2TheWarningIsShownOverPendingWork() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.isHolding = true
    walk.choose(.confirmDelete)
    walk.send(.inactivityWarning(locksAt: 30_000))
    XCTAssertEqual(walk.at, "UC9.7 1.2")
    let serial = walk.engine.serial
    walk.send(.slow(id: walk.engine.pending?.id ?? 0))
    XCTAssertEqual(walk.engine.serial, serial)
    walk.choose(.goOn)
    XCTAssertEqual(walk.at, "UC9.4 1.2")
    walk.finish()
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC9_7_1_2bTheWarningCanLock() {
    var walk = Walk.dashboard()
    walk.send(.inactivityWarning(locksAt: 30_000))
    walk.forgetTrail()
    walk.choose(.lock)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.taken, ["UC9.7 1.2b", "UC2.3 1.1b"])
    XCTAssertEqual(walk.commands, [.noteActivity, .lock])
  }

  func testUC9_7_1_2cTheWarningEndsInALock() {
    var walk = Walk.dashboard()
    walk.send(.inactivityWarning(locksAt: 30_000))
    walk.forgetTrail()
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.taken, ["UC9.7 1.2c", "UC2.3 1.1b"])
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }

  func testUC9_7_1_2OtherActivityEndsTheWarning() {
    var walk = Walk.dashboard()
    walk.send(.inactivityWarning(locksAt: 30_000))
    let serial = walk.engine.serial
    walk.send(.warningOver)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.engine.refusal(of: serial, "lock", .none), .stale)
  }

  func testUC9_7_1_1dAShortBackgroundChangesNothing() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.background)
    walk.forgetTrail()
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC7.1 2.1")
    XCTAssertEqual(walk.taken.first, "UC9.7 1.1d")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1", "the history was not cut")
  }

  func testUC9_7_1_1eALongBackgroundLocksAtOnce() {
    var walk = Walk.scanning(.ios, [])
    walk.send(.background)
    walk.isHolding = true
    walk.forgetTrail()
    walk.send(.locked(.background))
    XCTAssertFalse(walk.engine.isUnlocked)
    XCTAssertEqual(walk.taken, ["UC9.7 1.1e"])
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.3 1.3", "no scan opens in the background")
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_7_1_1InTheBackgroundThereIsNoWarning() {
    var walk = Walk.dashboard()
    walk.send(.inactivityWarning(locksAt: 30_000))
    walk.send(.background)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    walk.send(.inactivityWarning(locksAt: 30_000))
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_7_2TheMenuLocksAndTheSameStepResumes() {
    var walk = Walk.dashboard()
    walk.forgetTrail()
    walk.choose(.lock)
    XCTAssertEqual(walk.taken, ["UC7.1 1.1i", "UC9.7 2a", "UC2.3 1.1b"])
    XCTAssertEqual(walk.commands, [.noteActivity, .lock])
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.7a")
  }

  func testUC9_7_2ALockWhileLockedCancelsAPinCheck() {
    var walk = Walk.locked()
    walk.isHolding = true
    walk.enterPin()
    let id = walk.engine.pending?.id ?? 0
    walk.send(.lockRequested)
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.send(.outcome(id: id, .valid, Details()))
    XCTAssertFalse(walk.engine.isUnlocked)
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    let serial = walk.engine.serial
    walk.send(.lockRequested)
    XCTAssertEqual(walk.engine.serial, serial, "otherwise there is nothing to cancel")
  }
}
