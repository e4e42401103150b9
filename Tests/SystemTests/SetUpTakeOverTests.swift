import CWalletCore
import Foundation
import XCTest

/// A lock or a new engine comes while the provider sets up the account (UC2.1 1.5).
final class SetUpTakeOverTests: MiddleTestCase {
  private let pin = "142032"
  private let path = "/v2/registrations"

  /// Goes to the set-up of the account, whose answer is held back, and takes over.
  private func takeOver(_ held: HeldAnswer) throws -> FlowHost {
    try host.start()
    let flow = FlowHost(host)
    try flow.walkToChoosePin()
    middle.answer { held.rewrite($0) }
    flow.enter(pin)
    try flow.expect("UC2.1 1.3")
    flow.enter(pin)
    try held.waitUntilHeld()
    try host.attach()
    XCTAssertEqual(try flow.next { _ in false }.name, "set-up-account")
    XCTAssertEqual(flow.step?.kind, WALLET_CORE_STEP_PROGRESS)
    flow.open()
    XCTAssertEqual(try flow.next { _ in false }.name, "set-up-account")
    return flow
  }

  func testASetUpThatWasTakenOverEndsAndItsPinOpensTheWallet() throws {
    let held = HeldAnswer(path)
    let flow = try takeOver(held)
    held.letGo()
    XCTAssertEqual(try flow.next().row, "UC2.3 1.3")
    XCTAssertTrue(host.isLocked)
    flow.enter(pin)
    XCTAssertEqual(try flow.next().row, "UC3.1 2b")
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.expect("UC2.3 1.3")
    flow.enter("142033")
    XCTAssertEqual(try flow.next().row, "PF2.8 2.1", "no attempt was lost before")
  }

  func testUC2_1_1_5dASetUpThatWasTakenOverAndFailsShowsItsError() throws {
    let held = HeldAnswer(path, isCut: true)
    let flow = try takeOver(held)
    let path = path
    middle.answer { $0.path == path ? [] : nil }
    held.letGo()
    let step = try flow.next()
    XCTAssertEqual(step.row, "UC2.1 1.5")
    XCTAssertEqual(step.name, "server-unreachable")
    middle.answer(with: nil)
    flow.choose("try-again")
    try flow.expect("UC2.1 1.1")
    try flow.setUp(pin)
    XCTAssertTrue(host.isRegistered)
  }

  /// The provider is mute before the registration and after it has happened. The next set-up
  /// continues it, with another PIN.
  func testUC2_1_1_5dALockEndsASetUpThatTheProviderDoesNotAnswer() throws {
    try host.start()
    let flow = FlowHost(host)
    try flow.walkToChoosePin()
    for path in ["/v2/registrations/challenge", path] {
      let held = HeldAnswer(path, isCut: true)
      middle.answer { held.rewrite($0) }
      flow.enter(pin)
      try flow.expect("UC2.1 1.3")
      flow.enter(pin)
      try held.waitUntilHeld()
      XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
      flow.advanceClock(5000)
      let step = try flow.next()
      XCTAssertEqual(step.row, "UC2.1 1.5", path)
      XCTAssertEqual(step.name, "server-unreachable", path)
      held.letGo()
      middle.answer(with: nil)
      XCTAssertFalse(host.isRegistered, path)
      flow.choose("try-again")
      try flow.expect("UC2.1 1.1")
    }
    try flow.setUp("246813")
    XCTAssertEqual(try host.checkPin("246813"), .valid)
    XCTAssertEqual(try provider.control("/counts")["confirmed"] as? Int, 1)
  }
}
