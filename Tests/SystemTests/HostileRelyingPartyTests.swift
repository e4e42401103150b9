import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Relying parties that break the rules: the user gets a clear step, nothing is sent to them, and the
/// wallet goes on.
final class HostileRelyingPartyTests: SharingTestCase {
  private func assertRefused(
    _ options: [String: Any], _ name: String = "unknown-verifier", line: UInt = #line
  ) throws {
    let what = options["fault"] ?? options
    try open(options)
    let step = try flow.next()
    XCTAssertEqual("\(step.row) \(step.name)", "UC5.1 1.1 \(name)", "\(what)", line: line)
    flow.choose("close", line: line)
    try flow.expect("UC7.1 1.1", line: line)
    if name == "unknown-verifier" {
      XCTAssertFalse(party.has("answered"), "\(what): something was sent", line: line)
    }
    XCTAssertFalse(party.has("visited"), "\(what): a redirect was followed", line: line)
  }

  func testWhoIsNotWhoTheySayGetsNothing() throws {
    for fault in [
      "wrong-signature", "other-authority", "self-signed-leaf", "anchor-in-x5c",
      "chain-out-of-order", "x5c-base64url", "other-client-id", "other-response-host",
    ] { try assertRefused(["fault": fault]) }
    for client in [
      "redirect_uri:https://shop.localhost", "did:web:shop.localhost", "shop", "origin:https://x",
    ] { try assertRefused(["client": client]) }
  }

  func testARequestThatIsNotTheAnswerToThisWalletIsRefused() throws {
    try assertRefused(["fault": "no-wallet-nonce"])
    try assertRefused(["fault": "wrong-wallet-nonce"])
    // The one before was fetched, and its object is served again.
    try assertRefused(["fault": "replay"])
    try assertRefused(["expires_in": -1])
    try assertRefused(["members": ["aud": "https://other.example"]])
  }

  func testWhatIsNoRequestObjectIsRefused() throws {
    for fault in ["redirect-request", "server-error", "text-plain", "huge-object", "many-claims"] {
      try assertRefused(["fault": fault])
    }
    // Their host has answered, though not with a request.
    for fault in ["text-plain", "huge-object"] {
      try open(["fault": fault])
      XCTAssertEqual(try flow.next().name, "unknown-verifier", fault)
      XCTAssertEqual(flow.text("reason"), "invalid", fault)
      flow.choose("close")
      try flow.expect("UC7.1 1.1")
    }
    try assertRefused(["fault": "not-found"], "session-expired")
    for method in ["POST", "GET", "put"] { try assertRefused(["method": method]) }
  }

  func testAKnownPartyThatAsksForTheImpossibleIsToldSoWhenTheUserCloses() throws {
    for (members, error) in [
      (["transaction_data": ["e30"]], "invalid_transaction_data"),
      (["response_mode": "direct_post"], "invalid_request"),
      (["response_type": "code"], "unsupported_response_type"),
      (["redirect_uri": "https://shop.localhost"], "invalid_request"),
      (["nonce": "a b"], "invalid_request"),
      (["dcql_query": NSNull(), "scope": "x"], "invalid_scope"),
    ] as [([String: Any], String)] {
      try assertRefused(["members": members, "redirect": NSNull()], "known-verifier")
      XCTAssertEqual(try party.take("answered")["error"] as? String, error)
    }
  }

  func testAnAddressOfAPrivateNetworkIsNeverAsked() throws {
    try open(["fault": "private-response"])
    // Before a PIN is asked for and a copy is used.
    try flow.expect("UC5.1 1.1")
    XCTAssertEqual(flow.step?.name, "known-verifier")
    XCTAssertEqual(flow.text("reason"), "invalid")
    XCTAssertEqual(try flow.host.activities().first, "failed")
    XCTAssertFalse(party.has("answered"))
    XCTAssertEqual(try flow.host.activities().filter { $0 == "shared" }, [])
  }

  func testAnAddressThatABrowserMustNotOpenIsNotHandedOut() throws {
    let own = try XCTUnwrap(URL(string: account().link)?.host)
    for options in [
      ["fault": "javascript-redirect"], ["fault": "http-redirect"], ["fault": "wallet-redirect"],
      ["redirect": "https://\(own)/sharing?client_id=a&request_uri=https://shop.localhost/r"],
    ] {
      let fault = options.values.first ?? ""
      try open(options)
      try flow.expect("UC5.1 1.4")
      try share()
      try assertAccepted()
      XCTAssertEqual(flow.step?.actions.contains("website"), false, fault)
      flow.choose("close")
      try flow.expect("UC7.1 1.1")
    }
  }

  func testAnAnswerThatIsNotConfirmedMayHaveBeenShared() throws {
    for fault in [
      "refuse-answer", "redirect-response", "close-response", "text-answer", "empty-answer",
    ] {
      try open(["fault": fault])
      try flow.expect("UC5.1 1.4")
      try share(to: "UC5.1 1.5.1")
      XCTAssertEqual(flow.step?.name, "known-verifier", fault)
      XCTAssertEqual(flow.text("reason"), "may-have-been-shared", fault)
      XCTAssertFalse(flow.step?.actions.contains("try-again") ?? true, fault)
      XCTAssertEqual(try party.take("answered")["posts"] as? Int, 1, fault)
      flow.choose("close")
      try flow.expect("UC7.1 1.1")
      XCTAssertEqual(try flow.host.activities().first, "may-have-been-shared", fault)
    }
    XCTAssertFalse(party.has("answered"), "something was posted twice")
    XCTAssertFalse(party.has("visited"))
  }

  func testAPartyThatKeepsTheWalletWaitingCanBeStopped() throws {
    for fault in ["silent", "slow-object"] {
      try open(["fault": fault])
      let step = try flow.next { $0.name != "retrieve-request" }
      XCTAssertEqual(step.actions, ["stop"], fault)
      flow.choose("stop")
      try flow.expect("UC7.1 1.1")
    }
    XCTAssertEqual(try flow.host.activities(), [])
  }
}
