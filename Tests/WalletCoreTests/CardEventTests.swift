import CWalletCore
import TestSupport
import WalletModel
import WalletRuntime
import XCTest

@testable import wallet_core

/// The completions of cards and presentations as hosts read them.
final class CardEventTests: XCTestCase {
  private func makeCard() -> Card {
    Card(
      id: "pid", type: "urn:example:1", issuer: "Example Authority", state: .suspended,
      issuedAt: 1_790_000_000, expiresAt: 1_797_776_000,
      display: CardDisplay(name: "Pass", backgroundColor: "#00ff00", textColor: "#000000"),
      copies: Card.Copies(count: 10, unused: 7),
      claims: [
        "given_name": .text("Odalys"),
        "age_equal_or_over": .members(["18": .truth(true), "21": .truth(false)]),
        "languages": .list([.text("en"), .number(2)]), "middle_name": .nothing,
        "height.m": .decimal("1.80"),
      ],
      disclosable: [
        [.name("given_name")], [.name("age_equal_or_over")], [.name("languages"), .element(1)],
      ])
  }

  private func with(_ content: EventObject.Content, _ body: (OpaquePointer) -> Void) {
    let event = EventObject(content).handOut()
    defer { wallet_core_event_free(event) }
    body(event)
  }

  func testACardIsReadClaimByClaim() {
    with(.completion(request: 7, .success(.cards([makeCard()])))) { event in
      func text(_ name: String) -> String {
        String(cString: wallet_core_event_card_text(event, 0, name))
      }
      XCTAssertEqual(wallet_core_event_card_count(event), 1)
      XCTAssertEqual(text("id"), "pid")
      XCTAssertEqual(text("type"), "urn:example:1")
      XCTAssertEqual(text("issuer"), "Example Authority")
      XCTAssertEqual(text("issued_at"), "2026-09-21T14:13:20Z")
      XCTAssertEqual(text("expires_at"), "2026-12-20T14:13:20Z")
      XCTAssertEqual(text("name"), "Pass")
      XCTAssertEqual(text("background_color"), "#00ff00")
      XCTAssertEqual(text("text_color"), "#000000")
      XCTAssertEqual(text("family_name"), "")
      XCTAssertEqual(wallet_core_event_card_state(event, 0), WALLET_CORE_CARD_STATE_SUSPENDED)
      for (name, expected) in [("copies", Int64(10)), ("unused_copies", 7), ("other", nil)] {
        var number: Int64 = -1
        XCTAssertEqual(
          wallet_core_event_card_number(event, 0, name, &number), expected == nil ? 0 : 1, name)
        XCTAssertEqual(number, expected ?? 0, name)
      }
      let claims = (0..<wallet_core_event_card_claim_count(event, 0)).map { index in
        String(cString: wallet_core_event_card_claim_name(event, 0, index)) + "="
          + String(cString: wallet_core_event_card_claim_text(event, 0, index))
          + (wallet_core_event_card_claim_is_disclosable(event, 0, index) == 1 ? "" : "!")
      }
      XCTAssertEqual(
        claims,
        [
          "age_equal_or_over.18=true", "age_equal_or_over.21=false", "given_name=Odalys",
          "height.m=1.80!", "languages.0=en!", "languages.1=2", "middle_name=!",
        ])
      XCTAssertEqual(
        (0..<7).map { String(cString: wallet_core_event_card_claim_path(event, 0, $0)) },
        [
          #"["age_equal_or_over","18"]"#, #"["age_equal_or_over","21"]"#, #"["given_name"]"#,
          #"["height.m"]"#, #"["languages",0]"#, #"["languages",1]"#, #"["middle_name"]"#,
        ])
    }
  }

  func testIndicesBeyondTheCountsReturnNothing() {
    with(.completion(request: 7, .success(.cards([makeCard()])))) { event in
      XCTAssertEqual(wallet_core_event_card_claim_count(event, 1), 0)
      XCTAssertEqual(wallet_core_event_card_claim_count(event, -1), 0)
      XCTAssertEqual(wallet_core_event_card_state(event, .max).rawValue, 0)
      XCTAssertEqual(wallet_core_event_card_number(event, .max, "copies", nil), 0)
      XCTAssertEqual(String(cString: wallet_core_event_card_claim_name(event, 0, 7)), "")
      XCTAssertEqual(String(cString: wallet_core_event_card_claim_path(event, 0, 7)), "")
      XCTAssertEqual(String(cString: wallet_core_event_card_claim_text(event, 0, -1)), "")
      XCTAssertEqual(String(cString: wallet_core_event_card_text(event, 0, nil)), "")
      XCTAssertEqual(wallet_core_event_presentation_count(event), 0)
      XCTAssertEqual(String(cString: wallet_core_event_presentation(event, 0)), "")
      XCTAssertEqual(wallet_core_event_pin_outcome(event), 0)
    }
  }

  func testPresentationsComeInTheirOrderWithARightPin() {
    let texts = ["a.b.c~d~e.f.g", "h.i.j~k.l.m"]
    let notices = OwnerNotices(failures: PinFailures(count: 2, lastAt: 7, total: 2, wallet: "w"))
    with(.completion(request: 8, .success(.presentations(texts, notices)))) { event in
      XCTAssertEqual(wallet_core_event_presentation_count(event), 2)
      for (index, text) in texts.enumerated() {
        XCTAssertEqual(String(cString: wallet_core_event_presentation(event, index)), text)
      }
      for index in [2, -1, .max, .min] {
        XCTAssertEqual(String(cString: wallet_core_event_presentation(event, index)), "")
      }
      XCTAssertEqual(wallet_core_event_pin_outcome(event), WALLET_CORE_PIN_OUTCOME_VALID)
      XCTAssertEqual(wallet_core_event_pin_failed_attempts(event), 2)
      XCTAssertEqual(wallet_core_event_card_count(event), 0)
    }
  }
}
