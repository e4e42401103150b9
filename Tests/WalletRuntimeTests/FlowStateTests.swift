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

  func testADeletedWalletLeavesNothingToRemember() throws {
    var state = FlowState()
    state.link = "https://wallet.example.org/login"
    state.hasPID = true
    state.isBiometricKeyGone = true
    state.scanned = (.qrCode, [1])
    state.forgetWallet()
    XCTAssertNil(state.link)
    XCTAssertNil(state.hasPID)
    XCTAssertNil(state.scanned)
    XCTAssertFalse(state.isBiometricKeyGone)
  }
}
