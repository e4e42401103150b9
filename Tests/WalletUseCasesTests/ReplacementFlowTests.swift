import WalletModel
import XCTest

@testable import WalletUseCases

/// UC3.1 10c and UC7.1 4.1 to 4.5: a wallet that waits to take the place of another.
final class ReplacementFlowTests: FlowTestCase {
  private static let asked = Replacement(session: "s-1", takesEffectAt: 3_600_000)

  private func told() -> Walk {
    var walk = Walk.dashboard()
    walk.facts.now = 0
    walk.facts.replacement = Self.asked
    walk.send(.factsChanged)
    return walk
  }

  func testUC7_1_1_1oTheOwnerIsToldOnceAfterEachUnlock() {
    var walk = told()
    XCTAssertEqual(walk.at, "UC7.1 4.1")
    XCTAssertEqual(walk.step?.name, "wallet-replacement")
    XCTAssertEqual(walk.step?.arguments[.takesEffectIn], .number(3_600_000))
    XCTAssertEqual(walk.step?.isProtected, true)
    XCTAssertEqual(walk.offered, ["refuse", "allow", "later"])
    walk.choose(.later)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    walk.send(.factsChanged)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    // The decision can be made later.
    walk.choose(.replacement)
    XCTAssertEqual(walk.at, "UC7.1 4.1")
    walk.choose(.later)
    walk.send(.locked(.inactivity))
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 4.1")
  }

  func testUC7_1_4_3And4_5TheDecisionNeedsThePin() {
    for (action, name, caller, notice) in [
      (Action.refuse, "refuse-replacement", RowID.refuseByPin, "replacement-refused"),
      (.allow, "allow-replacement", .allowByPin, "replacement-allowed"),
    ] {
      var walk = told()
      walk.choose(action)
      XCTAssertEqual(walk.step?.name, name)
      XCTAssertEqual(walk.step?.arguments[.pinLength], .number(6))
      XCTAssertEqual(walk.engine.seenReplacement, "s-1")
      walk.choose(.back)
      XCTAssertEqual(walk.at, "UC7.1 4.1")
      walk.choose(action)
      walk.outcomes[.validatePin] = [.wrongFirst, .valid]
      walk.enterPin()
      XCTAssertEqual(walk.at, "PF2.8 2.1")
      walk.choose(.close)
      XCTAssertEqual(walk.step?.name, name)
      walk.isHolding = true
      walk.enterPin()
      XCTAssertEqual(walk.engine.pending?.caller, caller)
      // The answer to the decision says that nothing waits any more.
      walk.facts.replacement = nil
      walk.finish()
      XCTAssertEqual(walk.at, "UC7.1 1.1")
      XCTAssertEqual(walk.step?.notices, [notice])
      XCTAssertFalse(walk.offered.contains("replacement"))
    }
  }

  func testUC7_1_4_3cAnd4_5cBackLeadsToTheQuestionAndABlockedPinLocks() {
    for action in [Action.refuse, .allow] {
      var walk = told()
      walk.choose(action)
      walk.outcomes[.validatePin] = [.wrongFirst]
      walk.enterPin()
      walk.choose(.forgotPin)
      walk.choose(.back)
      XCTAssertEqual(walk.at, "UC7.1 4.1")
      walk.choose(action)
      walk.outcomes[.validatePin] = [.wrongFourth]
      walk.effectDetails[.validatePin] = Details(deadline: 60_000)
      walk.enterPin()
      XCTAssertEqual(walk.at, "PF2.8 5.1")
      XCTAssertFalse(walk.engine.isUnlocked)
      XCTAssertTrue(walk.commands.contains(.lock))
    }
  }

  func testUC7_1_4_1IsNotResumedForAReplacementThatHasEnded() {
    var walk = told()
    walk.choose(.refuse)
    walk.send(.locked(.inactivity))
    walk.facts.replacement = nil
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC7_1_4_1NoStepOfADecisionOutlivesALock() {
    for action in [Action.refuse, .allow] {
      for outcome in [Outcome.wrongFirst, .failed] {
        var walk = told()
        walk.choose(action)
        walk.outcomes[.validatePin] = [outcome]
        walk.enterPin()
        XCTAssertNotEqual(walk.step?.useCase, "UC7.1")
        walk.send(.locked(.inactivity))
        walk.enterPin()
        XCTAssertEqual(walk.at, "UC7.1 4.1", "\(outcome)")
        XCTAssertEqual(walk.step?.notices, [])
        XCTAssertEqual(walk.engine.seenReplacement, "s-1")
      }
    }
  }

  func testUC1_2_3_1TheDecisionIsResumedAfterAnotherApp() {
    var walk = told()
    walk.choose(.refuse)
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.step?.name, "refuse-replacement")
    // Not if nothing waits any more.
    walk.send(.background)
    walk.facts.replacement = nil
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC3_1_10cShowsTheWaitAndAsksAgain() {
    var walk = Walk.proofing()
    for action in [Action.scan, .scanned, .scanLicence] { walk.choose(action) }
    walk.facts.proofing = .submitted
    walk.facts.now = 0
    walk.outcomes[.submitProofing] = [.replacementWaits]
    let details = Details(arguments: [.reference: .text("R-1")], deadline: 86_400_000)
    walk.effectDetails[.submitProofing] = details
    walk.choose(.scanned)
    XCTAssertEqual(walk.at, "UC3.1 10c")
    XCTAssertEqual(walk.step?.name, "proofing-waiting")
    XCTAssertEqual(walk.step?.arguments[.retryAfter], .number(86_400_000))
    XCTAssertEqual(walk.step?.arguments[.reference], .text("R-1"))
    XCTAssertEqual(walk.offered, ["try-again", "exit"])
    XCTAssertTrue(walk.step?.message.contains("in 24 hours") ?? false, walk.step?.message ?? "")
    XCTAssertEqual(walk.engine.timer?.end, .at(86_400_000))
    var later = walk
    later.choose(.exit)
    XCTAssertEqual(later.at, "UC7.1 1.1")
    XCTAssertFalse(later.commands.contains(.releaseClaim))
    var agreed = walk
    agreed.choose(.tryAgain)
    XCTAssertEqual(agreed.at, "UC3.1 11")
    walk.passTime()
    XCTAssertEqual(walk.at, "UC3.1 11")
  }
}
