import WalletModel
import XCTest

@testable import WalletUseCases

final class PF2_7UniversalLinkTests: FlowTestCase {
  /// Resumes the app on the card's details through a link.
  private func resumed(_ validity: Outcome, _ purpose: Outcome = .issuance) -> Walk {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.answers = [.isLinkThere: [.yes], .isLinkValid: [validity], .linkPurpose: [purpose]]
    walk.openLink()
    return walk
  }

  func testPF2_7_1_3ALinkLeadsToItsPurpose() {
    let uses: [(Outcome, String)] = [
      (.issuance, "UC4.1 1"), (.sharing, "UC5.1 1.4"), (.login, "UC5.2 1.3"),
    ]
    for (purpose, row) in uses {
      var walk = resumed(.valid, purpose)
      XCTAssertEqual(walk.at, row)
      guard purpose == .issuance else { continue }
      walk.choose(.done)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testPF2_7_1_3dAnEnrolmentLinkIsClaimed() {
    var walk = Walk.dashboard()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.enrolment]]
    walk.outcomes[.checkProofing] = [.codeKept]
    walk.openLink()
    XCTAssertEqual(walk.at, "UC3.1 5c")
    XCTAssertEqual(walk.taken.suffix(3), ["PF2.7 1.3d", "UC3.1 1b", "UC3.1 4a"])
  }

  func testPF2_7_1_2bACodeForOurScannerIsScannedWithTheWallet() {
    var walk = resumed(.foreignScanner)
    XCTAssertEqual(walk.at, "PF2.7 2.1")
    XCTAssertEqual(walk.step?.kind, .prompt)
    XCTAssertEqual(walk.step?.beneath, "card-details")
    walk.choose(.scan)
    XCTAssertEqual(walk.at, "UC9.9 1.1")
  }

  func testPF2_7_2_1aClosingThePromptResumes() {
    var walk = resumed(.foreignScanner)
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC7.1 2.1")
    XCTAssertEqual(walk.taken.suffix(2), ["PF2.7 2.1a", "UC1.2 3.4a"])
  }

  func testPF2_7_1_2cAnInvalidLinkIsReportedOnTheResumedStep() {
    let walk = resumed(.invalid)
    XCTAssertEqual(walk.at, "UC7.1 2.1")
    XCTAssertEqual(walk.step?.notices, ["link-invalid"])
  }

  func testUC2_3_1_6ALinkIsResolvedAfterTheUnlock() {
    var walk = Walk.locked()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.login]]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
    XCTAssertEqual(
      walk.taken.suffix(6).dropLast(),
      ["UC2.3 1.4a", "UC2.3 1.5a", "PF2.7 1.1a", "PF2.7 1.2a", "PF2.7 1.3c"])
  }

  func testALockOverThePromptKeepsTheSuspendedStep() {
    var walk = resumed(.foreignScanner)
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 2.1")
  }

  func testNoticesStayUntilTheUserHasActed() {
    var walk = resumed(.invalid)
    walk.send(.inactivityWarning(locksAt: 60_000))
    walk.send(.warningOver)
    XCTAssertEqual(walk.step?.notices, ["link-invalid"])
    walk.choose(.back)
    XCTAssertEqual(walk.step?.notices, [])
  }
}
