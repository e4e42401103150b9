import WalletAccount
import WalletCrypto
import WalletModel
import WalletUseCases
import XCTest

@testable import WalletRuntime

final class FlowStateTests: XCTestCase {
  private func pin() throws -> Pin {
    try Array("142032".utf8).withUnsafeBytes { try Pin(copying: $0) }
  }

  func testAPinOnItsWayToTheEngineIsKeptAndAllOthersAreWiped() throws {
    var state = FlowState()
    let onItsWay = state.keep(try pin())
    let forgotten = state.keep(try pin())
    state.inbox = [.event(.chose(serial: 1, .enter, onItsWay))]
    state.forgetPins()
    XCTAssertNotNil(state.pins[onItsWay])
    XCTAssertNil(state.pins[forgotten])
    state.inbox = []
    state.forgetPins()
    XCTAssertTrue(state.pins.isEmpty)
  }

  func testAScanOnItsWayToTheEngineIsKeptAndAnUnneededOneIsWiped() throws {
    var state = FlowState()
    state.scanned = (.pdf417, try Secret(copying: [1]))
    state.inbox = [.event(.chose(serial: 1, .scanned, nil))]
    state.forgetScans()
    XCTAssertNotNil(state.scanned)
    state.inbox = []
    state.forgetScans()
    XCTAssertNil(state.scanned)
  }

  func testOnlyTheStepThatTellsOfWrongPinsCountsAsTheirs() {
    func step(_ failures: PinFailures) -> Step {
      Step(
        serial: 1, useCase: "UC7.1", row: "1.1", kind: .screen, name: "dashboard", title: "",
        message: "", arguments: failures.arguments)
    }
    let first = PinFailures(count: 1, lastAt: 5, total: 1, wallet: "w")
    let later = PinFailures(count: 2, lastAt: 9, total: 2, wallet: "w")
    var state = FlowState()
    state.shownFailures = later
    XCTAssertNil(state.takeShownFailures(of: step(first)))
    XCTAssertEqual(state.takeShownFailures(of: step(later)), later)
    XCTAssertNil(state.takeShownFailures(of: step(later)))
  }

  func testNothingOfADeletedWalletIsRemembered() throws {
    var state = FlowState()
    state.links.add(
      try Secret(copying: Array("https://wallet.example.org/login".utf8)),
      .valid(.login, madeForScanning: false))
    state.links.add(try Secret(copying: [1]), .invalid)
    XCTAssertTrue(state.links.isAnyUnopened)
    state.hasPID = true
    state.scanned = (.qrCode, try Secret(copying: [1]))
    state.proofing.usesLink = true
    state.forgetWallet()
    XCTAssertFalse(state.links.isAnyUnopened)
    XCTAssertNil(state.hasPID)
    XCTAssertNil(state.scanned)
    XCTAssertFalse(state.proofing.usesLink)
  }

  /// A state whose app was just opened; the splash is shown.
  private func opened() -> FlowState {
    var state = FlowState()
    _ = state.engine.handle(.open(.launch), facts: Facts())
    return state
  }

  func testWorkIsStartedOnce() {
    var state = opened()
    XCTAssertNil(state.takeWork())
    _ = state.engine.handle(.timeIsUp(serial: state.engine.serial), facts: Facts())
    XCTAssertEqual(state.takeWork()?.job, .perform(.applyUpdatePolicy))
    XCTAssertNil(state.takeWork(), "whatever else happens meanwhile")
  }

  func testAChoiceThatWasNotTakenLeavesItsStepOpen() {
    var state = opened()
    state.answeredSerial = state.engine.serial
    state.reopenUnlessTaken(.userActivity)
    XCTAssertEqual(state.answeredSerial, state.engine.serial)
    state.reopenUnlessTaken(.chose(serial: state.engine.serial, .next, nil))
    XCTAssertEqual(state.answeredSerial, 0)
  }

  func testAConfirmationThatAwaitsNoPinIsGivenUp() {
    var state = opened()
    state.sealed = SealedBiometricSecret(keyIdentifier: "k", ciphertext: [], vaultKey: [])
    XCTAssertEqual(state.takeUnusedSeal()?.keyIdentifier, "k")
    XCTAssertNil(state.sealed)
  }
}
