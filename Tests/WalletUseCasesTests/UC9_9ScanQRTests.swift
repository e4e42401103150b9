import WalletModel
import XCTest

@testable import WalletUseCases

final class UC9_9ScanQRTests: FlowTestCase {
  private func scanner() -> Walk {
    var walk = Walk.dashboard()
    walk.choose(.scan)
    walk.choose(.granted)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
    return walk
  }

  func testUC9_9_1_1bThePermissionIsAskedFor() {
    var walk = Walk.dashboard()
    walk.choose(.scan)
    XCTAssertEqual(walk.step?.name, "camera-permission")
    walk.choose(.rejected)
    XCTAssertEqual(walk.at, "UC9.9 1.2")
    XCTAssertEqual(walk.step?.name, "ask-for-camera")
    walk.choose(.granted)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_9_2_1WithoutTheCameraNothingIsScanned() {
    var walk = Walk.dashboard()
    walk.choose(.scan)
    walk.choose(.rejected)
    walk.choose(.rejected)
    XCTAssertEqual(walk.at, "UC9.9 2.1")
    walk.choose(.help)
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC9.9 2.1")
    walk.choose(.grant)
    XCTAssertEqual(walk.at, "UC9.9 1.2")
    walk.choose(.rejected)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_9_1_3TheTorchStaysAndHelpReturns() {
    var walk = scanner()
    XCTAssertEqual(walk.step?.input, .scan)
    walk.choose(.torch)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
    walk.choose(.help)
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
    XCTAssertEqual(
      walk.engine.refusal(of: walk.engine.serial, "scanned", .none), .inputWanted(.scan))
  }

  func testUC9_9_1_5ACodeLeadsToItsPurpose() {
    let uses: [(Outcome, String)] = [
      (.issuance, "UC4.1 1"), (.sharing, "UC5.1 1.4"), (.login, "UC5.2 1.3"),
    ]
    for (purpose, row) in uses {
      var walk = scanner()
      walk.answers[.codePurpose] = [purpose]
      walk.choose(.scanned)
      XCTAssertEqual(walk.at, row)
      guard purpose == .issuance else { continue }
      walk.choose(.done)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC9_9_1_5dAnEnrolmentCodeIsClaimedWithoutAnotherScan() {
    var walk = scanner()
    walk.answers[.codePurpose] = [.enrolment]
    walk.outcomes[.checkProofing] = [.codeKept]
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.taken.suffix(3), ["UC9.9 1.5d", "UC3.1 1b", "UC3.1 4a"])
  }

  func testUC9_9_1_5eACodeOfAnUnknownKindIsAnError() {
    var walk = scanner()
    walk.answers[.codePurpose] = [.failed]
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC9.9 1.5 generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
  }

  func testUC9_9_1_4bAnInvalidCodeIsReportedOverTheScanner() {
    var walk = scanner()
    walk.answers[.isCodeValid] = [.invalid]
    walk.details = Details(arguments: [.reason: .text("no-pid")])
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC9.9 3.1")
    XCTAssertEqual(walk.step?.beneath, "scan-qr")
    XCTAssertEqual(walk.step?.arguments[.reason], .text("no-pid"))
    walk.choose(.ok)
    XCTAssertEqual(walk.at, "UC9.9 1.3")
  }

  func testUC9_9LockWhileACodeIsCheckedResumesTheScanner() {
    var walk = scanner()
    walk.isHolding = true
    walk.choose(.scanned)
    walk.send(.locked(.inactivity))
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC9.9 1.3")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1", "without a screen before it, Back leads to the dashboard")
  }
}
