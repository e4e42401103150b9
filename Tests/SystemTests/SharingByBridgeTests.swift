import CWalletCoreTesting
import Foundation
import TestSupport
import WalletPlatform
import XCTest

/// Sharing by a host's HTTP stack: each way to ask and to answer a relying party, and each limit.
/// `make test-full` has the other tests of sharing by one too.
final class SharingByBridgeTests: SharingTestCase {
  /// How long the library waits for a host that does not end a request to another party by itself.
  private let patience: Int64 = 12_001

  /// How many requests to the relying party went by the bridge.
  private var sent: Int {
    HTTPHost.urls.withLock { $0 }.filter { $0.hasPrefix("https://shop.localhost:") }.count
  }

  func testEachWayToARelyingPartyAndEachLimitIsThatOfTheLibrary() throws {
    HTTPHost.handOver()
    for method in ["get", "post"] { try share(by: method) }
    try refuse()
    for method in ["get", "post"] {
      try assertUnknown(["fault": "redirect-request", "method": method], "invalid")
      try assertUnknown(["fault": "huge-object", "method": method], "invalid")
    }
    try shareWithARedirect()
    try assertUnknown(["fault": "silent"], "unreachable") {
      try party.take("fetched")
      wallet_core_testing_advance_clock(patience)
    }
    try shareWithSilence()
    XCTAssertFalse(party.has("visited"), "a redirect was followed")
  }

  private func share(by method: String) throws {
    let before = sent
    try open(["method": method])
    try flow.expect("UC5.1 1.4")
    XCTAssertEqual(sent - before, 1, method)
    try share()
    try assertAccepted()
    XCTAssertEqual(sent - before, 2, method)
    flow.choose("close")
    try flow.expect("UC5.1 1.7")
    flow.choose("done")
    try flow.expect("UC7.1 1.1")
  }

  private func refuse() throws {
    let before = sent
    try open(["redirect": NSNull()])
    try flow.expect("UC5.1 1.4")
    flow.choose("stop")
    try flow.expect("UC5.1 2.1")
    flow.choose("confirm-stop")
    try flow.expect("UC5.1 2.2")
    XCTAssertEqual(try assertAccepted()["error"] as? String, "access_denied")
    XCTAssertEqual(sent - before, 2)
    flow.choose("close")
    try flow.expect("UC7.1 1.1")
  }

  /// - Parameter body: runs while the request is fetched.
  private func assertUnknown(
    _ options: [String: Any], _ reason: String, _ body: () throws -> Void = {}
  ) throws {
    try open(options)
    try body()
    let step = try flow.next()
    XCTAssertEqual("\(step.row) \(step.name)", "UC5.1 1.1 unknown-verifier", "\(options)")
    XCTAssertEqual(flow.text("reason"), reason, "\(options)")
    flow.choose("close")
    try flow.expect("UC7.1 1.1")
  }

  private func shareWithARedirect() throws {
    try open(["fault": "redirect-response"])
    try flow.expect("UC5.1 1.4")
    try share(to: "UC5.1 1.5.1")
    XCTAssertEqual(flow.text("reason"), "may-have-been-shared")
    XCTAssertEqual(try party.take("answered")["posts"] as? Int, 1)
    flow.choose("close")
    try flow.expect("UC7.1 1.1")
  }

  /// The host's stack waits for the party, so the library gives up by itself.
  private func shareWithSilence() throws {
    try open(["fault": "silent-response"])
    try flow.expect("UC5.1 1.4")
    flow.choose("share")
    try flow.expect("PF2.4 1.1")
    flow.enter(pin)
    XCTAssertEqual(try party.take("answered")["posts"] as? Int, 1)
    wallet_core_testing_advance_clock(patience)
    // Its progress is shown on the same row.
    XCTAssertEqual(try flow.next().row, "UC5.1 1.5.1")
    XCTAssertEqual(flow.text("reason"), "may-have-been-shared")
    XCTAssertTrue(eventually { HTTPHost.isIdle }, "the host still waits")
    XCTAssertFalse(party.has("answered"), "something was posted twice")
  }
}
