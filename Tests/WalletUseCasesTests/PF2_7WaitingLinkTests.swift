import WalletModel
import XCTest

@testable import WalletUseCases

/// The steps that a link does not interrupt, and when it is opened instead.
final class PF2_7WaitingLinkTests: FlowTestCase {
  /// Opens a link, which must change nothing.
  private func check(_ walk: inout Walk, file: StaticString = #filePath, line: UInt = #line) {
    let (step, serial) = (walk.step, walk.engine.serial)
    let (held, pending) = (walk.engine.heldSlots, walk.engine.pending)
    walk.openLink()
    XCTAssertEqual(walk.step, step, file: file, line: line)
    XCTAssertEqual(walk.engine.serial, serial, "the user's tap", file: file, line: line)
    XCTAssertEqual(walk.engine.heldSlots, held, file: file, line: line)
    XCTAssertEqual(walk.engine.pending, pending, file: file, line: line)
  }

  private func expectLink(_ walk: inout Walk) {
    walk.answers[.isLinkThere] = [.yes]
    walk.answers[.linkPurpose] = [.login]
  }

  // MARK: A locked wallet

  func testUC2_3_1_3ALinkLeavesTheUnlockAsItIs() {
    var walk = Walk.locked()
    check(&walk)
    walk.choose(.forgotPin)
    check(&walk)
    walk.choose(.back)
    walk.choose(.info)
    check(&walk)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    expectLink(&walk)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3", "it is opened after the unlock")
  }

