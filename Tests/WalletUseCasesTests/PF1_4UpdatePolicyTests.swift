import WalletModel
import XCTest

@testable import WalletUseCases

final class PF1_4UpdatePolicyTests: FlowTestCase {
  private func launched(_ outcome: Outcome, _ state: VersionState = .ok) -> Walk {
    var walk = Walk()
    walk.facts.versionState = state
    walk.outcomes[.applyUpdatePolicy] = [outcome]
    walk.open()
    walk.passTime()
    return walk
  }

  func testPF1_4_1_1bABlockedVersionLeadsToTheStore() {
    var walk = launched(.blockedWithUpdate, .block(updateAvailable: true))
    XCTAssertEqual(walk.at, "PF1.4 2.1")
    XCTAssertEqual(walk.offered, ["close", "store"])
    let serial = walk.engine.serial
    walk.choose(.store)
    XCTAssertEqual(walk.at, "PF1.4 2.1")
    XCTAssertEqual(walk.engine.serial, serial + 1)
    walk.choose(.close)
    XCTAssertEqual(walk.step?.kind, .end)
    XCTAssertFalse(walk.engine.isOpen)
  }

  func testPF1_4_1_1cWithoutAnUpdateTheAppIsBlocked() {
    var walk = launched(.blockedWithoutUpdate, .block(updateAvailable: false))
    XCTAssertEqual(walk.at, "PF1.4 3.1")
    XCTAssertEqual(walk.offered, ["help", "store"])
    walk.choose(.help)
    XCTAssertEqual(walk.at, "UC9.6 1")
    walk.choose(.done)
    XCTAssertEqual(walk.at, "PF1.4 3.1")
    walk.choose(.store)
    XCTAssertEqual(walk.at, "PF1.4 3.1")
  }

  func testPF1_4_1_1dNoInternetCanBeTriedAgainOrClosed() {
    var walk = launched(.noInternet)
    XCTAssertEqual(walk.at, "PF1.4 1.1 no-internet")
    XCTAssertEqual(walk.offered, ["try-again", "close"])
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "UC1.1 1.1")

    walk = launched(.noInternet)
    walk.choose(.close)
    XCTAssertEqual(walk.at, "EF 1 end")
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC1.2 2.1", "after the end the app starts over")
  }

  func testPF1_4_1_1eAnUnreachableServerCanBeTriedAgainOrClosed() {
    var walk = launched(.serverUnreachable)
    XCTAssertEqual(walk.at, "PF1.4 1.1 server-unreachable")
    walk.outcomes[.applyUpdatePolicy] = [.serverUnreachable]
    walk.choose(.tryAgain)
    XCTAssertEqual(walk.at, "PF1.4 1.1 server-unreachable")
    walk.choose(.close)
    XCTAssertEqual(walk.step?.kind, .end)
  }

  func testPF1_4_1_1fUnusableStorageIsAnError() {
    XCTAssertEqual(launched(.failed).at, "PF1.4 1.1 generic")
  }

  func testABlockThatBeginsWhileTheAppRunsIsShownOnTheNextResume() {
    var walk = Walk.dashboard()
    walk.facts.versionState = .block(updateAvailable: true)
    walk.send(.factsChanged)
    XCTAssertEqual(walk.at, "UC7.1 1.1")
    walk.send(.background)
    walk.send(.foreground)
    XCTAssertEqual(walk.at, "PF1.4 2.1")
    XCTAssertNotNil(
      walk.engine.refusal(of: walk.engine.serial, Action.back.rawValue, .none))
  }

  func testABlockIsShownInsteadOfTheUnlock() {
    var walk = Walk.locked()
    walk.facts.versionState = .block(updateAvailable: false)
    walk.enterPin()
    XCTAssertEqual(walk.at, "PF1.4 3.1")
    XCTAssertFalse(walk.engine.isUnlocked)
    XCTAssertEqual(walk.commands.last, .lock, "the wallet that the PIN opened is locked again")
  }

  func testALiftedBlockResumesTheStepBeforeIt() {
    var walk = Walk.dashboard()
    walk.choose(.card)
    walk.facts.versionState = .block(updateAvailable: false)
    walk.open(.resume)
    walk.choose(.help)
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC9.6 1")
    walk.choose(.done)
    walk.facts.versionState = .block(updateAvailable: true)
    walk.open(.resume)
    XCTAssertEqual(walk.at, "PF1.4 2.1", "there is an update now")
    walk.facts.versionState = .ok
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC7.1 2.1")
  }

  func testABlockStaysWhenTheWalletLocksBeneathIt() {
    var walk = Walk.dashboard()
    walk.facts.versionState = .block(updateAvailable: true)
    walk.open(.resume)
    walk.send(.locked(.inactivity))
    XCTAssertEqual(walk.at, "PF1.4 2.1")
    XCTAssertFalse(walk.engine.isUnlocked)
    walk.facts.versionState = .ok
    walk.open(.resume)
    XCTAssertEqual(walk.at, "UC2.3 1.3")
    walk.enterPin()
    XCTAssertEqual(walk.at, "UC7.1 1.1")
  }

  func testClosingTheAppLocksAnUnlockedWallet() {
    var walk = Walk.dashboard()
    walk.facts.versionState = .block(updateAvailable: true)
    walk.open(.resume)
    walk.forgetTrail()
    walk.choose(.close)
    XCTAssertEqual(walk.commands, [.noteActivity, .lock])
    XCTAssertFalse(walk.engine.isUnlocked)
    walk.facts.versionState = .ok
    walk.open()
    walk.passTime()
    XCTAssertEqual(walk.at, "UC2.3 1.3")
  }
}
