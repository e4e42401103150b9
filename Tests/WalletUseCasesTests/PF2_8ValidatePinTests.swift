import WalletModel
import XCTest

@testable import WalletUseCases

final class PF2_8ValidatePinTests: FlowTestCase {
  private func answered(_ outcome: Outcome, _ details: Details = Details()) -> Walk {
    var walk = Walk.locked()
    walk.outcomes[.validatePin] = [outcome]
    walk.details = details
    walk.enterPin()
    XCTAssertEqual(walk.engine.heldSlots, [])
    return walk
  }

  func testPF2_8_1_1aAValidPinUnlocksAndNothingBefore() {
    var walk = Walk.locked()
    walk.isHolding = true
    let slot = walk.enterPin()
    XCTAssertEqual(walk.engine.pending?.slots, [slot])
    XCTAssertFalse(walk.engine.isUnlocked)
    walk.finish()
    XCTAssert(walk.engine.isUnlocked)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testPF2_8_1_1EachWrongPinOfARoundHasItsPrompt() {
    let prompts: [(Outcome, String)] = [
      (.wrongFirst, "2.1"), (.wrongSecond, "3.1"), (.wrongThird, "4.1"), (.finalWrongFirst, "6.1"),
      (.finalWrongSecond, "7.1"), (.finalWrongThird, "8.1"),
    ]
    for (outcome, row) in prompts {
      var walk = answered(outcome)
      XCTAssertEqual(walk.at, "PF2.8 \(row)")
      XCTAssertEqual(walk.step?.name, "wrong-pin")
      XCTAssertEqual(walk.step?.beneath, "open-with-pin")
      XCTAssertFalse(walk.engine.isUnlocked)
      walk.choose(.close)
      XCTAssertEqual(walk.at, "UC2.3 1.3")

      walk = answered(outcome)
      walk.choose(.forgotPin)
      XCTAssertEqual(walk.at, "PF2.8 10.1")
      walk.choose(.back)
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      XCTAssertEqual(walk.taken.last, "UC2.3 1.4c")
    }
  }

  func testPF2_8_1_1dTo1_1jTheMessageSaysHowManyAreLeft() {
    let left: (Int64, Bool) -> Details = { count, isFinal in
      Details(arguments: [.attemptsLeft: .number(count), .isFinalRound: .truth(isFinal)])
    }
    XCTAssertEqual(
      answered(.wrongFirst, left(3, false)).step?.message,
      "You have 3 attempts left. Then your wallet is blocked for a time.")
    XCTAssertEqual(
      answered(.wrongThird, left(1, false)).step?.message,
      "You have 1 attempt left. Then your wallet is blocked for a time.")
    XCTAssertEqual(
      answered(.finalWrongFirst, left(3, true)).step?.message,
      "You have 3 attempts left. Then your wallet is blocked for good.")
  }

  func testPF2_8_1_1bAnd1_1gABlockCountsDownAndEndsByItself() {
    for outcome in [Outcome.blocked, .wrongFourth] {
      var walk = answered(outcome, Details(deadline: 60_000))
      XCTAssertEqual(walk.at, "PF2.8 5.1")
      XCTAssertEqual(walk.step?.arguments[.blockedFor], .number(60_000))
      XCTAssertEqual(
        walk.engine.timer, StepTimer(serial: walk.engine.serial, end: .at(60_000)))
      walk.passTime()
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      XCTAssertEqual(walk.taken.suffix(2), ["PF2.8 5.1e", "UC2.3 1.4b"])
    }
  }

  func testPF2_8_5_1DeletingIsOfferedLastBecauseTheFirstIsTheMainButton() {
    var walk = answered(.blocked, Details(deadline: 60_000))
    XCTAssertEqual(walk.offered, ["back", "help", "forgot-pin", "delete-wallet"])
    walk.choose(.forgotPin)
    XCTAssertEqual(walk.offered, ["back", "delete-wallet"])
  }

  func testPF2_8_5_1BackAndForgottenPinLeadToThePinScreen() {
    var walk = answered(.blocked, Details(deadline: 60_000))
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk = answered(.blocked, Details(deadline: 60_000))
    walk.choose(.forgotPin)
    XCTAssertEqual(walk.at, "PF2.8 10.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }

  func testPF2_8_5_1HelpAndWipeReturnToTheRunningBlock() {
    var walk = answered(.blocked, Details(deadline: 60_000))
    walk.choose(.help)
    XCTAssertNil(walk.engine.timer)
    walk.choose(.done)
    XCTAssertEqual(walk.at, "PF2.8 5.1")
    walk.choose(.deleteWallet)
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "PF2.8 5.1")
    XCTAssertEqual(walk.engine.timer?.end, .at(60_000))
    walk.passTime()
    XCTAssertEqual(walk.at, "UC2.3 1.3", "the partial flow was kept")
  }

  func testPF2_8_5_1eABlockThatEndedBeneathAnotherScreenEndsOnReturn() {
    var walk = answered(.blocked, Details(deadline: 60_000))
    walk.choose(.help)
    walk.facts.now = 60_000
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.taken.suffix(2), ["PF2.8 5.1e", "UC2.3 1.4b"])
  }

  func testPF2_8_1_1cAnd1_1kAPermanentBlockOffersOnlyHelpAndTheWipe() {
    for outcome in [Outcome.blockedForGood, .finalWrongFourth] {
      var walk = answered(outcome)
      XCTAssertEqual(walk.at, "PF2.8 9.1")
      XCTAssertEqual(walk.offered, ["help", "delete-wallet"])
      walk.choose(.help)
      walk.choose(.done)
      walk.choose(.deleteWallet)
      walk.choose(.confirmDelete)
      XCTAssertEqual(walk.at, "UC1.1 1.1")
    }
  }

  func testPF2_8_10_1aTheForgottenPinLeadsToTheWipe() {
    var walk = answered(.wrongFirst)
    walk.choose(.forgotPin)
    walk.choose(.deleteWallet)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "PF2.8 10.1")
  }

