import CWalletCore
import Foundation
import TestSupport
import WalletModel
import XCTest

/// A step as C hosts read it.
final class StepTests: XCTestCase {
  private func text(_ pointer: UnsafePointer<CChar>) -> String { String(cString: pointer) }

  /// Calls `body` with an event of the step and frees it.
  private func withEvent(
    _ change: (inout Step) -> Void = { _ in }, _ body: (OpaquePointer) throws -> Void
  ) rethrows {
    let event = makeEvent(makeStep(7, change: change))
    defer { wallet_core_event_free(event) }
    try body(event)
  }

  func testEveryGetterReturnsItsPart() {
    withEvent {
      $0.kind = .prompt
      $0.input = .pin
      $0.beneath = "home"
      $0.choices = [.init(action: "enter", label: "Enter"), .init(action: "back", label: "Zurück")]
      $0.notices = ["link-invalid", "pin-wrong"]
      $0.arguments = [
        .attemptsLeft: .number(3), .blockedFor: .number(.max), .isFinalRound: .truth(true),
        .hasPID: .truth(false), .reason: .text("sequence"),
      ]
    } _: {
      XCTAssertEqual(wallet_core_event_kind($0), Kind.step)
      XCTAssertEqual(wallet_core_event_step_serial($0), 7)
      XCTAssertEqual(text(wallet_core_event_step_use_case($0)), "UC2.3")
      XCTAssertEqual(text(wallet_core_event_step_row($0)), "1.3")
      XCTAssertEqual(wallet_core_event_step_kind($0), WALLET_CORE_STEP_PROMPT)
      XCTAssertEqual(text(wallet_core_event_step_name($0)), "open-with-pin")
      XCTAssertEqual(text(wallet_core_event_step_title($0)), "Enter your PIN")
      XCTAssertEqual(text(wallet_core_event_step_message($0)), "Three attempts left.")
      XCTAssertEqual(text(wallet_core_event_step_beneath($0)), "home")
      XCTAssertEqual(wallet_core_event_step_input($0), WALLET_CORE_INPUT_PIN)
      XCTAssertEqual(wallet_core_event_step_action_count($0), 2)
      XCTAssertEqual(text(wallet_core_event_step_action($0, 1)), "back")
      XCTAssertEqual(text(wallet_core_event_step_action_label($0, 1)), "Zurück")
      XCTAssertEqual(wallet_core_event_step_notice_count($0), 2)
      XCTAssertEqual(text(wallet_core_event_step_notice($0, 0)), "link-invalid")
      XCTAssertEqual(text(wallet_core_event_step_text($0, "reason")), "sequence")
      for (name, wanted) in [
        ("attempts_left", 3), ("blocked_for_ms", Int64.max), ("is_final_round", 1),
        ("has_pid", 0),
      ] {
        var number: Int64 = -1
        XCTAssertEqual(wallet_core_event_step_number($0, name, &number), 1)
        XCTAssertEqual(number, wanted)
        XCTAssertEqual(wallet_core_event_step_number($0, name, nil), 1)
      }
    }
  }

  func testEveryKindAndInputHasItsNumber() {
    for (kind, wanted) in zip(
      Step.Kind.allCases, (Int32(1)...).lazy.map(wallet_core_step_kind.init(rawValue:)))
    {
      withEvent {
        $0.kind = kind
      } _: {
        XCTAssertEqual(wallet_core_event_step_kind($0), wanted)
      }
    }
    for (input, wanted) in zip(
      Step.Input.allCases, (Int32(0)...).lazy.map(wallet_core_input.init(rawValue:)))
    {
      withEvent {
        $0.input = input
      } _: {
        XCTAssertEqual(wallet_core_event_step_input($0), wanted)
      }
    }
  }

  func testOtherEventsAndNullHaveNoStep() {
    let locked = makeEvent(LockState.locked)
    defer { wallet_core_event_free(locked) }
    for event in [locked, nil] {
      XCTAssertEqual(wallet_core_event_step_serial(event), 0)
      XCTAssertEqual(wallet_core_event_step_kind(event), 0)
      XCTAssertEqual(wallet_core_event_step_input(event), 0)
      XCTAssertEqual(wallet_core_event_step_action_count(event), 0)
      XCTAssertEqual(wallet_core_event_step_notice_count(event), 0)
      var number: Int64 = 7
      XCTAssertEqual(wallet_core_event_step_number(event, "reason", &number), 0)
      XCTAssertEqual(number, 0)
      for pointer in [
        wallet_core_event_step_use_case(event), wallet_core_event_step_row(event),
        wallet_core_event_step_name(event), wallet_core_event_step_title(event),
        wallet_core_event_step_message(event), wallet_core_event_step_beneath(event),
        wallet_core_event_step_action(event, 0), wallet_core_event_step_action_label(event, 0),
        wallet_core_event_step_text(event, "reason"), wallet_core_event_step_notice(event, 0),
      ] { XCTAssertEqual(text(pointer), "") }
    }
  }

