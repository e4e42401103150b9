import WalletModel
import XCTest

@testable import WalletUseCases

final class UC2_1SetUpPinTests: FlowTestCase {
  func testUC2_1_1_1TakesSixDigitsAndLeadsBackToThePrivacyConsiderations() {
    var walk = Walk.choosingPin()
    XCTAssertEqual(walk.at, "UC2.1 1.1")
    XCTAssertEqual(walk.step?.input, .pin)
    XCTAssertEqual(walk.offered, ["enter", "back", "info"])
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC1.1 1.4")
  }

  func testUC2_1_1_1aAChoiceWithoutAPinIsRefused() {
    var walk = Walk.choosingPin()
    let serial = walk.engine.serial
    walk.send(.chose(serial: serial, .enter, nil))
    XCTAssertEqual(walk.engine.serial, serial)
    XCTAssertEqual(walk.engine.refusal(of: serial, "enter", .none), .inputWanted(.pin))
    XCTAssertEqual(walk.engine.refusal(of: serial, "info", .pin), .inputNotWanted)
  }

  func testUC2_1_1_1cInfoReturnsHere() {
    var walk = Walk.choosingPin()
    walk.choose(.info)
    XCTAssertEqual(walk.at, "UC9.2 1.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  func testUC2_1_1_2bAPinThatIsTooSimpleIsForgottenAndChosenAnew() {
    var walk = Walk.choosingPin()
    walk.answers[.pinFitsPolicy] = [.tooSimple]
    walk.details = Details(arguments: [.reason: .text("sequence")])
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 2.1")
    XCTAssertEqual(walk.step?.beneath, "choose-pin")
    XCTAssertEqual(walk.step?.arguments[.reason], .text("sequence"))
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.choose(.ok)
    XCTAssertEqual(walk.at, "UC2.1 1.1", "corrected: not 1.3")
  }

  func testUC2_1_1_3bBackForgetsTheChosenPin() {
    var walk = Walk.choosingPin()
    let slot = walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.3")
    XCTAssertEqual(walk.engine.heldSlots, [slot])
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
    XCTAssertEqual(walk.engine.heldSlots, [])
  }

  func testUC2_1_1_3cChosenPinAndMismatchesSurviveInfo() {
    var walk = Walk.choosingPin()
    let slot = walk.enterPin()
    walk.answers[.pinsAreEqual] = [.differFirstTime, .differFirstTime]
    walk.enterPin()
    walk.choose(.tryAgain)
    walk.choose(.info)
    walk.choose(.readPrivacyStatement)
    walk.choose(.back)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.3")
    XCTAssertEqual(walk.engine.heldSlots, [slot])
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 4.1")
  }

  func testUC2_1_1_4bAFirstDifferentPinIsRepeatedOnlyOnce() {
    var walk = Walk.choosingPin()
    let slot = walk.enterPin()
    walk.answers[.pinsAreEqual] = [.differFirstTime]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 3.1")
    XCTAssertEqual(walk.engine.heldSlots, [slot])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC2.1 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.9")
  }

  func testUC2_1_1_4cASecondDifferentPinStartsOverWithoutAnyPin() {
    var walk = Walk.choosingPin()
    walk.answers[.pinsAreEqual] = [.differFirstTime, .differSecondTime, .differSecondTime]
    walk.enterPin()
    walk.enterPin()
    walk.choose(.tryAgain)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 4.1")
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.choose(.startOver)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
    walk.enterPin()
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 3.1", "the count started over, whatever the runtime says")
  }

  func testUC2_1_1_5aTheSetUpUnlocksForgetsThePinsAndCutsTheHistory() {
    var walk = Walk.choosingPin()
    walk.isHolding = true
    let chosen = walk.enterPin()
    walk.finish()
    walk.isHolding = true
    let repeated = walk.enterPin()
    XCTAssertEqual(walk.engine.pending?.slots, [chosen, repeated])
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .equal, Details()))
    XCTAssertEqual(walk.engine.pending?.job, .perform(.setUpAccount))
    XCTAssertEqual(walk.engine.heldSlots, [chosen])
    XCTAssertFalse(walk.engine.isUnlocked)
    walk.send(.slow(id: walk.engine.pending?.id ?? 0))
    XCTAssertEqual(walk.step?.kind, .progress)
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.1 1.9")
    XCTAssert(walk.engine.isUnlocked)
    XCTAssertEqual(walk.engine.heldSlots, [])
    XCTAssertEqual(walk.engine.history, [])
  }

  func testUC2_1_1_5TheErrorsCanBeTriedAgainWithTheSamePin() {
    let errors: [(Outcome, String)] = [
      (.deviceInsecure, "device-insecure"), (.noInternet, "no-internet"),
      (.serverUnreachable, "server-unreachable"), (.failed, "generic"),
    ]
    for (outcome, name) in errors {
      var walk = Walk.choosingPin()
      walk.outcomes[.setUpAccount] = [outcome]
      let slot = walk.enterPin()
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC2.1 1.5 \(name)")
      XCTAssertEqual(walk.offered, ["try-again", "back"])
      XCTAssertEqual(walk.engine.heldSlots, [slot])
      walk.choose(.tryAgain)
      XCTAssertEqual(walk.at, "UC2.1 1.9")
    }
  }

  func testUC2_1_1_5BackFromAnErrorForgetsThePin() {
    for outcome in [Outcome.deviceInsecure, .noInternet, .serverUnreachable, .failed] {
      var walk = Walk.choosingPin()
      walk.outcomes[.setUpAccount] = [outcome]
      walk.enterPin()
      walk.enterPin()
      walk.choose(.back)
      XCTAssertEqual(walk.at, "UC2.1 1.1")
      XCTAssertEqual(walk.engine.heldSlots, [])
    }
  }

  func testUC2_1_1_5bTryAgainIsNotOfferedWhereItCannotHelp() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.isHolding = true
    walk.enterPin()
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .equal, Details()))
    walk.send(
      .outcome(
        id: walk.engine.pending?.id ?? 0, .deviceInsecure, Details(repeatingHelps: false)))
    XCTAssertEqual(walk.offered, ["back"])
  }

  func testUC2_1_1_6aBiometricsAreOfferedWhereTheyAreSupported() {
    var walk = Walk.offeredBiometrics()
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    XCTAssertEqual(walk.offered, ["enable", "skip", "info"])
    walk.choose(.info)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    walk.choose(.skip)
    XCTAssertEqual(walk.at, "UC2.1 1.9")
    XCTAssertEqual(walk.offered, ["next"])
    walk.choose(.next)
    XCTAssertEqual(walk.at, "UC3.1 2b")
  }

  func testUC2_1_1_7aEnablingAsksForTheBiometrics() {
    var walk = Walk.offeredBiometrics()
    walk.isHolding = true
    walk.choose(.enable)
    XCTAssertEqual(walk.at, "UC2.1 1.8", "corrected: not 1.9")
    XCTAssertEqual(walk.step?.kind, .systemPrompt)
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.1 1.9")
    XCTAssert(walk.taken.contains("UC2.1 1.8a"))
  }

  func testUC2_1_1_8bARejectionLeadsBackWithItsReason() {
    var walk = Walk.offeredBiometrics()
    walk.outcomes[.enableBiometrics] = [.rejected]
    walk.details = Details(arguments: [.reason: .text("cancelled")])
    walk.choose(.enable)
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    XCTAssertEqual(walk.step?.arguments[.reason], .text("cancelled"))
  }

  func testUC2_1_1_8bTheBackgroundCancelsThePrompt() {
    var walk = Walk.offeredBiometrics()
    walk.isHolding = true
    walk.choose(.enable)
    walk.send(.background)
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    XCTAssertNil(walk.engine.pending)
    walk.choose(.enable)
    XCTAssertEqual(walk.at, "UC2.1 1.7", "no prompt opens in the background")
  }

  func testAnOutcomeThatTheJobCannotHaveIsAnErrorAndKeepsNoPin() {
    var walk = Walk.choosingPin()
    walk.answers[.pinFitsPolicy] = [.deleted]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.2 generic")
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC2.1 1.1", "the PIN is gone")
    walk.enterPin()
    walk.answers[.pinsAreEqual] = [.deleted]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.4 generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.1", "so is the one to be repeated")
  }

  // MARK: Take-over

  /// At the set-up of the account, taken over by a new client. Returns the slot of the PIN, too.
  private func takenOverSetUp() -> (Walk, PinSlot) {
    var walk = Walk.choosingPin()
    let slot = walk.enterPin()
    walk.isHolding = true
    walk.enterPin()
    walk.answerOnce()
    let pending = walk.engine.pending
    XCTAssertEqual(pending?.job, .perform(.setUpAccount))
    // The runtime locks first.
    walk.send(.lockRequested)
    walk.send(.takenOver)
    XCTAssertEqual(walk.engine.pending, pending)
    return (walk, slot)
  }

  func testATakenOverSetUpContinuesAndLeadsToTheUnlock() {
    var (walk, slot) = takenOverSetUp()
    XCTAssertEqual(walk.at, "UC2.1 1.5")
    XCTAssertEqual(walk.step?.kind, .progress)
    XCTAssertEqual(walk.engine.heldSlots, [slot], "the job may not have read it yet")
    walk.open(.launch)
    XCTAssertEqual(walk.at, "UC2.1 1.5")
    walk.isHolding = false
    // The wallet was locked since the set-up began.
    walk.facts.isRegistered = true
    walk.send(.registered)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2b")
  }

  func testUC2_1_1_5cATakenOverSetUpThatFailsShowsTheError() {
    for action in [Action.tryAgain, .back] {
      var (walk, _) = takenOverSetUp()
      walk.outcomes[.setUpAccount] = [.noInternet]
      walk.finish()
      XCTAssertEqual(walk.at, "UC2.1 1.5 no-internet")
      XCTAssertEqual(walk.engine.heldSlots, [])
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC2.1 1.1", "the PIN was wiped")
    }
  }
}
