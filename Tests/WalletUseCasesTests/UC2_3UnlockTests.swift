import WalletModel
import XCTest

@testable import WalletUseCases

final class UC2_3UnlockTests: FlowTestCase {
  func testUC2_3_1_1aEnabledBiometricsAreScannedAtOnce() {
    var walk = Walk.scanning(.android, [])
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(
      walk.taken.suffix(6),
      ["UC2.3 1.1a", "UC2.3 1.2a", "UC2.3 1.5a", "PF2.7 1.1b", "UC2.3 1.6a", "UC2.3 1.7b"])
    XCTAssert(walk.engine.isUnlocked)
    XCTAssertEqual(walk.engine.history, [])
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC7.1 1.1", "there was no background")
  }

  func testUC2_3_1_1bWithoutBiometricsThePinIsAskedFor() {
    let walk = Walk.locked()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.step?.input, .pin)
    XCTAssertEqual(walk.offered, ["enter", "forgot-pin", "info"], "no Back")
  }

  func testUC2_3_1_3TellsOfTheLastKnownBlockAndTakesAPinAllTheSame() {
    var walk = Walk.locked()
    XCTAssertEqual(walk.step?.message, "")
    walk.facts.pinBlock = KnownBlock(toldAt: -5000, duration: 60_000)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.step?.arguments[.blockedFor], .number(55_000))
    XCTAssertEqual(walk.step?.arguments[.blockAge], .number(5000))
    XCTAssertEqual(walk.step?.arguments[.pinLength], .number(6))
    XCTAssertEqual(walk.step?.message, "Too many wrong PINs. Try again in 55 seconds.")
    XCTAssertEqual(walk.offered, ["enter", "forgot-pin", "info"])
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertNil(walk.engine.blockEnd, "no other step tells of it")
  }

  func testUC2_3_1_3TellsOfAPermanentBlockWithItsAge() {
    var walk = Walk.locked()
    walk.facts.pinBlock = KnownBlock(toldAt: -3 * 24 * 3_600_000, duration: nil)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.step?.arguments[.isPermanentlyBlocked], .truth(true))
    XCTAssertNil(walk.step?.arguments[.blockedFor])
    XCTAssertEqual(
      walk.step?.message, "Too many wrong PINs blocked this wallet for good, as of 3 days ago.")
    XCTAssertNil(walk.engine.blockEnd)
  }

  func testUC2_3_1_3IsShownAgainOnlyIfTheBlockEndsOrBegins() {
    var walk = Walk.locked()
    var serial = walk.engine.serial
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial)
    walk.facts.pinBlock = KnownBlock(toldAt: 0, duration: 60_000)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertEqual(walk.engine.blockEnd, 60_000)
    // Another reading of the clock is no change: a new serial would invalidate the user's tap.
    walk.facts.pinBlock = KnownBlock(toldAt: 700, duration: 60_000)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial + 1)
    walk.facts.pinBlock = KnownBlock(toldAt: 0, duration: nil)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial + 2, "a block for good is another one")
    walk.facts.pinBlock = nil
    serial = walk.engine.serial
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertEqual(walk.step?.arguments, [.pinLength: .number(6)])
    walk.enterPin()
    serial = walk.engine.serial
    walk.facts.pinBlock = KnownBlock(toldAt: 0, duration: nil)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial, "no other step tells of it")
  }

  func testUC2_3_1_3BlocksOfAnyLengthOverflowNothing() {
    let block = KnownBlock(toldAt: .max, duration: .max)
    XCTAssertEqual(block.end, .max)
    XCTAssertFalse(block.isOver(now: 0))
    XCTAssert(KnownBlock(toldAt: 0, duration: 5).isOver(now: 5))
    XCTAssertFalse(KnownBlock(toldAt: 0, duration: nil).isOver(now: .max))
  }

  func testUC2_3_1_2bAFirstInvalidBiometricOnIOSCanBeTriedAgain() {
    var walk = Walk.scanning(.ios, [.notRecognised(times: 1)])
    XCTAssertEqual(walk.at, "UC2.3 2.1")
    XCTAssertEqual(walk.step?.name, "biometric-not-recognised")
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC7.1 1.1", "corrected: another scan, not 2.1")
  }

  func testUC2_3_2_1aClosingLeadsToThePinWithBiometricsStillUsable() {
    var walk = Walk.scanning(.ios, [.notRecognised(times: 1)])
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssert(walk.offered.contains("use-biometrics"))
  }

  func testUC2_3_1_2cASecondInvalidBiometricOnIOSAsksForThePin() {
    for action in [Action.enterPin, .cancel] {
      var walk = Walk.scanning(.ios, [.notRecognised(times: 1), .notRecognised(times: 1)])
      walk.choose(.tryAgain)
      XCTAssertEqual(walk.at, "UC2.3 3.1")
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      XCTAssertFalse(walk.offered.contains("use-biometrics"), "disabled until an unlock by PIN")
    }
  }

  func testUC2_3_1_2cTwoFailuresWithinOnePromptCountAsTwo() {
    XCTAssertEqual(Walk.scanning(.ios, [.notRecognised(times: 2)]).at, "UC2.3 3.1")
  }

  func testUC2_3_1_2cALockOutOnIOSAsksForThePinAtOnce() {
    XCTAssertEqual(Walk.scanning(.ios, [.lockedOut]).at, "UC2.3 3.1")
  }

  func testUC2_3_1_2dFailuresOneToFourOnAndroidCanBeTriedAgain() {
    var walk = Walk.scanning(.android, Array(repeating: .notRecognised(times: 1), count: 4))
    for _ in 1...3 {
      XCTAssertEqual(walk.at, "UC2.3 4.1")
      walk.choose(.tryAgain)
    }
    XCTAssertEqual(walk.at, "UC2.3 4.1")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssert(walk.taken.contains("UC2.3 4.1b"))
  }

  func testUC2_3_1_2eAFifthInvalidBiometricOnAndroidAsksForThePin() {
    var walk = Walk.scanning(.android, [.notRecognised(times: 4), .notRecognised(times: 1)])
    XCTAssertEqual(walk.at, "UC2.3 4.1")
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC2.3 5.1")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC2.3 5.2")
    walk.choose(.ok)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertFalse(walk.offered.contains("use-biometrics"))
  }

  func testUC2_3_1_2eALockOutOnAndroidAsksForThePinAtOnce() {
    XCTAssertEqual(Walk.scanning(.android, [.lockedOut]).at, "UC2.3 5.1")
  }

  func testUC2_3_1_2fACancelledScanIsNotCountedAndCanBeRepeated() {
    var walk = Walk.scanning(
      .ios, [.notRecognised(times: 1), .cancelled, .notRecognised(times: 1)])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.choose(.useBiometrics)
    XCTAssertEqual(walk.at, "UC2.3 3.1", "the cancelled scan did not reset the count either")
  }

  func testUC2_3_1_2gAnUnavailableScanIsReportedAndNotCounted() {
    var walk = Walk.scanning(.ios, [.unavailable, .notRecognised(times: 1)])
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.step?.notices, ["biometrics-unavailable"])
    walk.choose(.useBiometrics)
    XCTAssertEqual(walk.at, "UC2.3 2.1")
  }

  func testUC2_3_1_2gALostKeyIsReportedAfterTheUnlockByPin() {
    var walk = Walk.scanning(.ios, [.unavailable])
    walk.isHolding = true
    walk.enterPin()
    walk.send(
      .outcome(
        id: walk.engine.pending?.id ?? 0, .valid, Details(notices: [.biometricsSwitchedOff])))
    walk.send(.slow(id: walk.engine.pending?.id ?? 0))
    XCTAssertEqual(walk.step?.notices, [], "not on a progress step")
    walk.finish()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.step?.notices, ["biometrics-switched-off"])
  }

  func testWrongPinsThatWereLearnedWithoutAPinAreToldOnTheDashboardOnce() {
    var walk = Walk.dashboard()
    walk.choose(.about)
    walk.facts.untoldFailures = PinFailures(count: 2, lastAt: 7, total: 5, wallet: "w")
    walk.send(.factsChanged)
    XCTAssertEqual(walk.step?.notices, [], "only on the dashboard")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.step?.notices, ["failed-attempts"])
    XCTAssertEqual(walk.step?.arguments[.failedAttempts], .number(2))
    XCTAssertEqual(walk.step?.arguments[.lastFailedAt], .number(7))
    XCTAssertEqual(walk.commands.filter { $0 == .noteFailuresTold }.count, 1)
    walk.facts.untoldFailures = nil
    walk.choose(.about)
    walk.choose(.back)
    XCTAssertEqual(walk.step?.notices, [])

    walk.facts.untoldFailures = PinFailures(count: 1, lastAt: 9, total: 6, wallet: "w")
    walk.send(.factsChanged)
    XCTAssertEqual(walk.step?.notices, ["failed-attempts"])
    XCTAssertEqual(walk.step?.arguments[.failedAttempts], .number(1))
  }

  /// A right PIN was answered after two wrong ones, and what follows is still pending.
  private func walkAfterWrongPins(_ version: VersionState = .ok) -> Walk {
    var walk = Walk.scanning(.ios, [.unavailable])
    walk.isHolding = true
    walk.enterPin()
    walk.facts.versionState = version
    var details = Details(notices: [.failedAttempts])
    details.noticeArguments = [.failedAttempts: .number(2), .lastFailedAt: .number(7)]
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .valid, details))
    return walk
  }

  func testUC2_3_1_4aWrongPinsAreToldWithTheStepAfterTheRightOne() {
    var walk = walkAfterWrongPins()
    walk.send(.slow(id: walk.engine.pending?.id ?? 0))
    XCTAssertNil(walk.step?.arguments[.failedAttempts], "not on a progress step")
    walk.finish()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.step?.notices, ["failed-attempts"])
    XCTAssertEqual(walk.step?.arguments[.failedAttempts], .number(2))
    XCTAssertEqual(walk.step?.arguments[.lastFailedAt], .number(7))
    walk.choose(.about)
    XCTAssertEqual(walk.step?.notices, [])
    XCTAssertNil(walk.step?.arguments[.failedAttempts])
  }

  /// Whoever holds the locked phone may be the one who guessed.
  func testUC2_3_1_3ALockTakesTheNoticeOfWrongPinsBack() {
    for isShown in [false, true] {
      var walk = walkAfterWrongPins()
      if isShown { walk.finish() }
      walk.isHolding = false
      walk.send(.locked(.inactivity))
      XCTAssertEqual(walk.at, "UC2.3 1.3", "\(isShown)")
      XCTAssertEqual(walk.step?.notices, [], "\(isShown)")
      XCTAssertNil(walk.step?.arguments[.failedAttempts])
      XCTAssertNil(walk.step?.arguments[.lastFailedAt])
    }
  }

  /// A host may not have taken in the lock yet.
  func testAStepWithTheNoticeOfWrongPinsIsProtected() {
    var walk = walkAfterWrongPins()
    walk.facts.hasPID = false
    walk.finish()
    XCTAssertEqual(walk.step?.notices, ["failed-attempts"])
    XCTAssertEqual(walk.step?.isProtected, true)
  }

  /// The screen that blocks this version stays while the wallet is locked.
  func testPF1_4TheScreenThatBlocksThisVersionHasNoNoticeOfWrongPins() {
    let walk = walkAfterWrongPins(.block(updateAvailable: true))
    XCTAssertEqual(walk.at.prefix(5), "PF1.4")
    XCTAssertEqual(walk.step?.notices, [])
    XCTAssertNil(walk.step?.arguments[.failedAttempts])
  }

  /// The app was opened again while the dashboard was still to come.
  func testPF1_4WrongPinsCountAsToldOnlyIfTheDashboardIsShown() {
    for version in [VersionState.ok, .block(updateAvailable: true)] {
      var walk = walkAfterWrongPins()
      walk.facts.untoldFailures = PinFailures(count: 2, lastAt: 7, total: 5, wallet: "w")
      walk.send(.open(.resume, hasLink: false))
      walk.facts.versionState = version
      walk.finish()
      let isShown = version == .ok
      XCTAssertEqual(walk.at, isShown ? "UC7.1 1.1" : "PF1.4 2.1")
      XCTAssertEqual(walk.step?.notices.contains("failed-attempts"), isShown)
      XCTAssertEqual(walk.commands.contains(.noteFailuresTold), isShown)
    }
  }

  func testUC2_3_1_2bAnUnlockByPinResetsTheCount() {
    var walk = Walk.scanning(.ios, [.notRecognised(times: 1)])
    walk.choose(.close)
    walk.enterPin()
    walk.send(.background)
    walk.send(.locked(.background))
    walk.scans = [.notRecognised(times: 1)]
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC2.3 2.1")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.2b")
  }

  func testUC2_3_1_2cTheCountOutlivesInfoBackgroundAndLockButNotTheWipe() {
    var walk = Walk.scanning(.ios, [.notRecognised(times: 1)])
    walk.choose(.close)
    walk.choose(.info)
    walk.choose(.back)
    walk.send(.lockRequested)
    walk.send(.background)
    walk.scans = [.cancelled, .notRecognised(times: 1)]
    walk.send(.foreground)
    walk.choose(.useBiometrics)
    XCTAssertEqual(walk.at, "UC2.3 3.1")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.2c")
    XCTAssertEqual(walk.engine.attempts.failures, 2)
    walk.facts.isRegistered = false
    walk.send(.wiped)
    XCTAssertEqual(walk.engine.attempts, BiometricAttempts())
  }

  func testUC2_3_1_1bDisabledBiometricsAreNotScannedOnReturn() {
    var walk = Walk.scanning(.ios, [.lockedOut])
    walk.choose(.enterPin)
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.1b")
    walk.enterPin()
    walk.send(.background)
    walk.send(.locked(.background))
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC7.1 1.1", "scanned again after an unlock by PIN")
  }

  func testUC2_3_1_1bALockOnRequestIsNotUndoneByAScan() {
    for event in [FlowInput.lockRequested, .locked(.inactivity)] {
      var walk = Walk.scanning(.android, [])
      walk.send(event)
      XCTAssertEqual(walk.at, "UC2.3 1.3")
      walk.send(.background)
      walk.isHolding = true
      walk.send(.foreground)
      walk.finish()
      XCTAssertEqual(walk.at, "UC7.1 1.1", "a return to the app starts a scan")
    }
  }

  func testUC2_3_1_2TheBackgroundCancelsAnOpenScan() {
    var walk = Walk.scanning(.ios, [.cancelled])
    walk.isHolding = true
    walk.choose(.useBiometrics)
    XCTAssertEqual(walk.at, "UC2.3 1.2")
    XCTAssertEqual(walk.step?.kind, .systemPrompt)
    let id = walk.engine.pending?.id ?? 0
    walk.send(.background)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.send(.scanned(id: id, .opened, Details()))
    XCTAssertFalse(walk.engine.isUnlocked, "a late reply unlocks nothing")
    walk.send(.scanned(id: id, .notRecognised(times: 1), Details()))
    XCTAssertEqual(walk.engine.attempts.failures, 0)
  }

  func testUC2_3_1_4AScanReplyToOtherWorkUnlocksNothing() {
    var walk = Walk.locked()
    walk.isHolding = true
    walk.enterPin()
    walk.send(.scanned(id: walk.engine.pending?.id ?? 0, .opened, Details()))
    XCTAssertFalse(walk.engine.isUnlocked)
    XCTAssertEqual(walk.engine.pending?.job, .perform(.validatePin))
  }

  func testUC2_3_1_3bTheForgottenPinLeadsToTheWipeAndBack() {
    var walk = Walk.locked()
    walk.choose(.forgotPin)
    XCTAssertEqual(walk.at, "UC2.3 6.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.choose(.forgotPin)
    walk.choose(.deleteWallet)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
    walk.choose(.cancel)
    XCTAssertEqual(walk.at, "UC2.3 6.1")
  }

  func testUC2_3_1_3cInfoIsAllowedWhileLocked() {
    var walk = Walk.locked()
    walk.choose(.info)
    XCTAssertEqual(walk.at, "UC9.2 1.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }

  func testUC2_3_1_5bWithoutAPIDItIsObtained() {
    var walk = Walk.locked(hasPID: false)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2b")
    XCTAssertEqual(walk.taken.suffix(3), ["UC2.3 1.4a", "UC2.3 1.5b", "UC3.1 1a"])
  }

  func testUC2_3_1_5cAnInterruptedSetUpContinues() {
    var walk = Walk.offeredBiometrics()
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.1 1.7")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.5c")
  }

  func testUC2_3_1_5cAnInterruptedProofingContinues() {
    var walk = Walk.locked(hasPID: false)
    walk.enterPin()
    walk.send(.lockRequested)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC3.1 2b")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.5c")
  }

  func testUC2_3_1_5dAnUnreadablePIDIsAnErrorOfAnUnlockedWallet() {
    var walk = Walk.locked()
    walk.answers[.hasPIDOrLeftStep] = [.failed]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC2.3 1.5 generic")
    XCTAssert(walk.engine.isUnlocked)
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC2_3_1_5dTheErrorKeepsTheSuspendedStep() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.lockRequested)
    walk.answers[.hasPIDOrLeftStep] = [.failed]
    walk.enterPin()
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.answers[.hasPIDOrLeftStep] = [.failed]
    walk.enterPin()
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC7.1 2.1")
  }

  func testUC2_3_1_7aTheSuspendedStepIsShownAfterTheUnlock() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.send(.lockRequested)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 2.1")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.7a")
  }

  func testUC2_3_1_5AnUnlockByAHostsOwnScreensOpensTheDashboard() {
    var walk = Walk.locked()
    walk.send(.unlocked)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.taken.last, "UC2.3 1.7b")
  }

  func testUC2_3_1_1cALaunchOfAnUnlockedWalletAsksForNoPin() {
    for hasPID in [true, false] {
      var walk = Walk()
      walk.facts.isRegistered = true
      walk.facts.hasPID = hasPID
      walk.setLock(.unlocked())
      walk.open()
      // The engine takes no news of the lock while it starts.
      walk.send(.unlocked)
      walk.passTime()
      XCTAssertTrue(walk.taken.contains("UC2.3 1.1c"), "\(walk.taken)")
      XCTAssertEqual(walk.at, hasPID ? "UC7.1 1.1" : "UC3.1 2b")
      XCTAssertTrue(walk.engine.isUnlocked)
    }
  }

  func testUC2_3_1_1cAnUnlockDuringTheSplashIsNotAskedForAgain() {
    var walk = Walk()
    walk.facts.isRegistered = true
    walk.facts.hasPID = true
    walk.open()
    walk.send(.unlocked)
    XCTAssertEqual(walk.at, "UC1.2 2.1")
    walk.passTime()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertTrue(walk.taken.contains("UC2.3 1.1c"), "\(walk.taken)")
    walk.send(.locked(.request))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }

  func testUC2_3_1_1cBackLeadsToNoPinOfAWalletThatWasUnlockedDuringAnErrorOfTheOpening() {
    var walk = Walk.locked()
    walk.choose(.forgotPin)
    walk.facts.isRegistered = false
    walk.answers[.isPinSetUp] = [.failed]
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.2 2.3 generic")
    walk.facts.isRegistered = true
    walk.send(.unlocked)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertTrue(walk.taken.contains("UC2.3 1.1c"), "\(walk.taken)")
  }

  func testNewsOfAnUnlockThatIsOlderThanALockOpensNothing() {
    var walk = Walk.locked()
    walk.setLock(.unlocked())
    let news = walk.facts.lock
    walk.setLock(.locked)
    walk.send(.lockChanged(news, .request))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertFalse(walk.engine.isUnlocked)
  }

  func testNewsOfALockThatIsOlderThanTheUnlockEndsNothing() {
    var walk = Walk.locked()
    let news = walk.facts.lock
    walk.enterPin()
    walk.forgetTrail()
    let serial = walk.engine.serial
    walk.send(.lockChanged(news, .request))
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    XCTAssertEqual(walk.engine.serial, serial)
    XCTAssertEqual(walk.commands, [])
  }

  func testUC2_3_1_1cALockThatAnUnlockFollowedBeforeItsNewsEndsTheStepsAndAsksForNoPin() {
    for cause in [LockCause.request, .inactivity, .background] {
      var walk = Walk.scanningLicence()
      walk.setLock(.locked)
      let news = walk.facts.lock
      walk.setLock(.unlocked())
      walk.forgetTrail()
      walk.send(.lockChanged(news, cause))
      // What was read of a licence does not outlive a lock.
      XCTAssertEqual(walk.at, "UC3.1 5c", "\(cause)")
      XCTAssertTrue(walk.taken.contains("UC2.3 1.1c"), "\(walk.taken)")
      XCTAssertEqual(walk.commands, [], "the wallet that is open now is not locked")
      walk.send(.lockChanged(walk.facts.lock, .request))
      XCTAssertEqual(walk.at, "UC3.1 5c", "\(cause)")
    }
  }

  func testUC9_7_2ARequestedLockCountsBeforeItHasCome() {
    var walk = Walk.scanning(.android, [.cancelled])
    walk.isHolding = true
    walk.choose(.useBiometrics)
    // A request outside the flows has unlocked the wallet, and the user locks it.
    walk.setLock(.unlocked())
    walk.isHolding = false
    walk.send(.lockRequested)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertFalse(walk.engine.isUnlocked)
  }

  func testUC9_7_2aAPinWhoseAnswerComesAfterALockUnlocksNothing() {
    var walk = Walk.locked()
    walk.isHolding = true
    walk.enterPin()
    walk.forgetTrail()
    // The runtime refuses the key, because the wallet was locked since the PIN was sent.
    let answer = walk.engine.pending?.id ?? 0
    walk.isHolding = false
    walk.refusesKeys = true
    walk.send(.outcome(id: answer, .valid, Details()))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertFalse(walk.engine.isUnlocked)
    XCTAssertTrue(walk.taken.contains("UC9.7 2a"), "\(walk.taken)")
  }

  func testUC9_7_2aAPinThatALockKeptFromBeingSentLeadsToTheUnlock() {
    var walk = Walk.locked()
    walk.isHolding = true
    walk.enterPin()
    walk.forgetTrail()
    walk.send(.outcome(id: walk.engine.pending?.id ?? 0, .locked, Details()))
    walk.finish()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.taken.first, "UC9.7 2a")
    XCTAssertEqual(walk.engine.heldSlots, [])
  }

  func testPF2_8_5_1ABlockLocksAWalletThatARequestHasJustUnlocked() {
    for outcome in [Outcome.blocked, .wrongFourth, .blockedForGood, .finalWrongFourth] {
      var walk = Walk.locked()
      walk.isHolding = true
      walk.enterPin()
      walk.forgetTrail()
      // The news of the unlock comes after the answer to the PIN.
      walk.setLock(.unlocked())
      let news = walk.facts.lock
      walk.outcomes[.validatePin] = [outcome]
      walk.finish()
      let shown = walk.at
      XCTAssertTrue(["PF2.8 5.1", "PF2.8 9.1"].contains(shown), shown)
      XCTAssertEqual(walk.commands, [.lock])
      walk.send(.lockChanged(news, .request))
      XCTAssertEqual(walk.at, shown)
      XCTAssertFalse(walk.engine.isUnlocked)
    }
  }

  func testUC2_3_1_3TellsOfTheAttemptsLeftAfterAWrongPin() {
    var walk = Walk.locked()
    XCTAssertNil(walk.step?.arguments[.attemptsLeft])
    walk.outcomes[.validatePin] = [.wrongSecond]
    walk.enterPin()
    walk.facts.pinAttempts = KnownAttempts(left: 2, isFinalRound: false)
    XCTAssertEqual(walk.at, "PF2.8 3.1")
    // The return to the app replaces the prompt.
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertEqual(walk.step?.arguments[.attemptsLeft], .number(2))
    XCTAssertEqual(walk.step?.arguments[.isFinalRound], .truth(false))
    XCTAssertEqual(
      walk.step?.message, "You have 2 attempts left. Then your wallet is blocked for a time.")
    let serial = walk.engine.serial
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial)
    walk.facts.pinAttempts = KnownAttempts(left: 1, isFinalRound: false)
    walk.send(.blockChanged)
    XCTAssertEqual(walk.engine.serial, serial + 1)
    XCTAssertEqual(walk.step?.arguments[.attemptsLeft], .number(1))
    walk.facts.pinAttempts = nil
    walk.facts.pinBlock = KnownBlock(toldAt: 0, duration: 60_000)
    walk.send(.blockChanged)
    XCTAssertNil(walk.step?.arguments[.attemptsLeft])
  }
}
