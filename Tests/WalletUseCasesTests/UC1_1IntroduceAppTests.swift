import WalletModel
import XCTest

@testable import WalletUseCases

final class UC1_1IntroduceAppTests: FlowTestCase {
  func testUC1_1NextLeadsThroughTheIntroductionToThePrivacyConsiderations() {
    var walk = Walk.introduction()
    for row in ["UC1.1 1.2", "UC1.1 1.3", "UC1.1 1.4"] {
      walk.choose(.next)
      XCTAssertEqual(walk.at, row)
    }
    walk.choose(.next)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  func testUC1_1_1_1HasNoBackAndPauseStays() {
    var walk = Walk.introduction()
    XCTAssertEqual(walk.offered, ["next", "skip", "help", "pause-or-play"])
    walk.choose(.pauseOrPlay)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
    walk.choose(.next)
    walk.choose(.pauseOrPlay)
    XCTAssertEqual(walk.at, "UC1.1 1.2")
    walk.choose(.next)
    walk.choose(.pauseOrPlay)
    XCTAssertEqual(walk.at, "UC1.1 1.3")
  }

  func testUC1_1BackLeadsToTheScreenBefore() {
    var walk = Walk.introduction()
    for _ in 1...3 { walk.choose(.next) }
    for row in ["UC1.1 1.3", "UC1.1 1.2", "UC1.1 1.1"] {
      walk.choose(.back)
      XCTAssertEqual(walk.at, row)
    }
  }

  func testUC1_1_1_4aBackLeadsToWhereSkipWasChosen() {
    var walk = Walk.introduction()
    walk.choose(.skip)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
    walk.choose(.next)
    walk.choose(.skip)
    XCTAssertEqual(walk.at, "UC1.1 1.4")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC1.1 1.2")
  }

  func testUC1_1_2_1ThePrivacyStatementLeadsBack() {
    var walk = Walk.introduction()
    walk.choose(.skip)
    walk.choose(.readPrivacyStatement)
    XCTAssertEqual(walk.at, "UC1.1 2.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC1.1 1.4")
  }

  func testUC1_1HelpReturnsToTheScreenThatItWasChosenOnWithANewSerial() {
    var walk = Walk.introduction()
    for row in ["UC1.1 1.1", "UC1.1 1.2", "UC1.1 1.3", "UC1.1 1.4"] {
      let serial = walk.engine.serial
      walk.choose(.help)
      XCTAssertEqual(walk.at, "UC9.6 1")
      XCTAssertEqual(walk.step?.kind, .handOff)
      walk.choose(.done)
      XCTAssertEqual(walk.at, row)
      XCTAssertEqual(walk.engine.serial, serial + 2)
      if row != "UC1.1 1.4" { walk.choose(.next) }
    }
  }

  func testAStaleOrUnknownChoiceChangesNothing() {
    var walk = Walk.introduction()
    let before = walk.engine
    for event in [
      FlowInput.chose(serial: before.serial - 1, .next, nil),
      .chose(serial: before.serial, .back, nil),
      .chose(serial: before.serial, .next, PinSlot(7)),
      .outcome(id: 99, .yes, Details()), .scanned(id: 99, .opened, Details()), .slow(id: 99),
      .timeIsUp(serial: before.serial),
    ] { walk.send(event) }
    XCTAssertEqual(walk.at, "UC1.1 1.1")
    XCTAssertEqual(walk.engine.serial, before.serial)
    XCTAssertEqual(walk.engine.heldSlots, [])
  }
}