  func testPF2_8_1_1lTo1_1nTryAgainEntersThePinAnew() {
    let errors: [(Outcome, String)] = [
      (.noInternet, "no-internet"), (.serverUnreachable, "server-unreachable"),
      (.failed, "generic"),
    ]
    for (outcome, name) in errors {
      for action in [Action.tryAgain, .back] {
        var walk = answered(outcome)
        XCTAssertEqual(walk.at, "PF2.8 1.1 \(name)")
        XCTAssertEqual(walk.offered, ["try-again", "back"])
        walk.choose(action)
        XCTAssertEqual(walk.at, "UC2.3 1.3")
      }
    }
  }

  func testTheProvidersAnswerDecidesTheOutcome() {
    let answers: [(PinCheck, Bool, Outcome)] = [
      (.valid, true, .valid), (.blocked(milliseconds: 1), false, .blocked),
      (.blocked(milliseconds: 1), true, .wrongFourth),
      (.blockedPermanently, false, .blockedForGood), (.blockedPermanently, true, .finalWrongFourth),
      (.wrong(attemptsLeft: 9, finalRound: false), true, .wrongFirst),
      (.wrong(attemptsLeft: 3, finalRound: false), true, .wrongFirst),
      (.wrong(attemptsLeft: 2, finalRound: false), true, .wrongSecond),
      (.wrong(attemptsLeft: 1, finalRound: false), true, .wrongThird),
      (.wrong(attemptsLeft: 3, finalRound: true), true, .finalWrongFirst),
      (.wrong(attemptsLeft: 2, finalRound: true), true, .finalWrongSecond),
      (.wrong(attemptsLeft: 1, finalRound: true), true, .finalWrongThird),
    ]
    for (check, wasAttempt, outcome) in answers {
      XCTAssertEqual(Outcome(check, wasAttempt: wasAttempt), outcome)
    }
  }
}
