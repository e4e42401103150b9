import CWalletCore
import Foundation
import TestSupport
import XCTest

/// A PID is revoked at the provider, and its wallet finds out.
final class RevocationTests: ProofingTestCase {
  private static let listSeconds = 60
  private var holder: TestProvider.Account!

  override func setUpWithError() throws {
    try super.setUpWithError()
    try newProvider(settings: ["status-list-seconds": "\(Self.listSeconds)"])
    // The wallet fetches lists of its own provider, as it reaches it.
    provider.settings["public-url"] = middle.url
    try restartProvider()
    try newWallet()
    holder = try account()
    try flow.obtainPID(applicant, holder.link)
  }

  private func state() throws -> wallet_core_card_state {
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_card_count(event), 1)
    return wallet_core_event_card_state(event, 0)
  }

  /// Lets the lists with what was revoked be made, and those that the wallet has lapse.
  private func passTime() throws {
    try restartProvider()
    let milliseconds = 20 * 60 * 1000
    try provider.advanceClock(milliseconds: milliseconds)
    flow.advanceClock(Int64(milliseconds))
  }

  private func unlock() throws {
    if !flow.host.isLocked { lock() }
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.next()
  }

  func testAPIDIsValidOnceItsListWasReadAndRevokedAfterTheOperatorSaysSo() throws {
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
    XCTAssertEqual(try flow.host.present(["birthdate"]).get().split(separator: "~").count, 3)
    XCTAssertTrue(try provider.run(["account", "revoke", holder.id]).contains("10"))
    try passTime()
    try unlock()
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_REVOKED })
    XCTAssertEqual(
      try flow.host.completionOfPresent().status, WALLET_CORE_ERROR_CARD_REFUSED)
    // It stays so while nobody can ask.
    provider.stop()
    XCTAssertEqual(try state(), WALLET_CORE_CARD_STATE_REVOKED)
    try provider.start()
    // The account may get another PID.
    try flow.obtainAnotherPID(applicant, provider.newCode(for: holder).link)
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
  }

  func testTheListsAreNotFetchedForAUse() throws {
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
    let fetched = lists
    XCTAssertGreaterThan(fetched, 0)
    for _ in 0..<3 { _ = try flow.host.present(["birthdate"]).get() }
    XCTAssertEqual(lists, fetched)
  }

  private var lists: Int { middle.paths.filter { $0.hasPrefix("/status-lists/") }.count }
}