  func testUC2_3_1_3TheUserIsToldOnceThatARequestWaits() {
    var walk = Walk.locked()
    let serial = walk.engine.serial
    XCTAssertNil(walk.step?.arguments[.isRequestWaiting])
    for isWaiting in [true, true, false, true] {
      walk.facts.isRequestWaiting = isWaiting
      walk.openLink()
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      XCTAssertEqual(walk.engine.serial, serial + 1, "only the first link makes a tap stale")
    }
    XCTAssertEqual(walk.step?.arguments[.isRequestWaiting], .truth(true))
    XCTAssertEqual(walk.step?.message, "A request for your data waits until your wallet is open.")
    walk.choose(.info)
    check(&walk)
    walk.choose(.back)
    XCTAssertEqual(walk.step?.arguments[.isRequestWaiting], .truth(true))
    walk.outcomes[.validatePin] = [.wrongSecond]
    walk.enterPin()
    check(&walk)
    walk.choose(.close)
    expectLink(&walk)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC2_3_1_2TheScanTellsThatARequestWaits() {
    var walk = Walk.scanning(.android, [.cancelled, .opened])
    walk.isHolding = true
    walk.choose(.useBiometrics)
    XCTAssertEqual(walk.step?.name, "scan-biometrics")
    XCTAssertEqual(walk.step?.arguments, [:])
    let (serial, pending) = (walk.engine.serial, walk.engine.pending)
    walk.facts.isRequestWaiting = true
    walk.openLink()
    XCTAssertEqual(walk.step?.arguments, [.isRequestWaiting: .truth(true)])
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertEqual(walk.engine.pending, pending, "the sensor still waits")
    check(&walk)
  }

  func testPF2_8_3_1And5_1ALinkLeavesTheAttemptsLeftAndTheCountDownAsTheyAre() {
    var walk = Walk.locked()
    walk.outcomes[.validatePin] = [.wrongSecond, .wrongFourth]
    walk.effectDetails[.validatePin] = Details(arguments: [.attemptsLeft: .number(2)])
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 3.1")
    check(&walk)
    XCTAssertEqual(walk.step?.arguments[.attemptsLeft], .number(2))
    walk.choose(.close)
    walk.effectDetails[.validatePin] = Details(deadline: 60_000)
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 5.1")
    check(&walk)
    XCTAssertEqual(walk.step?.arguments[.blockedFor], .number(60_000))
    walk.choose(.help)
    check(&walk)
    walk.choose(.done)
    XCTAssertEqual(walk.at, "PF2.8 5.1")
    walk.passTime()
    expectLink(&walk)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC2_3_1_2And1_4ALinkLeavesAScanAndACheckOfThePinAsTheyAre() {
    var scan = Walk.scanning(.android, [.cancelled, .opened])
    scan.isHolding = true
    scan.choose(.useBiometrics)
    check(&scan)
    var walk = Walk.locked()
    walk.isHolding = true
    walk.enterPin()
    XCTAssertEqual(walk.engine.pending?.job, .perform(.validatePin))
    check(&walk)
    expectLink(&walk)
    walk.finish()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC1_2_2_1ALinkLeavesTheLaunchAsItIs() {
    var walk = Walk()
    walk.open()
    XCTAssertTrue(walk.taken.contains("UC1.2 1.1a"), "\(walk.taken)")
    check(&walk)
  }

  func testUC1_2_3_2bTheLinkThatStartedANewClientOpensTheApp() {
    var walk = Walk.scanning(.android, [.cancelled])
    walk.send(.takenOver)
    walk.isHolding = true
    walk.openLink()
    walk.answerOnce()
    walk.answerOnce()
    XCTAssertEqual(walk.engine.pending?.job, .perform(.scanBiometrics))
    XCTAssertTrue(walk.taken.contains("UC1.2 3.2b"), "\(walk.taken)")
    var other = Walk.locked()
    other.send(.takenOver)
    other.openLink()
    check(&other)
  }

  // MARK: PINs

  func testUC2_1ALinkWaitsForThePinOfTheSetUp() {
    var walk = Walk.choosingPin()
    check(&walk)
    walk.enterPin()
    check(&walk)
    walk.answers[.pinsAreEqual] = [.differFirstTime]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 3.1")
    check(&walk)
    walk.choose(.tryAgain)
    walk.answers[.hasPID] = [.noButLinkKept]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.9")
    XCTAssertEqual(walk.step?.notices, ["link-kept"])
  }

  func testUC1_2_3_1bALinkThatWaitedForThePinIsSettledWhenTheUserGoesBack() {
    var walk = Walk.choosingPin()
    walk.openLink()
    walk.forgetTrail()
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC1.1 1.4")
    XCTAssert(walk.taken.contains("UC1.2 3.1b"))
    let serial = walk.engine.serial
    walk.send(.factsChanged)
    XCTAssertEqual(walk.engine.serial, serial, "only once")
  }

  func testUC7_1_3_2ALinkWaitsForThePinThatConfirmsBiometrics() {
    var walk = Walk.dashboard()
    walk.facts.areBiometricsSupported = true
    walk.send(.factsChanged)
    walk.choose(.enableBiometrics)
    XCTAssertEqual(walk.at, "UC7.1 3.2")
    check(&walk)
    walk.outcomes[.validatePin] = [.wrongFirst]
    walk.enterPin()
    check(&walk)
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC7.1 3.2")
    expectLink(&walk)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
    XCTAssertTrue(walk.facts.isBiometricUnlockEnabled)
  }

  func testUC7_1_4_2And4_4ALinkWaitsForThePinThatDecidesOnAReplacement() {
    for (action, row) in [(Action.refuse, "UC7.1 4.2"), (.allow, "UC7.1 4.4")] {
      var walk = Walk.dashboard()
      walk.facts.replacement = Replacement(session: "s-1", takesEffectAt: 3_600_000)
      walk.send(.factsChanged)
      XCTAssertEqual(walk.at, "UC7.1 4.1")
      walk.choose(action)
      XCTAssertEqual(walk.at, row)
      check(&walk)
      // A PIN that is being checked.
      walk.isHolding = true
      walk.enterPin()
      check(&walk)
      walk.outcomes[.validatePin] = [.wrongSecond, .failed]
      walk.effectDetails[.validatePin] = Details(arguments: [.attemptsLeft: .number(2)])
      walk.finish()
      XCTAssertEqual(walk.step?.name, "wrong-pin")
      check(&walk)
      XCTAssertEqual(walk.step?.arguments[.attemptsLeft], .number(2))
      walk.choose(.close)
      XCTAssertEqual(walk.at, row)
      walk.enterPin()
      XCTAssertEqual(walk.step?.kind, .error)
      check(&walk)
      walk.choose(.tryAgain)
      XCTAssertEqual(walk.at, row)
      // The decision comes first, also over a return to the app.
      expectLink(&walk)
      walk.send(.background)
      walk.send(.foreground)
      XCTAssertEqual(walk.at, row)
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC5.2 1.3")
    }
  }

  func testUC7_1_4_1IsLeftForALink() {
    var walk = Walk.dashboard()
    walk.facts.replacement = Replacement(session: "s-1", takesEffectAt: 3_600_000)
    walk.send(.factsChanged)
    XCTAssertEqual(walk.at, "UC7.1 4.1")
    expectLink(&walk)
    walk.openLink()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  // MARK: Hand-offs

  func testUC4_1_1AHandOffIsFinishedBeforeALinkIsOpened() {
    var walk = Walk.dashboard()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.issuance]]
    walk.openLink()
    XCTAssertEqual(walk.at, "UC4.1 1")
    check(&walk)
    expectLink(&walk)
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC4.1 1", "also over a return to the app")
    let serial = walk.engine.serial
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC5.2 1.3")
    XCTAssertEqual(walk.engine.serial, serial + 1, "no step between them")
  }

  func testUC9_9_1_1TheCameraIsAskedForBeforeALinkIsOpened() {
    var walk = Walk.dashboard()
    walk.choose(.scan)
    XCTAssertEqual(walk.at, "UC9.9 1.1")
    check(&walk)
    expectLink(&walk)
    walk.choose(.granted)
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC9_6_1HelpIsLeftForALink() {
    var walk = Walk.dashboard()
    walk.choose(.help)
    XCTAssertEqual(walk.at, "UC9.6 1")
    expectLink(&walk)
    walk.openLink()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC4_1_1ALockDuringAHandOffForgetsNoLink() {
    var walk = Walk.dashboard()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.issuance]]
    walk.openLink()
    XCTAssertEqual(walk.at, "UC4.1 1")
    check(&walk)
    walk.send(.lockRequested)
    expectLink(&walk)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }
}
