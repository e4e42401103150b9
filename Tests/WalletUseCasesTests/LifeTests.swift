import WalletModel
import XCTest

@testable import WalletUseCases

/// Resume, background and take-over: the rules for every table.
final class LifeTests: FlowTestCase {
  // MARK: Resume

  func testAHandOffIsRepeatedAfterALock() {
    var walk = Walk.dashboard()
    walk.choose(.help)
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    let serial = walk.engine.serial
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC9.6 1")
    XCTAssertGreaterThan(walk.engine.serial, serial)
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testAPromptIsShownAgainAfterALock() {
    var walk = Walk.dashboard()
    walk.choose(.scan)
    walk.choose(.granted)
    walk.answers[.isCodeValid] = [.invalid]
    walk.choose(.scanned)
    walk.send(.lockRequested)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC9.9 3.1")
    XCTAssertEqual(walk.step?.beneath, "scan-qr")
  }

  func testAnErrorIsShownAgainAfterALock() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.outcomes[.wipe] = [.failed]
    walk.choose(.confirmDelete)
    walk.send(.lockRequested)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC9.4 1.2 generic")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testASystemPromptResumesAsTheScreenBeforeIt() {
    var walk = Walk.dashboard()
    walk.facts.areBiometricsSupported = true
    walk.send(.factsChanged)
    walk.isHolding = true
    walk.choose(.enableBiometrics)
    walk.send(.lockRequested)
    walk.finish()
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testAResumedCardThatIsGoneLeadsToTheFirstStep() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.lockRequested)
    walk.facts.hasPID = false
    walk.answers[.hasPIDOrLeftStep] = [.yes]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2b")
  }

  func testWorkContinuesInTheBackgroundAndItsOutcomeIsShown() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.isHolding = true
    walk.enterPin()
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .equal, Details()))
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.engine.pending?.job, .perform(.setUpAccount))
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.1 1.9")
  }

  /// The runtime begins the work after the row, so a lock in between could come before it.
  func testALockDuringASetUpCountsForItWheneverTheSetUpBegan() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.isHolding = true
    walk.enterPin()
    walk.answerOnce()
    XCTAssertEqual(walk.engine.pending?.job, .perform(.setUpAccount))
    let before = walk.commands.count
    walk.send(.lockRequested)
    XCTAssertEqual(walk.commands.dropFirst(before), [.lock])
    XCTAssertEqual(walk.engine.pending?.job, .perform(.setUpAccount), "it goes on")
  }

  func testNothingOfAnUnlockedWalletResumesWhileItIsLocked() {
    var walk = Walk.dashboard()
    walk.choose(.help)
    walk.send(.lockRequested)
    walk.answers = [.isWalletThere: [.no], .isPinSetUp: [.yes]]
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC2.3 1.3", "help would lead back to the cards")
  }

  func testATakeOverWipesThePinEvenIfTheStorageIsUnreadable() {
    var walk = Walk.locked()
    walk.isHolding = true
    walk.enterPin()
    walk.facts.isRegistered = false
    walk.send(.takenOver)
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }

  func testAResumeThatFindsAWalletCutsTheIntroductionFromTheHistory() {
    var walk = Walk.introduction()
    walk.facts.isRegistered = true
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.engine.history, [])
  }

  func testALockedWalletNeverResumesAProtectedStep() {
    var walk = Walk.dashboard()
    walk.send(.lockRequested)
    walk.answers = [.isWalletThere: [.no], .isPinSetUp: [.no]]
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.1 1.1", "the wallet is gone, whatever the reason")
  }

  func testALinkThatArrivesDuringWorkIsHandledAfterIt() {
    var walk = Walk.dashboard()
    walk.facts.isBiometricUnlockEnabled = true
    walk.send(.factsChanged)
    walk.isHolding = true
    walk.choose(.disableBiometrics)
    walk.open(.resume)
    walk.answers[.isLinkThere] = [.yes]
    walk.answers[.linkPurpose] = [.login]
    walk.finish()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testADeletionThatLeavesOnlyKeysForgetsTheWallet() {
    var walk = Walk.dashboard()
    walk.choose(.removeData)
    walk.outcomes[.wipe] = [.failed]
    walk.facts.isRegistered = false
    walk.choose(.confirmDelete)
    XCTAssertEqual(walk.at, "UC9.4 1.2 generic")
    XCTAssertTrue(walk.commands.contains(.forgetLink))
    XCTAssertFalse(walk.engine.isUnlocked)
    walk.choose(.back)
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  // MARK: The chosen PIN

  func testALockWipesAChosenPinEvenWithoutAWallet() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.3")
    walk.send(.lockRequested)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
    XCTAssertEqual(walk.engine.heldSlots, [])
  }

  func testTheChosenPinSurvivesAShortBackground() {
    var walk = Walk.choosingPin()
    let slot = walk.enterPin()
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC2.1 1.3")
    XCTAssertEqual(walk.engine.heldSlots, [slot])
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  func testTheChosenPinIsWipedAtTheBackgroundTimeout() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.send(.background)
    walk.send(.backgroundTimeout)
    XCTAssertEqual(walk.engine.heldSlots, [])
    XCTAssertEqual(walk.at, "UC2.1 1.1")
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  func testTheBackgroundTimeoutWipesTheChosenPinBeneathInfo() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.choose(.info)
    walk.send(.background)
    walk.send(.backgroundTimeout)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC9.2 1.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  func testASetUpKeepsItsPinPastTheTimeoutUntilItEnds() {
    var walk = Walk.choosingPin()
    let slot = walk.enterPin()
    walk.isHolding = true
    walk.enterPin()
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .equal, Details()))
    walk.send(.background)
    walk.send(.backgroundTimeout)
    XCTAssertEqual(walk.engine.heldSlots, [slot])
    walk.outcomes[.setUpAccount] = [.noInternet]
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.1 1.5 no-internet")
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  func testAFailedResumeStartsOverIfThePinIsGone() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    // An outcome that the row does not have and the runtime must never send.
    walk.answers[.isWalletThere] = [.failed]
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.2 3.1 generic")
    XCTAssertEqual(walk.engine.heldSlots, [])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
  }

  // MARK: Take-over

  func testATakeOverWithoutAWalletShowsTheSameStep() {
    var walk = Walk.introduction()
    walk.choose(.next)
    let serial = walk.engine.serial
    walk.send(.takenOver)
    XCTAssertEqual(walk.at, "UC1.1 1.2")
    XCTAssertEqual(walk.engine.serial, serial + 1)
  }

  func testATakeOverRestartsAStepThatHoldsAPin() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.send(.takenOver)
    XCTAssertEqual(walk.at, "UC2.1 1.1")
    XCTAssertEqual(walk.engine.heldSlots, [])

    walk.enterPin()
    walk.outcomes[.setUpAccount] = [.noInternet]
    walk.enterPin()
    walk.send(.takenOver)
    XCTAssertEqual(walk.at, "UC2.1 1.1", "also over an error")

    walk.enterPin()
    walk.isHolding = true
    walk.open(.resume)
    walk.send(.takenOver)
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.1 1.1", "also while the app resumes")
  }

  func testATakeOverLocksTheWalletAndTheStepResumes() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.takenOver)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssert(walk.commands.contains(.lock))
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 2.1")
  }

  func testATakeOverOfAFinishedSetUpLocksAndTheSetUpContinues() {
    var walk = Walk.offeredBiometrics()
    walk.send(.takenOver)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.7")
  }

  func testATakeOverDoesNotInterruptTheLaunch() {
    var walk = Walk()
    walk.facts.isRegistered = true
    walk.open()
    walk.send(.takenOver)
    XCTAssertEqual(walk.at, "UC1.2 2.1")
    walk.send(.takenOver)
    walk.passTime()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }

  func testAnOpeningRightAfterATakeOverStartsAScan() {
    var walk = Walk.scanning(.android, [])
    walk.isHolding = true
    walk.send(.takenOver)
    walk.send(.open(.launch))
    walk.finish()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  // MARK: Hosts that also use their own screens

  func testARegistrationElsewhereEndsTheIntroduction() {
    for action in [Action.next, .help] {
      var walk = Walk.introduction()
      walk.choose(action)
      walk.facts.isRegistered = true
      walk.send(.registered)
      XCTAssertEqual(walk.at, "UC2.3 1.3")
    }
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.choose(.info)
    walk.facts.isRegistered = true
    walk.send(.registered)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.engine.heldSlots, [])
  }

  func testARegistrationElsewhereWhileTheAppResumesLeavesNoSetUpToResume() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.isHolding = true
    walk.open(.resume)
    walk.facts.isRegistered = true
    walk.send(.registered)
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2b")
  }

  func testALateRegistrationEventDoesNotDisturbALockedWallet() {
    var walk = Walk.locked()
    walk.choose(.info)
    walk.send(.registered)
    XCTAssertEqual(walk.at, "UC9.2 1.1")
  }

  func testAnUnlockElsewhereDoesNotEndTheSetUp() {
    var walk = Walk.choosingPin()
    walk.enterPin()
    walk.isHolding = true
    walk.enterPin()
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .equal, Details()))
    walk.send(.unlocked)
    XCTAssertEqual(walk.engine.pending?.job, .perform(.setUpAccount))
    XCTAssertFalse(walk.engine.isUnlocked)
  }

  func testEventsBeforeTheOpeningChangeNothing() {
    var walk = Walk()
    for event in [
      FlowInput.lockRequested, .locked(.background), .unlocked, .registered, .wiped, .warningOver,
      .inactivityWarning(locksAt: 1), .userActivity, .background, .backgroundTimeout, .foreground,
      .takenOver, .factsChanged, .chose(serial: 0, .next, nil),
    ] { walk.send(event) }
    XCTAssertNil(walk.step)
    XCTAssertFalse(walk.engine.isUnlocked)
    XCTAssertEqual(walk.engine.serial, 0)
  }
}