  func testAStepHasNoValuesOfOtherEvents() {
    withEvent {
      XCTAssertEqual(wallet_core_event_request($0), 0)
      XCTAssertEqual(wallet_core_event_status($0), WALLET_CORE_OK)
      XCTAssertNil(wallet_core_event_error($0))
      XCTAssertEqual(wallet_core_event_is_locked($0), 1)
      XCTAssertEqual(wallet_core_event_version_grade($0), 0)
      XCTAssertEqual(wallet_core_event_pin_outcome($0), 0)
      XCTAssertEqual(wallet_core_event_pin_blocked_for_ms($0), 0)
    }
  }

  func testIndicesBeyondTheCountReturnNothing() {
    withEvent {
      $0.choices = [.init(action: "next", label: "Next")]
      $0.notices = ["link-invalid"]
    } _: {
      // A size_t beyond Int.max is negative here.
      for index in [1, 2, Int.max, -1, Int.min] {
        XCTAssertEqual(text(wallet_core_event_step_action($0, index)), "")
        XCTAssertEqual(text(wallet_core_event_step_action_label($0, index)), "")
        XCTAssertEqual(text(wallet_core_event_step_notice($0, index)), "")
      }
    }
  }

  func testAnArgumentIsFoundByItsNameAndTypeAlone() {
    withEvent {
      $0.arguments = [.pinLength: .number(2), .reason: .text("x")]
    } _: {
      var number: Int64 = 7
      for name in ["reason", "Pin_length", "pin_lengt", "pin_lengths", ""] {
        XCTAssertEqual(wallet_core_event_step_number($0, name, &number), 0)
        XCTAssertEqual(number, 0)
      }
      for name in ["pin_length", "Reason", "reason ", ""] {
        XCTAssertEqual(text(wallet_core_event_step_text($0, name)), "")
      }
      XCTAssertEqual(text(wallet_core_event_step_text($0, nil)), "")
      XCTAssertEqual(wallet_core_event_step_number($0, nil, nil), 0)
      let notUTF8: [CChar] = [-1, -2, 0]
      XCTAssertEqual(text(wallet_core_event_step_text($0, notUTF8)), "")
      XCTAssertEqual(wallet_core_event_step_number($0, notUTF8, nil), 0)
    }
  }

  func testATextWithANulInsideKeepsItsLength() {
    withEvent {
      $0.title = "a\0b"
      $0.choices = [.init(action: "\0", label: "c\0")]
      $0.arguments = [.reason: .text("\0d")]
    } _: {
      XCTAssertEqual(text(wallet_core_event_step_title($0)), "a b")
      XCTAssertEqual(text(wallet_core_event_step_action($0, 0)), " ")
      XCTAssertEqual(text(wallet_core_event_step_action_label($0, 0)), "c ")
      XCTAssertEqual(text(wallet_core_event_step_text($0, "reason")), " d")
      XCTAssertTrue(text(wallet_core_event_json($0, nil)).contains(#""title":"a\u0000b""#))
    }
  }

  func testATextKeepsItsAddressAsLongAsTheEventLives() {
    withEvent {
      XCTAssertEqual(wallet_core_event_step_title($0), wallet_core_event_step_title($0))
    }
  }

  func testTheJSONOfAStepIsComplete() {
    withEvent {
      $0.kind = .systemPrompt
      $0.arguments = [.pinLength: .number(2), .reason: .text("x"), .hasPID: .truth(true)]
      $0.notices = ["link-invalid"]
      $0.choices = [.init(action: "next", label: "Next")]
      $0.beneath = "home"
      $0.isProtected = true
      $0.trail = ["UC2.3 1.1b"]
    } _: {
      XCTAssertEqual(
        text(wallet_core_event_json($0, nil)),
        #"{"actions":[{"label":"Next","name":"next"}],"#
          + #""arguments":{"has_pid":true,"pin_length":2,"reason":"x"},"beneath":"home","#
          + #""input":"none","is_protected":true,"kind":"step","message":"Three attempts left.","#
          + #""name":"open-with-pin","notices":["link-invalid"],"row":"1.3","schema":1,"#
          + #""serial":7,"step_kind":"system-prompt","title":"Enter your PIN","#
          + #""trail":["UC2.3 1.1b"],"use_case":"UC2.3"}"#)
    }
    withEvent {
      XCTAssertFalse(text(wallet_core_event_json($0, nil)).contains("beneath"))
    }
  }
}
