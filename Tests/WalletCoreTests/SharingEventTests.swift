import CWalletCore
import TestSupport
import WalletModel
import WalletRuntime
import XCTest

@testable import wallet_core

/// Requests of relying parties and the history as hosts read them.
final class SharingEventTests: XCTestCase {
  private static let path = SharingRequest.Path(
    components: [.name("nationalities"), nil], text: #"["nationalities",null]"#)
  private static let party = SharingRequest.Party(
    name: "Example Shop", identifier: "NTRXX-1", authority: "Authority", host: "shop.example")

  private func makeRequest(options: [SharingRequest.Option]) -> SharingRequest {
    SharingRequest(
      id: "r1", party: Self.party,
      registrations: [
        .init(
          purposes: ["en": "Delivery", "nl": "Bezorging"], privacyPolicy: "https://shop.example/p",
          registrar: "Registrar"),
        .init(purposes: ["en": "Age check"], privacyPolicy: nil, registrar: "Other registrar"),
      ],
      warnings: [.asksForMore, .copiesUsedUp], isLogin: false, isFromOtherDevice: true,
      sharedBefore: 2, lastSharedAt: 1_790_000_000, options: options,
      missing: options.isEmpty
        ? [.init(query: "q", types: ["a", "b"], paths: [Self.path])] : [],
      expiresAt: nil)
  }

  private let option = SharingRequest.Option(
    query: "q", group: 16, card: "pid", isChosen: true, mayBeLeftOut: false, paths: [path])

  private func with(_ content: EventObject.Content, _ body: (OpaquePointer) -> Void) {
    let event = EventObject(content).handOut()
    defer { wallet_core_event_free(event) }
    body(event)
  }

  private func text(_ event: OpaquePointer, _ name: String) -> String {
    String(cString: wallet_core_event_sharing_text(event, name))
  }

  private func number(_ event: OpaquePointer, _ name: String) -> Int64? {
    var value: Int64 = -1
    return wallet_core_event_sharing_number(event, name, &value) == 1 ? value : nil
  }

  func testARequestIsReadByGettersAndAsJSON() {
    let request = makeRequest(options: [option])
    with(.completion(request: 7, .success(.sharing(request)))) { event in
      XCTAssertEqual(text(event, "id"), "r1")
      XCTAssertEqual(text(event, "organisation"), "Example Shop")
      XCTAssertEqual(text(event, "organisation_id"), "NTRXX-1")
      XCTAssertEqual(text(event, "host"), "shop.example")
      XCTAssertEqual(text(event, "last_shared_at"), "2026-09-21T14:13:20Z")
      XCTAssertEqual(text(event, "expires_at"), "")
      XCTAssertEqual(number(event, "shared_before"), 2)
      XCTAssertEqual(number(event, "is_from_other_device"), 1)
      XCTAssertEqual(number(event, "is_login"), 0)
      XCTAssertNil(number(event, "other"))
      func registered(_ index: Int, _ name: String) -> String {
        String(cString: wallet_core_event_sharing_registration_text(event, index, name))
      }
      func purpose(_ index: Int, _ language: String?) -> String {
        String(cString: wallet_core_event_sharing_purpose(event, index, language))
      }
      XCTAssertEqual(wallet_core_event_sharing_registration_count(event), 2)
      XCTAssertEqual(registered(0, "registrar"), "Registrar")
      XCTAssertEqual(registered(0, "privacy_policy"), "https://shop.example/p")
      XCTAssertEqual(purpose(0, "nl"), "Bezorging")
      XCTAssertEqual(purpose(0, nil), "Delivery")
      XCTAssertEqual(purpose(0, "de"), "")
      XCTAssertEqual(registered(1, "registrar"), "Other registrar")
      XCTAssertEqual(registered(1, "privacy_policy"), "")
      XCTAssertEqual(purpose(1, nil), "Age check")
      for index in [2, -1, Int.max] { XCTAssertEqual(purpose(index, nil), "") }
      XCTAssertEqual(wallet_core_event_sharing_warning_count(event), 2)
      XCTAssertEqual(String(cString: wallet_core_event_sharing_warning(event, 1)), "copies-used-up")
      XCTAssertEqual(wallet_core_event_sharing_option_count(event), 1)
      XCTAssertEqual(
        String(cString: wallet_core_event_sharing_option_text(event, 0, "card")), "pid")
      var chosen: Int64 = 0
      XCTAssertEqual(
        wallet_core_event_sharing_option_number(event, 0, "is_chosen", &chosen), 1)
      XCTAssertEqual(chosen, 1)
      XCTAssertEqual(wallet_core_event_sharing_option_path_count(event, 0), 1)
      XCTAssertEqual(
        String(cString: wallet_core_event_sharing_option_path(event, 0, 0)),
        #"["nationalities",null]"#)
      XCTAssertEqual(String(cString: wallet_core_event_sharing_option_path(event, 1, -1)), "")
      XCTAssertEqual(wallet_core_event_sharing_missing_count(event), 0)
      let json = String(cString: wallet_core_event_json(event, nil))
      XCTAssertTrue(json.contains(#""paths":[["nationalities",null]]"#), json)
    }
  }

  func testWhatIsMissingIsTold() {
    with(.completion(request: 7, .success(.sharing(makeRequest(options: []))))) { event in
      XCTAssertEqual(wallet_core_event_sharing_option_count(event), 0)
      XCTAssertEqual(wallet_core_event_sharing_missing_count(event), 1)
      XCTAssertEqual(String(cString: wallet_core_event_sharing_missing_type(event, 0, 1)), "b")
      XCTAssertEqual(String(cString: wallet_core_event_sharing_missing_type(event, 0, 2)), "")
      XCTAssertEqual(
        String(cString: wallet_core_event_sharing_missing_path(event, 0, 0)), Self.path.text)
    }
  }

  func testTheEndOfARequestTellsWhatToOpen() {
    let answer = SharedAnswer(result: .shared, redirectURI: "https://shop.example/done")
    with(.completion(request: 7, .success(.shared(answer, OwnerNotices())))) { event in
      XCTAssertEqual(text(event, "result"), "shared")
      XCTAssertEqual(text(event, "redirect_uri"), "https://shop.example/done")
      XCTAssertEqual(wallet_core_event_pin_outcome(event), WALLET_CORE_PIN_OUTCOME_VALID)
    }
  }

  func testTheHistoryIsReadActivityByActivity() {
    let activity = Activity(
      id: 3, kind: .login, result: .mayHaveBeenShared, at: 1_790_000_000, party: Self.party,
      registrations: [
        .init(purposes: ["en": "Delivery"], privacyPolicy: "https://a.example", registrar: "R"),
        .init(purposes: ["en": "Age check"], privacyPolicy: nil, registrar: "R"),
      ],
      items: [.init(card: "pid", type: "t", name: nil, paths: [Self.path])])
    with(.completion(request: 7, .success(.activities([activity])))) { event in
      func text(_ name: String) -> String {
        String(cString: wallet_core_event_activity_text(event, 0, name))
      }
      XCTAssertEqual(wallet_core_event_activity_count(event), 1)
      XCTAssertEqual(text("kind"), "login")
      XCTAssertEqual(text("result"), "may-have-been-shared")
      XCTAssertEqual(text("at"), "2026-09-21T14:13:20Z")
      XCTAssertEqual(text("organisation"), "Example Shop")
      XCTAssertEqual(wallet_core_event_activity_registration_count(event, 0), 2)
      XCTAssertEqual(
        String(
          cString: wallet_core_event_activity_registration_text(event, 0, 0, "privacy_policy")),
        "https://a.example")
      XCTAssertEqual(
        String(cString: wallet_core_event_activity_purpose(event, 0, 1, "en")), "Age check")
      XCTAssertEqual(String(cString: wallet_core_event_activity_purpose(event, 0, 2, nil)), "")
      XCTAssertEqual(wallet_core_event_activity_item_count(event, 0), 1)
      XCTAssertEqual(
        String(cString: wallet_core_event_activity_item_text(event, 0, 0, "card")), "pid")
      XCTAssertEqual(
        String(cString: wallet_core_event_activity_item_path(event, 0, 0, 0)), Self.path.text)
      XCTAssertEqual(String(cString: wallet_core_event_activity_item_path(event, 0, 0, 1)), "")
    }
  }

  func testALockWithholdsRequestsAndHistory() {
    let shared = SharedAnswer(result: .shared, redirectURI: "https://shop.example/done?code=1")
    for answer in [
      WalletAnswer.sharing(makeRequest(options: [option])), .activities([]),
      .shared(shared, OwnerNotices()), .shared(shared),
    ] {
      let event = EventObject(.completion(request: 7, .success(answer)))
      XCTAssertTrue(event.needsUnlocked)
    }
  }
}
