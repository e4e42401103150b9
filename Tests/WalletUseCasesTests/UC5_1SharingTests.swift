import WalletModel
import XCTest

@testable import WalletUseCases

final class UC5_1SharingTests: FlowTestCase {
  /// A walk after a link or a code of a relying party.
  private func called(
    _ outcome: Outcome = .sameDevice, hasChoice: Bool = false, redirectURI: String? = nil,
    for purpose: Outcome = .sharing
  ) -> Walk {
    var walk = Walk.dashboard()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [purpose]]
    walk.outcomes[purpose == .login ? .retrieveLogin : .retrieveRequest] = [outcome]
    walk.hasCardChoice = hasChoice
    walk.redirectURI = redirectURI
    walk.openLink()
    return walk
  }

  /// Locked while the answer is being sent.
  private func lockedDuringTheAct() -> Walk {
    var walk = called()
    walk.choose(.share)
    walk.isHolding = true
    walk.enterPin()
    walk.answer(until: .shareData)
    walk.isHolding = false
    walk.send(.locked(.inactivity))
    return walk
  }

  private let address = "https://shop.example/done"

  func testUC5_1OnThisDeviceEndsAtTheWebsiteWhateverIsChosen() {
    for action in [Action.website, .close] {
      var walk = called(redirectURI: address)
      XCTAssertEqual(walk.at, "UC5.1 1.4")
      XCTAssertEqual(walk.step?.sharing?.party.name, "Example Shop")
      walk.choose(.share)
      XCTAssertEqual(walk.at, "PF2.4 1.1")
      XCTAssertEqual(walk.step?.arguments[.purpose], .text("share"))
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC5.1 1.6")
      XCTAssertEqual(walk.offered, ["website", "activity", "help", "close"])
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC5.1 1.7")
      XCTAssertEqual(walk.step?.arguments[.link], .text(address))
      walk.choose(.done)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
      XCTAssertFalse(walk.engine.needsSharing)
    }
  }

  func testUC5_1_1_6WithoutAnAddressThereIsNowhereToReturn() {
    for action in [Action.overview, .close] {
      var walk = called()
      walk.choose(.share)
      walk.enterPin()
      XCTAssertEqual(walk.offered, ["overview", "activity", "help", "close"])
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC5_1_1_2ACodeOfAnotherDeviceIsAGuardedWay() {
    var walk = called(.otherDevice)
    XCTAssertEqual(walk.at, "UC5.1 1.2")
    XCTAssertEqual(walk.step?.arguments[.host], .text("shop.example"))
    walk.look(at: [.aboutCheck: "UC5.1 3.1", .help: "UC9.6 1"])
    walk.choose(.yes)
    XCTAssertEqual(walk.at, "UC5.1 1.4")
  }

  func testUC5_1_2_3WhoStopsBeforeSeeingWhoAsksTellsNobody() {
    var walk = called(.otherDevice)
    walk.choose(.stop)
    XCTAssertEqual(walk.at, "UC5.1 2.3")
    walk.choose(.no)
    XCTAssertEqual(walk.at, "UC5.1 1.2")
    walk.choose(.stop)
    walk.choose(.confirmStop)
    XCTAssertEqual(walk.at, "UC5.1 2.2")
    XCTAssertTrue(walk.taken.contains("UC5.1 2.3.1a"))
    XCTAssertFalse(walk.taken.contains("UC5.1 2.1.1a"))
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC5_1_2_1ARefusalIsAskedForAndTold() {
    for action in [Action.close, .stop] {
      var walk = called()
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC5.1 2.1")
      XCTAssertEqual(walk.step?.beneath, "approve-sharing")
      walk.choose(.report)
      XCTAssertEqual(walk.at, "UC5.1 8.1")
      walk.choose(.done)
      XCTAssertEqual(walk.at, "UC5.1 1.4")
      walk.choose(action)
      walk.choose(.no)
      XCTAssertEqual(walk.at, "UC5.1 1.4")
      walk.choose(action)
      walk.isHolding = true
      walk.choose(.confirmStop)
      XCTAssertEqual(walk.engine.pending?.job, .perform(.refuseRequest))
      walk.facts.sharing?.redirectURI = address
      walk.finish()
      XCTAssertEqual(walk.at, "UC5.1 2.2")
      walk.choose(.website)
      XCTAssertEqual(walk.at, "UC5.1 2.4")
      walk.choose(.done)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC5_1_1_4EverythingAboutTheRequestCanBeLookedAt() {
    var walk = called()
    walk.look(at: [.organisation: "UC5.1 7.1", .agreement: "UC5.1 6.2", .help: "UC9.6 1"])
    walk.choose(.viewData)
    walk.lookAtDetails(of: "UC5.1")
    XCTAssertEqual(walk.at, "UC5.1 1.4")
  }

  func testUC5_1_10AmongSeveralCardsTheUserChooses() {
    var walk = called(hasChoice: true)
    XCTAssertEqual(walk.at, "UC5.1 10.1")
    walk.look(at: [.organisation: "UC5.1 7.1", .agreement: "UC5.1 6.2", .help: "UC9.6 1"])
    walk.choose(.viewData)
    XCTAssertEqual(walk.at, "UC5.1 10.2")
    walk.look(at: [.help: "UC9.6 1", .detailsIncorrect: "UC5.1 5.1"])
    walk.choose(.swapCard)
    XCTAssertEqual(walk.at, "UC5.1 10.3")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC5.1 10.2")
    walk.choose(.back)
    walk.choose(.swapCard)
    XCTAssertEqual(walk.step?.input, .option)
    walk.answers[.applyChoice] = [.invalid]
    walk.choose(.choose)
    XCTAssertEqual(walk.at, "UC5.1 10.3")
    walk.choose(.choose)
    XCTAssertEqual(walk.at, "UC5.1 10.1")
    for action in [Action.close, .stop] {
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC5.1 2.1")
      walk.choose(.no)
    }
    walk.choose(.share)
    XCTAssertEqual(walk.at, "PF2.4 1.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC5.1 10.1")
  }

  func testUC5_1_9WhatIsMissingIsToldToTheUserAlone() {
    for purpose in [Outcome.sharing, .login] {
      let useCase = purpose == .login ? "UC5.2" : "UC5.1"
      var walk = called(.notInWallet, for: purpose)
      XCTAssertEqual(walk.at, "\(useCase) 9.1")
      walk.look(at: [.help: "UC9.6 1"])
      walk.choose(.details)
      XCTAssertEqual(walk.at, "\(useCase) 9.2")
      walk.choose(.close)
      XCTAssertEqual(walk.at, "\(useCase) 9.1")
      walk.choose(.close)
      XCTAssertEqual(walk.at, "\(useCase) 2.1")
      walk.choose(.confirmStop)
      XCTAssertEqual(walk.at, "\(useCase) 2.2")
    }
  }

  func testUC5_1_1_1ARequestThatCannotBeHadEndsClearly() {
    for purpose in [Outcome.sharing, .login] {
      let useCase = purpose == .login ? "UC5.2" : "UC5.1"
      for (outcome, name) in [
        (Outcome.sessionExpired, "session-expired"), (.unreachable, "unknown-verifier"),
        (.unknownVerifier, "unknown-verifier"), (.knownVerifier, "known-verifier"),
      ] {
        var walk = called(outcome, for: purpose)
        XCTAssertEqual(walk.at, "\(useCase) 1.1 \(name)")
        XCTAssertEqual(walk.step?.isProtected, true)
        if name != "session-expired" { walk.look(at: [.help: "UC9.6 1"]) }
        walk.choose(.close)
        XCTAssertEqual(walk.at, "UC7.1 1.1")
        XCTAssertEqual(walk.taken.contains("EF 8a"), outcome == .knownVerifier)
        XCTAssertFalse(walk.engine.needsSharing)
      }
      for (outcome, name) in [(Outcome.noInternet, "no-internet"), (.failed, "generic")] {
        var walk = called(outcome, for: purpose)
        XCTAssertEqual(walk.at, "\(useCase) 1.1 \(name)")
        walk.choose(.tryAgain)
        XCTAssertEqual(walk.at, "\(useCase) \(purpose == .login ? "1.3" : "1.4")")
      }
    }
  }

  func testEF_8TheReplyToAnErrorMayHaveAnAddress() {
    var walk = called(.knownVerifier)
    walk.facts.sharing?.redirectURI = address
    walk.outcomes[.tellVerifier] = [.websiteGiven]
    walk.choose(.close)
    XCTAssertEqual(walk.at, "EF 9")
    XCTAssertEqual(walk.step?.arguments[.link], .text(address))
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC5_1_1_1dTheUserMayStopTheRetrieval() {
    for purpose in [Outcome.sharing, .login] {
      var walk = Walk.dashboard()
      walk.answers = [.isLinkThere: [.yes], .linkPurpose: [purpose]]
      walk.isHolding = true
      walk.openLink()
      walk.answer(until: purpose == .login ? .retrieveLogin : .retrieveRequest)
      let before = walk.engine.serial
      XCTAssertEqual(walk.engine.refusal(of: before, "stop", .none), .stale)
      walk.send(.slow(id: walk.engine.pending?.id ?? 0))
      XCTAssertEqual(
        walk.step?.name, purpose == .login ? "retrieve-login" : "retrieve-request")
      XCTAssertEqual(walk.offered, ["stop"])
      walk.choose(.stop)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
      XCTAssertNil(walk.engine.pending)
      XCTAssertFalse(walk.engine.needsSharing)
    }
  }

  func testUC5_1_1_5_1EachEndOfTheActHasItsStep() {
    for (purpose, row, act) in [
      (Outcome.sharing, "UC5.1 1.5.1", Action.share), (.login, "UC5.2 1.4.1", .login),
    ] {
      for (outcome, at) in [
        (Outcome.noInternet, "\(row) no-internet"), (.knownVerifier, "\(row) known-verifier"),
        (.sessionExpired, "\(row) session-expired"), (.failed, "\(row) generic"),
        (.pinNeeded, "PF2.4 1.1"),
      ] {
        var walk = called(for: purpose)
        walk.choose(act)
        walk.outcomes[.shareData] = [outcome]
        walk.enterPin()
        XCTAssertEqual(walk.at, at)
      }
    }
  }

  func testEF_7cWhatWasNotSentMayBeTriedAgainWithThePin() {
    for (purpose, row, act, done) in [
      (Outcome.sharing, "UC5.1 1.5.1", Action.share, "UC5.1 1.6"),
      (.login, "UC5.2 1.4.1", .login, "UC5.2 1.6"),
    ] {
      var walk = called(for: purpose)
      walk.choose(act)
      walk.outcomes[.shareData] = [.knownVerifier, .pinNeeded]
      walk.enterPin()
      XCTAssertEqual(walk.at, "\(row) known-verifier")
      walk.choose(.help)
      walk.choose(.done)
      XCTAssertEqual(walk.at, "\(row) known-verifier")
      XCTAssertEqual(walk.offered, ["try-again", "close", "help"])
      walk.choose(.tryAgain)
      XCTAssertEqual(walk.at, "PF2.4 1.1")
      XCTAssertTrue(walk.engine.needsSharing)
      walk.enterPin()
      XCTAssertEqual(walk.at, done)
    }
  }

  func testEF_7WhatMayHaveBeenSentIsNotTriedAgain() {
    for effect in [FlowEffect.shareData, .retrieveRequest] {
      var walk = Walk.dashboard()
      walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.sharing]]
      walk.effectDetails[effect] = Details(repeatingHelps: false)
      walk.outcomes[effect] = [.knownVerifier]
      walk.openLink()
      if effect == .shareData {
        walk.choose(.share)
        walk.enterPin()
      }
      XCTAssertEqual(walk.offered, ["close", "help"])
    }
  }

  func testUC5_1_1_5TheConfirmationCanBeLeft() {
    for (purpose, row, act) in [
      (Outcome.sharing, "UC5.1 1.4", Action.share), (.login, "UC5.2 1.3", .login),
    ] {
      var walk = called(for: purpose)
      walk.choose(act)
      walk.choose(.back)
      XCTAssertEqual(walk.at, row)
      walk.choose(act)
      walk.choose(.cancel)
      XCTAssertEqual(walk.at, row.prefix(5) + " 2.1")
      walk.choose(.no)
      XCTAssertEqual(walk.at, "PF2.4 1.1")
    }
  }

  func testUC5_1_1_6cTheActivityLeadsBackToTheSuccess() {
    var walk = called()
    walk.choose(.share)
    walk.enterPin()
    walk.look(at: [.help: "UC9.6 1", .activity: "UC6.3 1.1"])
    XCTAssertEqual(walk.at, "UC5.1 1.6")
  }

  // MARK: Lock, take-over, links

  func testUC5_1ALockSuspendsTheRequestAndAsksForThePinAgain() {
    var walk = called()
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    XCTAssertTrue(walk.engine.needsSharing)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.1 1.4")
    walk.choose(.share)
    walk.send(.locked(.inactivity))
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.4 1.1")
  }

  func testUC5_1_1_5_1ALockDuringTheActTellsItsEndAfterTheUnlock() {
    var walk = lockedDuringTheAct()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.1 1.6")
  }

  func testUC5_1_1_1ALockDuringTheRetrievalRepeatsIt() {
    var walk = Walk.dashboard()
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.sharing]]
    walk.isHolding = true
    walk.openLink()
    walk.answer(until: .retrieveRequest)
    walk.isHolding = false
    walk.facts.sharing = SharingFact()
    walk.send(.locked(.inactivity))
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.1 1.4")
  }

  func testUC5_1ATakeOverDropsTheRequest() {
    var walk = called()
    walk.send(.takenOver)
    XCTAssertTrue(walk.commands.contains(.forgetSharing))
    XCTAssertFalse(walk.engine.needsSharing)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC5_1ABlockGivesTheActUpAndLocks() {
    var walk = called()
    walk.choose(.share)
    walk.outcomes[.validatePin] = [.wrongFourth]
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 5.1")
    XCTAssertTrue(walk.facts.lock.value.isLocked)
    XCTAssertTrue(walk.commands.contains(.forgetSharing))
    XCTAssertFalse(walk.engine.needsSharing)
    XCTAssertFalse(walk.taken.contains("UC5.1 2.1.1a"), "somebody was told")
    walk.choose(.back)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC9_4AWipeElsewhereWhileTheActIsConfirmedEndsTheAct() {
    for (purpose, act) in [(Outcome.sharing, Action.share), (.login, .login)] {
      var walk = called(for: purpose)
      walk.choose(act)
      walk.isHolding = true
      walk.enterPin()
      walk.answer(until: .applyUpdatePolicy)
      let id = walk.engine.pending?.id ?? 0
      walk.facts = Facts()
      walk.send(.wiped)
      walk.send(.outcome(id: id, .allowed, Details()))
      XCTAssertEqual(walk.at, "UC1.1 1.1")
      XCTAssertFalse(walk.taken.contains("PF2.4 1.4a"))
    }
  }

  func testUC9_4AWipeElsewhereKeepsTheBlockOfThisVersionDuringAnAct() {
    var walk = called()
    walk.choose(.share)
    walk.facts.versionState = .block(updateAvailable: true)
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF1.4 2.1")
    let blocked = walk.facts.versionState
    walk.facts = Facts()
    walk.facts.versionState = blocked
    walk.send(.wiped)
    XCTAssertEqual(walk.at, "PF1.4 2.1")
    walk.facts.versionState = .ok
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.1 1.1")
  }

  func testUC5_1AWrongPinKeepsTheRequest() {
    var walk = called()
    walk.choose(.share)
    walk.outcomes[.validatePin] = [.wrongFirst]
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.8 2.1")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "PF2.4 1.1")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.1 1.6")
  }

  func testPF2_4_1_1TheForgottenPinLeadsToTheDeletion() {
    var walk = called()
    walk.choose(.share)
    walk.look(at: [.help: "UC9.6 1", .forgotPin: "PF2.4 2"])
    XCTAssertEqual(walk.at, "PF2.4 1.1")
    walk.choose(.forgotPin)
    walk.choose(.deleteWallet)
    XCTAssertEqual(walk.at, "UC9.4 1.1")
  }

  func testPF2_4_1_2cAnd1_3AFailedCheckLeadsBack() {
    var walk = called()
    walk.choose(.share)
    walk.outcomes[.validatePin] = [.wrongFirst]
    walk.enterPin()
    walk.choose(.forgotPin)
    XCTAssertEqual(walk.at, "PF2.8 10.1")
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC5.1 1.4")
    walk.choose(.share)
    walk.answers[.walletStatus] = [.failed]
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF2.4 1.3 generic")
  }

  func testUC5_1ALinkDuringARequestWaitsUntilItsEnd() {
    var walk = called()
    let serial = walk.engine.serial
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.login]]
    walk.openLink()
    XCTAssertEqual(walk.at, "UC5.1 1.4")
    XCTAssertEqual(walk.engine.serial, serial)
    walk.choose(.share)
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.1 1.6")
    walk.choose(.overview)
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC5_1ALinkThatCameWhileLockedWaitsUntilTheEndOfTheRequest() {
    for comesBeforeTheLock in [true, false] {
      var walk = called()
      if comesBeforeTheLock { walk.openLink() }
      walk.send(.locked(.inactivity))
      if !comesBeforeTheLock { walk.openLink() }
      walk.answers = [.isLinkThere: [.yes, .yes], .linkPurpose: [.login]]
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC5.1 1.4")
      walk.choose(.share)
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC5.1 1.6")
      walk.choose(.overview)
      XCTAssertEqual(walk.at, "UC5.2 1.3")
    }
  }

  func testUC5_1_1_5_1ALinkThatCameWhileLockedHidesNoEndOfTheAct() {
    var walk = lockedDuringTheAct()
    walk.openLink()
    walk.answers = [.isLinkThere: [.yes, .yes], .linkPurpose: [.login]]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.1 1.6")
    walk.choose(.overview)
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  func testUC5_1ALinkAfterTheEndOfARequestIsOpenedByTheUnlock() {
    var walk = called()
    walk.choose(.share)
    walk.enterPin()
    walk.choose(.overview)
    walk.facts.sharing = nil
    walk.send(.locked(.inactivity))
    walk.answers = [.isLinkThere: [.yes], .linkPurpose: [.login]]
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC5.2 1.3")
  }

  // MARK: UC5.2

  func testUC5_2OnThisDeviceReturnsToTheWebsite() {
    for action in [Action.website, .close] {
      var walk = called(redirectURI: address, for: .login)
      XCTAssertEqual(walk.at, "UC5.2 1.3")
      walk.choose(.login)
      XCTAssertEqual(walk.step?.arguments[.purpose], .text("log-in"))
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC5.2 1.7")
      walk.look(at: [.activity: "UC6.3 1.1", .help: "UC9.6 1"])
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC5.2 1.8")
      walk.choose(.done)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC5_2OnAnotherDeviceEndsOnTheDashboard() {
    for action in [Action.overview, .close] {
      var walk = called(.otherDevice, redirectURI: address, for: .login)
      XCTAssertEqual(walk.at, "UC5.2 1.2")
      walk.look(at: [.aboutCheck: "UC5.2 3.1", .help: "UC9.6 1"])
      walk.choose(.stop)
      walk.choose(.no)
      walk.choose(.stop)
      XCTAssertEqual(walk.at, "UC5.2 2.3")
      walk.choose(.no)
      walk.choose(.yes)
      walk.choose(.login)
      walk.enterPin()
      XCTAssertEqual(walk.at, "UC5.2 1.6")
      walk.look(at: [.activity: "UC6.3 1.1", .help: "UC9.6 1"])
      XCTAssertTrue(walk.offered.contains("website"))
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC7.1 1.1")
    }
  }

  func testUC5_2_1_6eAnotherDeviceMayOpenTheAddressToo() {
    var walk = called(.otherDevice, redirectURI: address, for: .login)
    walk.choose(.yes)
    walk.choose(.login)
    walk.enterPin()
    walk.choose(.website)
    XCTAssertEqual(walk.at, "UC5.2 1.8")
  }

  func testUC5_2_1_1WhatAsksForMoreIsShownAsSharing() {
    XCTAssertEqual(called(.moreOnOtherDevice, for: .login).at, "UC5.1 1.2")
    XCTAssertEqual(called(.moreOnSameDevice, for: .login).at, "UC5.1 1.4")
  }

  func testUC5_2_2To10EverythingAboutTheRequestCanBeLookedAt() {
    var walk = called(hasChoice: true, for: .login)
    walk.look(at: [.help: "UC9.6 1"])
    walk.choose(.swapCard)
    XCTAssertEqual(walk.at, "UC5.2 10.3")
    walk.choose(.close)
    walk.choose(.swapCard)
    walk.answers[.applyChoice] = [.invalid]
    walk.choose(.choose)
    XCTAssertEqual(walk.at, "UC5.2 10.3")
    walk.choose(.choose)
    XCTAssertEqual(walk.at, "UC5.2 1.3")
    walk.choose(.details)
    walk.lookAtDetails(of: "UC5.2")
    XCTAssertEqual(walk.at, "UC5.2 1.3")
    for action in [Action.close, .stop] {
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC5.2 2.1")
      walk.choose(.no)
    }
    walk.choose(.stop)
    walk.choose(.report)
    XCTAssertEqual(walk.at, "UC5.2 8.1")
    walk.choose(.done)
    walk.choose(.stop)
    walk.facts.sharing?.redirectURI = address
    walk.choose(.confirmStop)
    XCTAssertEqual(walk.at, "UC5.2 2.2")
    walk.choose(.website)
    XCTAssertEqual(walk.at, "UC5.2 2.4")
    walk.choose(.done)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testUC5_2_2_3WhoStopsBeforeSeeingWhoAsksTellsNobody() {
    var walk = called(.otherDevice, for: .login)
    walk.choose(.stop)
    walk.choose(.confirmStop)
    XCTAssertEqual(walk.at, "UC5.2 2.2")
    walk.choose(.close)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  // MARK: UC6.1, UC6.3

  func testUC6_1TheHistoryIsOnTheDashboard() {
    var walk = Walk.dashboard()
    walk.choose(.activities)
    XCTAssertEqual(walk.at, "UC6.1 1.1")
    walk.look(at: [.help: "UC9.6 1"])
    walk.choose(.activity)
    XCTAssertEqual(walk.at, "UC6.3 1.1")
    for (action, row) in [
      (Action.viewData, "2.1"), (.agreement, "3.1"), (.organisation, "4.1"),
    ] {
      walk.choose(action)
      XCTAssertEqual(walk.at, "UC6.3 \(row)")
      if action == .agreement { walk.choose(.privacyPolicy) }
      walk.choose(.back)
    }
    walk.choose(.report)
    XCTAssertEqual(walk.at, "UC6.3 5.1")
    walk.choose(.done)
    walk.look(at: [.help: "UC9.6 1"])
    walk.choose(.back)
    walk.choose(.back)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }
}

extension Walk {
  /// Looks at screens and comes back from each.
  fileprivate mutating func look(at screens: KeyValuePairs<Action, String>, line: UInt = #line) {
    let here = at
    for (action, row) in screens {
      choose(action, line: line)
      XCTAssertEqual(at, row, line: line)
      choose(action == .help ? .done : .back, line: line)
      XCTAssertEqual(at, here, line: line)
    }
  }

  /// Looks at all that the details lead to, and leaves them.
  fileprivate mutating func lookAtDetails(of useCase: String, line: UInt = #line) {
    XCTAssertEqual(at, "\(useCase) 4.1", line: line)
    look(at: [.help: "UC9.6 1"], line: line)
    choose(.organisation, line: line)
    XCTAssertEqual(at, "\(useCase) 7.1", line: line)
    look(at: [.help: "UC9.6 1"], line: line)
    choose(.back, line: line)
    choose(.agreement, line: line)
    choose(.privacyPolicy, line: line)
    XCTAssertEqual(at, "\(useCase) 6.2", line: line)
    choose(.back, line: line)
    choose(.viewData, line: line)
    XCTAssertEqual(at, "\(useCase) 4.2", line: line)
    look(at: [.help: "UC9.6 1", .detailsIncorrect: "\(useCase) 5.1"], line: line)
    choose(.back, line: line)
    choose(.back, line: line)
  }

  /// Answers what is pending until `effect` is.
  fileprivate mutating func answer(until effect: FlowEffect) {
    for _ in 0..<16 where engine.pending?.job != .perform(effect) { answerOnce() }
    XCTAssertEqual(engine.pending?.job, .perform(effect))
  }
}
