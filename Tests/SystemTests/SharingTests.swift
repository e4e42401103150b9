import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// UC5.1 and UC5.2 with a relying party by OpenID4VP.
final class SharingTests: SharingTestCase {
  func testUC5_1ALinkOnThisDeviceSharesWhatWasAskedAndReturnsToTheWebsite() throws {
    try open(["claims": [["given_name"], ["age_equal_or_over", "18"]]])
    try flow.expect("UC5.1 1.4")
    XCTAssertEqual(flow.text("organisation"), "Example Shop")
    XCTAssertEqual(flow.text("host"), "shop.localhost")
    try share()
    let answer = try assertAccepted()
    XCTAssertEqual((answer["vp_token"] as? [String: [String]])?["card"]?.count, 1)
    XCTAssertEqual(flow.step?.actions.contains("overview"), false)
    flow.choose("close")
    try flow.expect("UC5.1 1.7")
    XCTAssertTrue(flow.text("link").hasPrefix("https://shop.localhost/done?code="))
    flow.choose("done")
    try flow.expect("UC7.1 1.1")
    XCTAssertFalse(party.has("visited"), "the core has opened the address itself")
  }

  func testUC2_3_1_3ARequestThatWaitsIsToldOnce() throws {
    lock()
    let locked = try flow.expect("UC2.3 1.3")
    XCTAssertNil(flow.number("is_request_waiting"))
    try open()
    let told = try flow.expect("UC2.3 1.3")
    XCTAssertEqual(told.serial, locked.serial + 1)
    XCTAssertEqual(flow.number("is_request_waiting"), 1)
    XCTAssertNil(flow.document["sharing"], "who asks is told after the unlock")
    try open()
    // The serial of the step that the user saw is still current.
    flow.enter(pin)
    try flow.expect("UC5.1 1.4")
  }

  func testUC2_3_1_3TheUnlockOfALaunchByALinkTellsThatItWaits() throws {
    let link = try party.request()
    try flow.host.restart()
    flow.open(link: link)
    try flow.expect("UC1.2 2.1")
    flow.advanceClock(1000)
    try flow.expect("UC2.3 1.3")
    XCTAssertEqual(flow.number("is_request_waiting"), 1)
    flow.enter(pin)
    try flow.expect("UC5.1 1.4")
    lock()
    try flow.expect("UC2.3 1.3")
    XCTAssertNil(flow.number("is_request_waiting"))
  }

  func testEF_7cWhatWasNotSentIsSharedByTryingAgain() throws {
    try open()
    try flow.expect("UC5.1 1.4")
    try party.listen(false)
    try share(to: "UC5.1 1.5.1")
    XCTAssertEqual(flow.step?.name, "known-verifier")
    XCTAssertEqual(flow.text("reason"), "unreachable")
    XCTAssertEqual(try flow.host.activities(), ["failed"])
    try party.listen(true)
    flow.choose("try-again")
    try flow.expect("PF2.4 1.1")
    flow.enter(pin)
    try flow.expect("UC5.1 1.6")
    try assertAccepted()
    XCTAssertEqual(try flow.host.activities(), ["shared", "failed"])
  }

  func testEF_7cOfARequestThatIsOverNoPinIsAsked() throws {
    try open(["expires_in": 60])
    try flow.expect("UC5.1 1.4")
    try party.listen(false)
    try share(to: "UC5.1 1.5.1")
    try party.listen(true)
    flow.advanceClock(180_000)
    flow.choose("try-again")
    let step = try flow.next()
    XCTAssertEqual("\(step.row) \(step.name)", "UC5.1 1.5.1 session-expired")
    XCTAssertFalse(party.has("answered"))
  }

  /// The PIN counts for nothing then, whether it is right or wrong.
  func testEF_7cOfARequestThatIsOverNoPinIsSent() throws {
    try open(["expires_in": 60])
    try flow.expect("UC5.1 1.4")
    flow.choose("share")
    try flow.expect("PF2.4 1.1")
    // The provider first: the wallet takes the provider's time.
    try provider.advanceClock(milliseconds: 180_000)
    flow.advanceClock(180_000)
    flow.enter("142033")
    let step = try flow.next()
    XCTAssertEqual("\(step.row) \(step.name)", "UC5.1 1.5.1 session-expired")
    XCTAssertFalse(party.has("answered"))
    XCTAssertEqual(try flow.host.activities(), ["failed"])
    XCTAssertEqual(try flow.host.checkPin("142033"), .wrong(3), "an attempt was counted")
  }

  func testEF_7cARequestThatEndsWhileThePinIsCheckedSpendsNoCopy() throws {
    let before = try unusedCopies()
    try open(["expires_in": 60])
    try flow.expect("UC5.1 1.4")
    flow.choose("share")
    try flow.expect("PF2.4 1.1")
    try provider.control("/faults", ["kind": "hold", "path": Route.instruction(.challenge)])
    // It is passed right before the provider is asked, after the look at the request's end.
    let point = "storage.instruction.sequence.after-commit"
    let passed = pass(point)
    flow.enter(pin)
    try awaitPass(point, beyond: passed)
    // The provider first: the wallet takes the provider's time.
    try provider.advanceClock(milliseconds: 180_000)
    flow.advanceClock(180_000)
    try provider.control("/faults", [:])
    let step = try flow.next()
    XCTAssertEqual("\(step.row) \(step.name)", "UC5.1 1.5.1 session-expired")
    XCTAssertEqual(try unusedCopies(), before)
  }

  /// Two relying parties that see one copy would recognise its holder.
  func testUC5_1ACopyThatAPinWasEnteredForIsNotGivenToAnotherRequest() throws {
    let before = try unusedCopies()
    try open()
    try flow.expect("UC5.1 1.4")
    flow.choose("share")
    try flow.expect("PF2.4 1.1")
    try provider.control("/faults", ["kind": "hold", "path": Route.instruction(.challenge)])
    flow.enter(pin)
    // It is done between the check of the PIN and the act, which wait for the provider in turn.
    let (status, request) = flow.host.beginPresenting(["pid"], pin: pin)
    XCTAssertEqual(status, WALLET_CORE_OK)
    try provider.control("/faults", [:])
    XCTAssertEqual(try flow.host.presentations(request).completion.status, WALLET_CORE_OK)
    try flow.expect("UC5.1 1.6")
    try assertAccepted()
    XCTAssertEqual(try unusedCopies(), before - 2, "both have used one copy")
  }

  func testUC5_1ACodeOfAnotherDeviceAsksForTheWebsiteFirst() throws {
    try scan(["method": "get", "encrypt_request": true])
    try flow.expect("UC5.1 1.2")
    XCTAssertEqual(flow.text("host"), "shop.localhost")
    flow.choose("yes")
    try flow.expect("UC5.1 1.4")
    try share()
    try assertAccepted()
    flow.choose("overview")
    try flow.expect("UC7.1 1.1")
  }
}
