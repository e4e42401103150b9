import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Hosts are told when a card comes or when its state is another one.
final class CardsChangedTests: ProofingTestCase {
  private var holder: TestProvider.Account!

  override func setUpWithError() throws {
    try super.setUpWithError()
    try newProvider(settings: ["status-list-seconds": "60"])
    // The wallet fetches lists of its own provider, as it reaches it.
    provider.settings["public-url"] = middle.url
    try restartProvider()
    try newWallet()
    holder = try account()
  }

  private func state() throws -> wallet_core_card_state {
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    return wallet_core_event_card_state(event, 0)
  }

  /// Waits for an event after which the PID is in a state.
  private func awaitEvent(
    _ watch: CardsWatch, of state: wallet_core_card_state, line: UInt = #line
  ) throws {
    XCTAssertTrue(
      eventually { watch.count > 0 && (try? self.state()) == state }, "no event", line: line)
  }

  func testThePIDAndWhatItsListSaysAreTold() throws {
    let watch = CardsWatch(flow.host.client)
    XCTAssertEqual(watch.count, 0, "there is no current value")
    try flow.obtainPID(applicant, holder.link)
    XCTAssertTrue(watch.hasEvent(after: 0), "the PID is here")
    try awaitEvent(watch, of: WALLET_CORE_CARD_STATE_VALID)
    _ = try provider.run(["account", "revoke", holder.id])
    try restartProvider()
    try provider.advanceClock(milliseconds: 20 * 60_000)
    let before = watch.count
    flow.advanceClock(20 * 60_000)
    if !flow.host.isLocked { lock() }
    try unlock(to: "UC7.1 1.1")
    XCTAssertTrue(watch.hasEvent(after: before))
    try awaitEvent(watch, of: WALLET_CORE_CARD_STATE_REVOKED)
  }

  func testAnotherPIDIsTold() throws {
    try flow.obtainPID(applicant, holder.link)
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
    let watch = CardsWatch(flow.host.client)
    try flow.obtainAnotherPID(applicant, provider.newCode(for: holder).link)
    XCTAssertTrue(watch.hasEvent(after: 0))
  }

  func testALostKeyIsToldAfterTheUseThatFoundIt() throws {
    try flow.obtainPID(applicant, holder.link)
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
    let watch = CardsWatch(flow.host.client)
    flow.host.keys.refuseSigning(with: "wallet_core.pid.", WALLET_CORE_BRIDGE_KEY_MISSING)
    for _ in 0..<10 {
      XCTAssertEqual(
        try flow.host.completionOfPresent().status, WALLET_CORE_ERROR_CARD_KEY_LOST)
    }
    XCTAssertTrue(watch.hasEvent(after: 0))
    XCTAssertEqual(try state(), WALLET_CORE_CARD_STATE_KEY_LOST)
    XCTAssertEqual(watch.count, 1, "only the last copy changes the card")
  }

  func testTimeAloneIsToldWithoutARequestWhileTheWalletIsUnlocked() throws {
    try flow.obtainPID(applicant, holder.link)
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
    provider.stop()
    let watch = CardsWatch(flow.host.client)
    // The list says nothing any more after at most an hour; the user is active all the time.
    let told = eventually {
      flow.advanceClock(60_000)
      flow.tell(WALLET_CORE_LIFECYCLE_USER_ACTIVITY)
      return watch.count > 0
    }
    XCTAssertTrue(told)
    XCTAssertFalse(flow.host.isLocked)
    XCTAssertEqual(try state(), WALLET_CORE_CARD_STATE_UNCHECKED)
    try provider.start()
  }
}
