import XCTest

@testable import WalletUseCases

final class UC9_2AboutTests: FlowTestCase {
  func testUC9_2_1_1aTheWebsiteIsLeftToTheHost() {
    var walk = Walk.dashboard()
    walk.choose(.about)
    let serial = walk.engine.serial
    walk.choose(.website)
    XCTAssertEqual(walk.at, "UC9.2 1.1")
    XCTAssertEqual(walk.engine.serial, serial + 1)
  }

  func testUC9_2_1_1bThePrivacyStatementLeadsBackHereAndOnToTheStart() {
    var walk = Walk.dashboard()
    walk.choose(.about)
    walk.choose(.readPrivacyStatement)
    XCTAssertEqual(walk.at, "UC9.2 2.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC9.2 1.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_2AfterAResumeBackLeadsToTheDashboard() {
    var walk = Walk.dashboard()
    walk.choose(.about)
    walk.choose(.readPrivacyStatement)
    walk.send(.lockRequested)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC9.2 2.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC9.2 1.1", "the published way back")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }
}
