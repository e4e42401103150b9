import CWalletCore
import TestSupport
import XCTest

final class BeforeInitTests: WalletCoreTestCase {
  func testCallsBeforeInitReturnNotInitialized() {
    let pin: [UInt8] = Array("135797".utf8)
    var number: UInt64 = 7
    var truth: Int32 = 7
    var enabled: Int32 = 7
    var event: OpaquePointer?
    let recorder = Recorder()
    XCTAssertEqual(wallet_core_is_initialized(), 0)
    let answers: [wallet_core_status] = [
      wallet_core_client_attach("app", 0, &number, nil), wallet_core_client_detach(1, nil),
      wallet_core_client_abandon(1), wallet_core_client_next_event(1, 0, &event, nil),
      wallet_core_client_interrupt(1, nil), wallet_core_has_registration(&truth, nil),
      wallet_core_is_locked(&truth, nil), wallet_core_register(1, pin, 6, &number, nil),
      wallet_core_unlock(1, pin, 6, &number, nil), wallet_core_check_pin(1, pin, 6, &number, nil),
      wallet_core_pin_state(1, &number, nil),
      wallet_core_change_pin(1, pin, 6, pin, 6, &number, nil),
      wallet_core_decide_replacement(1, "s", 1, pin, 6, &number, nil),
      wallet_core_lock(nil), wallet_core_wipe(1, &number, nil),
      wallet_core_refresh(1, &number, nil), wallet_core_cancel(1, 1, nil),
      wallet_core_enable_biometric_unlock(1, pin, 6, &number, nil),
      wallet_core_disable_biometric_unlock(1, &number, nil),
      wallet_core_unlock_with_biometrics(1, &number, nil),
      wallet_core_is_biometric_unlock_enabled(&enabled, nil),
      wallet_core_clear_wakeup(1, 0, nil), wallet_core_clear_event_callback(1, 0, nil),
      wallet_core_clear_configuration_stream(1, 0, nil), wallet_core_clear_lock_stream(1, 0, nil),
      wallet_core_clear_step_stream(1, 0, nil), wallet_core_clear_cards_stream(1, 0, nil),
      wallet_core_open_app(1, 1, nil, nil),
      wallet_core_choose(1, 1, "enter", pin, 6, nil),
      wallet_core_choose_scanned(1, 1, 1, pin, 6, nil),
      wallet_core_choose_option(1, 1, 0, nil),
    ]
    XCTAssertEqual(answers, Array(repeating: Status.notInitialized, count: answers.count))
    for sink in TestEventSink.allCases {
      XCTAssertEqual(sink.set(1, recorder, status: Status.notInitialized), 0)
    }
    XCTAssertEqual(recorder.destroys, 0, "a context of a failed registration stays the caller's")
    XCTAssertEqual(truth, 1)
    XCTAssertEqual(enabled, 0)
    XCTAssertEqual(number, 0)
    wallet_core_client_finalize(nil)
    XCTAssertEqual(wallet_core_bridge_reply(1, 0, nil, 0, nil), Status.unknownCall)
  }

  func testVersionsMatchTheHeader() {
    XCTAssertEqual(wallet_core_abi_version(), Int32(WALLET_CORE_ABI_VERSION))
    let version =
      "\(WALLET_CORE_VERSION_MAJOR).\(WALLET_CORE_VERSION_MINOR).\(WALLET_CORE_VERSION_PATCH)"
    XCTAssertEqual(String(cString: wallet_core_version()), version)
    XCTAssertEqual(wallet_core_pin_length(), Int(WALLET_CORE_PIN_LENGTH))
  }

  func testEachStatusHasItsName() {
    XCTAssertEqual(String(cString: wallet_core_status_name(0)), "OK")
    XCTAssertEqual(String(cString: wallet_core_status_name(-51)), "STORAGE_FULL")
    XCTAssertEqual(String(cString: wallet_core_status_name(-14)), "INTERNAL")
    for unknown in [1, -15, -1007, .min, .max].map(wallet_core_status.init(rawValue:)) {
      XCTAssertEqual(String(cString: wallet_core_status_name(unknown)), "UNKNOWN")
    }
  }

