import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
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
