import WalletModel
import XCTest

@testable import WalletUseCases

final class UC7_1CardsTests: FlowTestCase {
  func testUC7_1_1_1OffersTheActionsOfTheWalletsState() {
    var walk = Walk.dashboard()
    let always = ["scan", "activities", "about", "help", "lock", "remove-data"]
    XCTAssertEqual(walk.offered, ["scan", "activities", "card"] + always.dropFirst(2))
    XCTAssertEqual(walk.step?.isProtected, true)
    walk.facts.areBiometricsSupported = true
    walk.facts.hasPID = false
    walk.send(.factsChanged)
    XCTAssertEqual(walk.offered, always + ["obtain-pid", "enable-biometrics"])
    XCTAssertEqual(walk.step?.arguments[.hasPID], .truth(false))
    XCTAssertNil(walk.step?.arguments[.isPIDExpired])
    walk.facts.isBiometricUnlockEnabled = true
    walk.send(.factsChanged)
    XCTAssertEqual(walk.offered, always + ["obtain-pid", "disable-biometrics"])
  }

  func testUC7_1_1_1IsShownAgainOnlyIfItChanged() {
    var walk = Walk.dashboard()
    walk.facts.isBiometricUnlockEnabled = true
    walk.send(.factsChanged)
    let serial = walk.engine.serial
    walk.facts.areBiometricsSupported = true
    walk.send(.factsChanged)
    XCTAssertEqual(walk.engine.serial, serial)
    walk.facts.isBiometricUnlockEnabled = false
    walk.send(.userActivity)
    walk.send(.factsChanged)
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertTrue(walk.offered.contains("enable-biometrics"))
  }

  func testUC7_1_3_3AConfirmationThatAwaitsItsPinDoesNotOutliveALock() {
    for step in ["3.2", "PF2.8 2.1", "UC2.3"] {
      var walk = Walk.dashboard()
      walk.facts.areBiometricsSupported = true
      walk.send(.factsChanged)
      walk.outcomes[.validatePin] = [.wrongFirst]
      walk.choose(.enableBiometrics)
      XCTAssertEqual(walk.at, "UC7.1 3.2")
      XCTAssertTrue(walk.engine.awaitsPinForBiometrics)
      if step != "3.2" { walk.enterPin() }
      walk.outcomes[.validatePin] = []
      walk.send(.locked(.inactivity))
      XCTAssertFalse(walk.engine.awaitsPinForBiometrics, step)
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC7.1 1.1", step)
      XCTAssertFalse(walk.engine.awaitsPinForBiometrics, step)
    }
  }