  func testAPinIsCheckedLocally() {
    func verdict(_ pin: String) -> wallet_core_pin_verdict {
      var verdict = wallet_core_pin_verdict(-1)
      let bytes = Array(pin.utf8)
      XCTAssertEqual(wallet_core_validate_pin(bytes, bytes.count, &verdict, nil), WALLET_CORE_OK)
      return verdict
    }
    XCTAssertEqual(verdict("135797"), WALLET_CORE_PIN_VERDICT_ACCEPTED)
    XCTAssertEqual(verdict("12345"), WALLET_CORE_PIN_VERDICT_WRONG_LENGTH)
    XCTAssertEqual(
      verdict(String(repeating: "1", count: 500)), WALLET_CORE_PIN_VERDICT_WRONG_LENGTH)
    XCTAssertEqual(verdict("12a456"), WALLET_CORE_PIN_VERDICT_NOT_DIGITS)
    XCTAssertEqual(verdict("111111"), WALLET_CORE_PIN_VERDICT_TOO_FEW_DIFFERENT_DIGITS)
    XCTAssertEqual(verdict("654321"), WALLET_CORE_PIN_VERDICT_SEQUENCE)
    XCTAssertEqual(verdict("159753"), WALLET_CORE_PIN_VERDICT_COMMON)
    var value = WALLET_CORE_PIN_VERDICT_ACCEPTED
    XCTAssertEqual(wallet_core_validate_pin(nil, 0, &value, nil), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_validate_pin(nil, 6, &value, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_validate_pin(nil, 0, nil, nil), Status.invalidArgument)
  }

  func testAnErrorHasCodeCategoryMessageAndData() {
    var error: OpaquePointer?
    XCTAssertEqual(wallet_core_lock(&error), Status.notInitialized)
    XCTAssertEqual(wallet_core_error_code(error), Status.notInitialized)
    XCTAssertEqual(wallet_core_error_category(error), WALLET_CORE_CATEGORY_USAGE)
    var length = 0
    let message = wallet_core_error_message(error, &length)
    XCTAssertEqual(String(cString: message).utf8.count, length)
    XCTAssertGreaterThan(length, 0)
    XCTAssertEqual(String(cString: wallet_core_error_data(error, nil)), "{}")
    wallet_core_error_free(error)
  }

  func testGettersAcceptNull() {
    var length = 7
    XCTAssertEqual(wallet_core_error_code(nil), 0)
    XCTAssertEqual(wallet_core_error_category(nil), 0)
    XCTAssertEqual(String(cString: wallet_core_error_message(nil, &length)), "")
    XCTAssertEqual(length, 0)
    XCTAssertEqual(String(cString: wallet_core_error_data(nil, nil)), "{}")
    XCTAssertEqual(String(cString: wallet_core_event_json(nil, &length)), "{}")
    XCTAssertEqual(length, 2)
    XCTAssertEqual(wallet_core_event_kind(nil), 0)
    XCTAssertEqual(wallet_core_event_request(nil), 0)
    XCTAssertEqual(wallet_core_event_status(nil), WALLET_CORE_OK)
    XCTAssertNil(wallet_core_event_error(nil))
    XCTAssertEqual(wallet_core_event_is_locked(nil), 1)
    XCTAssertEqual(wallet_core_event_pin_outcome(nil), 0)
    XCTAssertEqual(wallet_core_event_pin_attempts_left(nil), 0)
    XCTAssertEqual(wallet_core_event_pin_is_final_round(nil), 0)
    XCTAssertEqual(wallet_core_event_pin_failed_attempts(nil), 0)
    XCTAssertEqual(wallet_core_event_pin_last_failed_at(nil), 0)
    XCTAssertEqual(String(cString: wallet_core_event_replacement_session(nil)), "")
    XCTAssertEqual(wallet_core_event_replacement_takes_effect_in_ms(nil), 0)
    XCTAssertEqual(wallet_core_event_pin_blocked_for_ms(nil), 0)
    wallet_core_error_free(nil)
    wallet_core_event_free(nil)
    wallet_core_memzero(nil, 5)
  }

  func testMemzeroWipes() {
    var bytes: [UInt8] = [1, 2, 3, 4]
    wallet_core_memzero(&bytes, 3)
    XCTAssertEqual(bytes, [0, 0, 0, 4])
  }
}
