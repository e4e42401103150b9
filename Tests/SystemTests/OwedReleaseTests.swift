import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// The provider learns in the background that the user has left a claim. Nothing waits for it.
final class OwedReleaseTests: ProofingTestCase {
  private func leaveClaim() throws {
    flow.choose("not-my-account")
    try flow.expect("UC3.1 5b")
  }

  private func assertReleased(line: UInt = #line) throws {
    XCTAssertTrue(
      try eventually { try proofings()["claimed"] == 0 }, "the claim was not released", line: line)
  }

  func testCardsDoNotWaitForTheReleaseOfAClaim() throws {
    let held = HeldAnswer(path("release_claim"))
    middle.answer(with: held.rewrite)
    try flow.claim(account().link)
    try leaveClaim()
    try held.waitUntilHeld()
    // The provider is silent; this completes all the same.
    XCTAssertEqual(try flow.host.cards().get().count, 0)
    held.letGo()
    middle.answer(with: nil)
    try assertReleased()
  }

  func testAClaimThatWasLeftWithoutNetworkIsReleasedAfterARestart() throws {
    try flow.claim(account().link)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    try leaveClaim()
    XCTAssertEqual(try flow.host.cards().get().count, 0)
    XCTAssertEqual(try proofings()["claimed"], 1)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try flow.host.restart()
    try assertReleased()
  }

  func testACodeThatIsClaimedAgainAtOnceStaysClaimed() throws {
    let log = HostLog()
    flow.host.log = log
    try restart(to: "UC3.1 2b")
    let link = try account().link
    try flow.claim(link)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    try leaveClaim()
    // The attempt in the background is over, so only the next claim can release the former one.
    XCTAssertTrue(eventually { log.lines.contains("will be released later") })
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    flow.choose("scan-again")
    try flow.expect("UC3.1 3")
    flow.scanCode(link)
    try flow.expect("UC3.1 5c")
    let (claim, release) = (path("claim_enrolment_code"), path("release_claim"))
    XCTAssertEqual(
      middle.paths.filter { [claim, release].contains($0) }, [claim, release, claim],
      "a release behind the claim would end it")
    try flow.submit(applicant)
    try flow.expectPID()
    XCTAssertEqual(requests("release_claim"), 1)
  }
}