  func testUC7_1_3_2AConfirmationBeneathAReturnDoesNotOutliveALockEither() {
    var walk = Walk.dashboard()
    walk.facts.areBiometricsSupported = true
    walk.send(.factsChanged)
    walk.choose(.enableBiometrics)
    walk.isHolding = true
    walk.open(.resume)
    XCTAssertEqual(walk.engine.pending?.job, .ask(.isWalletThere))
    XCTAssertTrue(walk.engine.awaitsPinForBiometrics)
    walk.isHolding = false
    walk.send(.lockRequested)
    XCTAssertFalse(walk.engine.awaitsPinForBiometrics)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC7_1_1_1EveryActionLeadsToItsFlow() {
    let entries: [(Action, String)] = [
      (.scan, "UC9.9 1.1"), (.card, "UC7.1 2.1"), (.about, "UC9.2 1.1"), (.help, "UC9.6 1"),
      (.removeData, "UC9.4 1.1"), (.lock, "UC2.3 1.3"),
    ]
    for (action, row) in entries {
      var walk = Walk.dashboard()
      walk.choose(action)
      XCTAssertEqual(walk.at, row)
    }
  }

  func testUC7_1_1_1kAPIDIsObtainedFromTheDashboardWithoutOne() {
    var walk = Walk.locked(hasPID: false)
    walk.enterPin()
    walk.choose(.later)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.engine.history, [])
    walk.choose(.obtainPID)
    XCTAssertEqual(walk.at, "UC3.1 2b")
    for action in [Action.scan, .scanned, .scanLicence, .scanned] { walk.choose(action) }
    XCTAssertEqual(walk.at, "UC3.1 11")
    XCTAssertEqual(walk.engine.history, [], "cut when the PID was stored")
    walk.choose(.goOn)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.engine.history, [])
  }

  func testUC7_1_2_1aTheCardLeadsBack() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testAnOfferedActionIsAcceptedAfterTheFactsChanged() {
    var walk = Walk.locked(hasPID: false)
    walk.enterPin()
    walk.choose(.later)
    walk.facts.hasPID = true
    walk.choose(.obtainPID)
    XCTAssertEqual(walk.at, "UC3.1 2b", "a tap is never lost")
  }

  private func dashboardWithBiometrics() -> Walk {
    var walk = Walk.dashboard()
    walk.facts.areBiometricsSupported = true
    walk.send(.factsChanged)
    return walk
  }

  func testUC7_1_3EnablingAsksForBiometricsAndThenThePin() {
    var walk = dashboardWithBiometrics()
    walk.isHolding = true
    walk.choose(.enableBiometrics)
    XCTAssertEqual(walk.at, "UC7.1 3.1")
    XCTAssertEqual(walk.engine.pending?.job, .perform(.sealBiometrics))
    walk.finish()
    XCTAssertEqual(walk.at, "UC7.1 3.2")
    walk.isHolding = true
    walk.enterPin()
    XCTAssertEqual(walk.engine.pending?.caller, RowID(.cards, "3.3"))
    walk.finish()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.taken.last, "UC7.1 3.3a")
    XCTAssert(walk.offered.contains("disable-biometrics"))
  }

  func testUC7_1_3_1bARejectionLeadsToTheDashboard() {
    var walk = dashboardWithBiometrics()
    walk.outcomes[.sealBiometrics] = [.rejected]
    walk.choose(.enableBiometrics)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC7_1_3_2bBackEnablesNothing() {
    var walk = dashboardWithBiometrics()
    walk.choose(.enableBiometrics)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertFalse(walk.facts.isBiometricUnlockEnabled)
  }

  func testUC7_1_3_3bAWrongPinIsEnteredAgain() {
    var walk = dashboardWithBiometrics()
    walk.outcomes[.validatePin] = [.wrongFirst]
    walk.choose(.enableBiometrics)
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 2.1")
    XCTAssertEqual(walk.step?.beneath, "confirm-with-pin")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC7.1 3.2")
  }

  func testUC7_1_3_3cTheForgottenPinLeadsToTheDashboard() {
    var walk = dashboardWithBiometrics()
    walk.outcomes[.validatePin] = [.wrongSecond]
    walk.choose(.enableBiometrics)
    walk.enterPin()
    walk.choose(.forgotPin)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.taken.last, "UC7.1 3.3c")
  }

  func testUC7_1_3_3ABlockLocksAndContinuesBeneathUC2_3() {
    for outcome in [Outcome.blocked, .wrongFourth, .blockedForGood, .finalWrongFourth] {
      var walk = dashboardWithBiometrics()
      walk.choose(.enableBiometrics)
      walk.outcomes[.validatePin] = [outcome]
      // A permanent block has no end.
      let isForGood = outcome == .blockedForGood || outcome == .finalWrongFourth
      walk.details = Details(deadline: isForGood ? nil : 1000)
      walk.forgetTrail()
      walk.enterPin()
      XCTAssertEqual(walk.commands, [.noteActivity, .lock])
      XCTAssertFalse(walk.engine.isUnlocked)
      guard !isForGood else {
        XCTAssertEqual(walk.at, "PF2.8 9.1")
        continue
      }
      XCTAssertEqual(walk.at, "PF2.8 5.1")
      walk.choose(.back)
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC7_1_3LockCancelsTheEnablingAndResumesOnTheDashboard() {
    var walk = dashboardWithBiometrics()
    walk.choose(.enableBiometrics)
    walk.send(.locked(.inactivity))
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.engine.history, [])
  }

  func testUC7_1_1_1mBiometricUnlockIsSwitchedOff() {
    var walk = dashboardWithBiometrics()
    walk.facts.isBiometricUnlockEnabled = true
    walk.send(.factsChanged)
    walk.choose(.disableBiometrics)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.offered.last, "enable-biometrics")
  }

  func testUC7_1_1_1mAFailureIsAnErrorOverTheDashboard() {
    for action in [Action.tryAgain, .back] {
      var walk = dashboardWithBiometrics()
      walk.facts.isBiometricUnlockEnabled = true
      walk.send(.factsChanged)
      walk.outcomes[.disableBiometrics] = [.failed]
      walk.choose(.disableBiometrics)
      XCTAssertEqual(walk.at, "UC7.1 1.1 generic")
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC7_1_1_1TellsThatThePIDHasExpired() {
    var walk = Walk.locked()
    walk.facts.isPIDExpired = false
    walk.enterPin()
    XCTAssertEqual(walk.step?.arguments[.isPIDExpired], .truth(false))
    XCTAssertEqual(walk.step?.message, "")
    let serial = walk.engine.serial
    walk.facts.isPIDExpired = true
    walk.send(.factsChanged)
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertEqual(walk.step?.arguments[.isPIDExpired], .truth(true))
    XCTAssertEqual(walk.step?.message.contains("expired"), true)
    walk.send(.locked(.inactivity))
    walk.enterPin()
    XCTAssertEqual(walk.step?.arguments[.isPIDExpired], .truth(true))
  }
}
