import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// The requests of relying parties for hosts with screens of their own.
final class SharingRequestTests: SharingTestCase {
  /// Starts a request and waits for its completion.
  private func completion(
    _ begin: (UnsafeMutablePointer<UInt64>) -> wallet_core_status, line: UInt = #line
  ) throws -> OpaquePointer {
    var request: UInt64 = 0
    let status = begin(&request)
    guard status == WALLET_CORE_OK else { throw StatusError(status) }
    return try flow.host.nextEvent { wallet_core_event_request($0) == request }
  }

  private func begin(
    _ options: [String: Any] = [:], fromOtherDevice: Int32 = 0
  ) throws -> OpaquePointer {
    let link = try party.request(options)
    return try completion {
      wallet_core_begin_sharing(flow.client, link, fromOtherDevice, $0, nil)
    }
  }

  private func text(_ event: OpaquePointer, _ name: String) -> String {
    String(cString: wallet_core_event_sharing_text(event, name))
  }

  private func confirm(_ id: String, _ pin: String) throws -> OpaquePointer {
    let digits = Array(pin.utf8)
    return try completion {
      wallet_core_confirm_sharing(flow.client, id, digits, digits.count, $0, nil)
    }
  }

  private func refusalReason(_ event: OpaquePointer) throws -> String? {
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_ERROR_REQUEST_REFUSED)
    let json = String(cString: wallet_core_event_json(event, nil))
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let data = (object?["error"] as? [String: Any])?["data"] as? [String: Any]
    return data?["reason"] as? String
  }

  private func activities() throws -> [[String]] {
    let event = try completion { wallet_core_activities(flow.client, $0, nil) }
    defer { wallet_core_event_free(event) }
    return (0..<wallet_core_event_activity_count(event)).map { index in
      ["kind", "result", "organisation", "host"].map { (name: String) in
        String(cString: wallet_core_event_activity_text(event, index, name))
      }
    }
  }

  /// A cancelled fetch says nothing about the relying party.
  func testACancellationAndAWipeEndTheFetchAsCancelled() throws {
    for isWipe in [false, true] {
      let link = try party.request(["fault": "silent"])
      var request: UInt64 = 0
      XCTAssertEqual(wallet_core_begin_sharing(flow.client, link, 0, &request, nil), WALLET_CORE_OK)
      try party.take("fetched")
      if isWipe {
        XCTAssertEqual(wallet_core_wipe(flow.client, nil, nil), WALLET_CORE_OK)
      } else {
        XCTAssertEqual(wallet_core_cancel(flow.client, request, nil), WALLET_CORE_OK)
      }
      let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
      XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_ERROR_CANCELLED, "\(isWipe)")
      wallet_core_event_free(event)
    }
  }

  func testARequestIsReadConfirmedAndRemembered() throws {
    let event = try begin(["register": true], fromOtherDevice: 1)
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_OK)
    XCTAssertEqual(text(event, "organisation"), "Example Shop")
    XCTAssertEqual(wallet_core_event_sharing_option_count(event), 1)
    XCTAssertEqual(wallet_core_event_sharing_warning_count(event), 0)
    let wrong = try confirm(text(event, "id"), "142039")
    XCTAssertEqual(wallet_core_event_pin_outcome(wrong), WALLET_CORE_PIN_OUTCOME_WRONG)
    XCTAssertEqual(text(wrong, "result"), "")
    wallet_core_event_free(wrong)
    XCTAssertFalse(party.has("answered"))
    let shared = try confirm(text(event, "id"), pin)
    defer { wallet_core_event_free(shared) }
    XCTAssertEqual(wallet_core_event_pin_outcome(shared), WALLET_CORE_PIN_OUTCOME_VALID)
    XCTAssertEqual(text(shared, "result"), "shared")
    XCTAssertTrue(text(shared, "redirect_uri").hasPrefix("https://shop.localhost/done"))
    try assertAccepted()
    // The end is told once more without a look at the PIN, and nothing is sent.
    let again = try confirm(text(event, "id"), "142039")
    XCTAssertEqual(text(again, "result"), "shared")
    XCTAssertEqual(text(again, "redirect_uri"), text(shared, "redirect_uri"))
    XCTAssertEqual(wallet_core_event_pin_outcome(again), WALLET_CORE_PIN_OUTCOME_NOT_JUDGED)
    wallet_core_event_free(again)
    let id = text(event, "id")
    let refused = try completion { wallet_core_refuse_sharing(flow.client, id, $0, nil) }
    XCTAssertEqual(wallet_core_event_status(refused), WALLET_CORE_ERROR_REQUEST_EXPIRED)
    wallet_core_event_free(refused)
    let still = try confirm(id, pin)
    XCTAssertEqual(text(still, "result"), "shared", "a refusal that comes too late ends nothing")
    wallet_core_event_free(still)
    XCTAssertFalse(party.has("answered"))
    XCTAssertEqual(try activities(), [["sharing", "shared", "Example Shop", "shop.localhost"]])
    let next = try begin(["register": true])
    defer { wallet_core_event_free(next) }
    var before: Int64 = 0
    XCTAssertEqual(wallet_core_event_sharing_number(next, "shared_before", &before), 1)
    XCTAssertEqual(before, 1)
  }

  func testARefusalIsToldAndRemembered() throws {
    let event = try begin()
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(
      String(cString: wallet_core_event_sharing_warning(event, 0)), "not-registered")
    let id = text(event, "id")
    let refused = try completion { wallet_core_refuse_sharing(flow.client, id, $0, nil) }
    defer { wallet_core_event_free(refused) }
    XCTAssertEqual(text(refused, "result"), "stopped")
    XCTAssertEqual(try assertAccepted()["error"] as? String, "access_denied")
    XCTAssertEqual(try activities(), [["sharing", "stopped", "Example Shop", "shop.localhost"]])
  }

  func testWhatIsNotSupportedIsToldByTheUsersHandOnly() throws {
    let event = try begin(["transaction_data": [["type": "t", "credential_ids": ["card"]]]])
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_ERROR_REQUEST_REFUSED)
    XCTAssertFalse(party.has("answered"))
    let json = String(cString: wallet_core_event_json(event, nil))
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let data = (object?["error"] as? [String: Any])?["data"] as? [String: Any]
    XCTAssertEqual(data?["reason"] as? String, "unsupported")
    let id = try XCTUnwrap(data?["sharing"] as? String)
    let told = try completion { wallet_core_refuse_sharing(flow.client, id, $0, nil) }
    wallet_core_event_free(told)
    XCTAssertEqual(
      try party.take("answered")["error"] as? String, "invalid_transaction_data")
    XCTAssertEqual(try activities(), [["sharing", "failed", "Example Shop", "shop.localhost"]])
  }

  /// A request for two claims by two queries, each with a registration of its own.
  private func twoRegistrations(_ sets: [[String: Any]]? = nil) -> [String: Any] {
    func query(_ id: String, _ claim: String) -> [String: Any] {
      [
        "id": id, "format": "dc+sd-jwt", "meta": [String: Any](), "claims": [["path": [claim]]],
      ]
    }
    func registration(_ id: String, _ purpose: String) -> [String: Any] {
      ["credential_ids": [id], "purpose": [["lang": "en", "value": purpose]]]
    }
    var asked: [String: Any] = [
      "credentials": [query("name", "given_name"), query("birth", "birthdate")]
    ]
    asked["credential_sets"] = sets
    return [
      "query": asked,
      "register": [registration("name", "Delivery"), registration("birth", "Age check")],
    ]
  }

  private func purposes(of event: OpaquePointer) -> [String] {
    (0..<wallet_core_event_sharing_registration_count(event)).map {
      String(cString: wallet_core_event_sharing_purpose(event, $0, "en"))
    }
  }

  private func purposesInHistory() throws -> [String] {
    let history = try completion { wallet_core_activities(flow.client, $0, nil) }
    defer { wallet_core_event_free(history) }
    return (0..<wallet_core_event_activity_registration_count(history, 0)).map {
      String(cString: wallet_core_event_activity_purpose(history, 0, $0, nil))
    }
  }

  func testThePurposesOfAllRegistrationsAreTold() throws {
    let event = try begin(twoRegistrations())
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_sharing_warning_count(event), 0)
    XCTAssertEqual(purposes(of: event), ["Delivery", "Age check"])
    let id = text(event, "id")
    wallet_core_event_free(try completion { wallet_core_refuse_sharing(flow.client, id, $0, nil) })
    XCTAssertEqual(try purposesInHistory(), ["Delivery", "Age check"])
  }

  func testTheHistoryKeepsThePurposesOfWhatIsChosen() throws {
    let event = try begin(twoRegistrations([["options": [["birth"], ["name"]]]]))
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(purposes(of: event), ["Delivery", "Age check"])
    let id = text(event, "id")
    wallet_core_event_free(try completion { wallet_core_refuse_sharing(flow.client, id, $0, nil) })
    XCTAssertEqual(try purposesInHistory(), ["Age check"])
  }

  /// Otherwise one approval could hand out all copies, also those that others have seen.
  func testSeveralQueriesForOneCardAreAnsweredFromOneCopy() throws {
    let before = try unusedCopies()
    let event = try begin(twoRegistrations())
    defer { wallet_core_event_free(event) }
    let shared = try confirm(text(event, "id"), pin)
    defer { wallet_core_event_free(shared) }
    XCTAssertEqual(text(shared, "result"), "shared")
    let token = try XCTUnwrap(assertAccepted()["vp_token"] as? [String: [String]])
    XCTAssertEqual(Set(token.keys), ["name", "birth"])
    let copies = token.values.joined().map { $0.split(separator: "~").first }
    XCTAssertEqual(copies.count, 2)
    XCTAssertEqual(Set(copies).count, 1)
    XCTAssertEqual(try unusedCopies(), before - 1)
  }

  private func warnings() throws -> [String] {
    let event = try begin(["register": true])
    defer { wallet_core_event_free(event) }
    return (0..<wallet_core_event_sharing_warning_count(event)).map {
      String(cString: wallet_core_event_sharing_warning(event, $0))
    }
  }

  /// Those that the provider cannot open are tried after it.
  func testTheUserIsWarnedOfACopyThatOthersHaveSeen() throws {
    let left = try unusedCopies()
    try provider.replaceKey("use")
    provider.stop()
    try provider.start()
    XCTAssertEqual(try flow.host.refresh(), .done)
    // This copy is sealed to the new key; the others stay with the former one, which is given up.
    XCTAssertEqual(try flow.host.presented(["pid"], pin: pin).completion, .valid)
    try provider.giveUpRetiredUseKey()
    provider.stop()
    try provider.start()
    for _ in 1..<left {
      XCTAssertEqual(try warnings(), [])
      let refused = try flow.host.presented(["pid"], pin: pin).completion.status
      XCTAssertEqual(refused, WALLET_CORE_ERROR_CARD_REFUSED)
    }
    XCTAssertEqual(try warnings(), ["copies-used-up"])
    XCTAssertEqual(try flow.host.presented(["pid"], pin: pin).completion, .valid)
  }

  /// Every presentation shows these, so there is nothing to choose or to withhold.
  func testARelyingPartyMayAskForWhatEveryCardStatesOfItself() throws {
    let event = try begin(["claims": [["given_name"], ["vct"], ["exp"]]])
    defer { wallet_core_event_free(event) }
    XCTAssertEqual(wallet_core_event_sharing_option_count(event), 1)
    let paths = wallet_core_event_sharing_option_path_count(event, 0)
    XCTAssertEqual(paths, 1, "what is not about the holder is told as a claim")
    let shared = try confirm(text(event, "id"), pin)
    defer { wallet_core_event_free(shared) }
    XCTAssertEqual(text(shared, "result"), "shared")
    try assertAccepted()
    let other: [String: Any] = [
      "id": "card", "format": "dc+sd-jwt", "meta": [String: Any](),
      "claims": [["path": ["vct"], "values": ["urn:example:other"]]],
    ]
    let missing = try begin(["query": ["credentials": [other]]])
    defer { wallet_core_event_free(missing) }
    XCTAssertEqual(wallet_core_event_sharing_option_count(missing), 0)
  }

  func testALinkThatWasMadeForScanningIsRefusedUnlessThisAppHasReadIt() throws {
    let host = try XCTUnwrap(URL(string: account().link)?.host)
    for (mark, fromOtherDevice, isTaken) in [
      ("m=qr", 0, false), ("m=qr", 1, true), ("m=link", 0, true), ("m=link", 1, true),
    ] as [(String, Int32, Bool)] {
      let link = try party.request(["scheme": "https://\(host)/sharing"]) + "#v=1&\(mark)"
      let event = try completion {
        wallet_core_begin_sharing(flow.client, link, fromOtherDevice, $0, nil)
      }
      defer { wallet_core_event_free(event) }
      if isTaken {
        let status = wallet_core_event_status(event)
        XCTAssertEqual(status, WALLET_CORE_OK, "\(mark) \(fromOtherDevice)")
        try party.take("fetched")
      } else {
        XCTAssertFalse(party.has("fetched"), "\(mark) \(fromOtherDevice)")
        XCTAssertEqual(try refusalReason(event), "foreign-scanner")
      }
    }
    XCTAssertEqual(try activities(), [])
  }

  func testALockWithholdsTheEndWhichIsToldAfterTheUnlock() throws {
    let event = try begin(["fault": "held-response"])
    defer { wallet_core_event_free(event) }
    let (id, digits) = (text(event, "id"), Array(pin.utf8))
    var request: UInt64 = 0
    XCTAssertEqual(
      wallet_core_confirm_sharing(flow.client, id, digits, digits.count, &request, nil),
      WALLET_CORE_OK)
    try assertAccepted()
    lock()
    try flow.expect("UC2.3 1.3")
    try party.release()
    let withheld = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    XCTAssertEqual(wallet_core_event_status(withheld), WALLET_CORE_ERROR_LOCKED)
    XCTAssertEqual(text(withheld, "result"), "")
    wallet_core_event_free(withheld)
    flow.enter(pin)
    try flow.expect("UC7.1 1.1")
    let told = try confirm(id, pin)
    defer { wallet_core_event_free(told) }
    XCTAssertEqual(text(told, "result"), "shared")
    XCTAssertTrue(text(told, "redirect_uri").hasPrefix("https://shop.localhost/done"))
    XCTAssertFalse(party.has("answered"), "something was posted twice")
    XCTAssertEqual(try activities().map { $0[1] }, ["shared"])
  }

  func testARequestThatIsOverIsInTheHistory() throws {
    let event = try begin(["expires_in": 60])
    defer { wallet_core_event_free(event) }
    flow.advanceClock(180_000)
    for _ in 0..<2 {
      let over = try confirm(text(event, "id"), pin)
      XCTAssertEqual(wallet_core_event_status(over), WALLET_CORE_ERROR_REQUEST_EXPIRED)
      wallet_core_event_free(over)
    }
    XCTAssertEqual(try activities().map { $0[1] }, ["failed"])
  }

  func testUnknownPartiesGetNothingAndAreInTheHistoryByTheirHost() throws {
    for (fault, reason) in [
      ("other-authority", "not-trusted"), ("wrong-signature", "not-trusted"),
      ("no-wallet-nonce", "not-trusted"), ("redirect-request", "invalid"),
      ("text-plain", "invalid"), ("huge-object", "invalid"),
    ] {
      let event = try begin(["fault": fault])
      defer { wallet_core_event_free(event) }
      XCTAssertEqual(wallet_core_event_status(event), WALLET_CORE_ERROR_REQUEST_REFUSED, fault)
      let json = String(cString: wallet_core_event_json(event, nil))
      XCTAssertTrue(json.contains(#""reason":"\#(reason)""#), "\(fault): \(json)")
      XCTAssertFalse(json.contains("sharing\""), fault)
    }
    XCTAssertFalse(party.has("answered"))
    XCTAssertFalse(party.has("visited"))
    let gone = try begin(["fault": "not-found"])
    XCTAssertEqual(wallet_core_event_status(gone), WALLET_CORE_ERROR_REQUEST_EXPIRED)
    wallet_core_event_free(gone)
    // Nobody was asked, or nobody has answered.
    try party.listen(false)
    let link = try party.request()
    for link in [link, "openid4vp://", "https://other.example/sharing?client_id=a"] {
      let event = try completion { wallet_core_begin_sharing(flow.client, link, 0, $0, nil) }
      _ = try refusalReason(event)
      wallet_core_event_free(event)
    }
    XCTAssertEqual(
      try activities(),
      [[String]](repeating: ["sharing", "failed", "", "shop.localhost"], count: 7))
  }

  func testALockedWalletTellsNothing() throws {
    let event = try begin()
    defer { wallet_core_event_free(event) }
    lock()
    var request: UInt64 = 0
    XCTAssertEqual(
      wallet_core_activities(flow.client, &request, nil), WALLET_CORE_ERROR_LOCKED)
    let digits = Array(pin.utf8)
    XCTAssertEqual(
      wallet_core_confirm_sharing(
        flow.client, text(event, "id"), digits, digits.count, &request, nil),
      WALLET_CORE_ERROR_LOCKED)
  }
}
