import CWalletCore
import Foundation
import TestSupport
import XCTest

/// Whatever a host passes, the result is a status.
final class GarbageTests: WalletCoreTestCase {
  private let ids: [UInt64] = [0, 1, 1 << 31, 1 << 63, .max]

  func testUnknownClientsAreDetached() throws {
    XCTAssertEqual(try initialise(), 0)
    let pin = Array("135797".utf8)
    var request: UInt64 = 7
    for id in ids {
      XCTAssertEqual(wallet_core_client_detach(id, nil), Status.detached)
      XCTAssertEqual(wallet_core_client_abandon(id), WALLET_CORE_OK)
      wallet_core_client_finalize(UnsafeMutableRawPointer(bitPattern: UInt(id)))
      XCTAssertEqual(pull(id).status, Status.detached)
      XCTAssertEqual(wallet_core_client_interrupt(id, nil), Status.detached)
      XCTAssertEqual(wallet_core_register(id, pin, 6, &request, nil), Status.detached)
      XCTAssertEqual(request, 0)
      XCTAssertEqual(wallet_core_check_pin(id, pin, 6, nil, nil), Status.detached)
      XCTAssertEqual(wallet_core_pin_state(id, &request, nil), Status.detached)
      XCTAssertEqual(wallet_core_change_pin(id, pin, 6, pin, 6, &request, nil), Status.detached)
      XCTAssertEqual(
        wallet_core_decide_replacement(id, "s", 1, pin, 6, &request, nil), Status.detached)
      XCTAssertEqual(wallet_core_refresh(id, &request, nil), Status.detached)
      XCTAssertEqual(wallet_core_wipe(id, nil, nil), Status.detached)
      XCTAssertEqual(
        wallet_core_enable_biometric_unlock(id, pin, 6, &request, nil), Status.detached)
      XCTAssertEqual(wallet_core_disable_biometric_unlock(id, &request, nil), Status.detached)
      XCTAssertEqual(wallet_core_unlock_with_biometrics(id, &request, nil), Status.detached)
      XCTAssertEqual(request, 0)
      XCTAssertEqual(wallet_core_cancel(id, id, nil), Status.detached)
      XCTAssertEqual(wallet_core_open_app(id, 0, nil, nil), Status.detached)
      XCTAssertEqual(wallet_core_choose(id, id, nil, nil, 1, nil), Status.detached)
      XCTAssertEqual(wallet_core_choose_scanned(id, id, 0, nil, 1, nil), Status.detached)
      XCTAssertEqual(wallet_core_choose_option(id, id, -1, nil), Status.detached)
      for sink in TestEventSink.allCases {
        sink.set(id, Recorder(), status: Status.detached)
        XCTAssertEqual(sink.clear(id, id), Status.detached)
      }
    }
  }

  func testNullCallbacksAndResultsAreRefused() throws {
    let client = try start()
    let answers = [
      wallet_core_set_wakeup(client, nil, nil, nil, nil, nil),
      wallet_core_set_event_callback(client, nil, nil, nil, nil, nil),
      wallet_core_set_configuration_stream(client, nil, nil, nil, nil, nil),
      wallet_core_set_lock_stream(client, nil, nil, nil, nil, nil),
      wallet_core_set_step_stream(client, nil, nil, nil, nil, nil),
      wallet_core_set_cards_stream(client, nil, nil, nil, nil, nil),
      wallet_core_is_locked(nil, nil), wallet_core_has_registration(nil, nil),
      wallet_core_is_biometric_unlock_enabled(nil, nil),
      wallet_core_init_platform_support(nil, nil, nil, nil),
    ]
    XCTAssertEqual(answers, Array(repeating: Status.invalidArgument, count: answers.count))
  }

  func testABadArgumentOfTheInitialisedWalletMakesAnError() throws {
    let client = try start()
    var error: OpaquePointer?
    XCTAssertEqual(wallet_core_is_locked(nil, &error), Status.invalidArgument)
    XCTAssertEqual(wallet_core_error_code(error), Status.invalidArgument)
    wallet_core_error_free(error)
    XCTAssertEqual(wallet_core_client_interrupt(client, &error), WALLET_CORE_OK)
    XCTAssertNil(error, "a success clears an old error")
  }

  func testUnknownBridgeCallsAreHarmless() throws {
    XCTAssertEqual(try initialise(), 0)
    for id in ids {
      for status in [.min, -1007, -1, 0, 1, 99, .max].map(wallet_core_bridge_status.init(rawValue:))
      {
        XCTAssertEqual(wallet_core_bridge_reply(id, status, nil, 0, nil), Status.unknownCall)
        XCTAssertEqual(wallet_core_bridge_reply(id, status, nil, -1, "x"), Status.unknownCall)
      }
    }
  }

  func testAWalletWithoutRegistrationIsLocked() throws {
    XCTAssertEqual(try initialise(), 0)
    var isLocked: Int32 = 0
    XCTAssertEqual(wallet_core_is_locked(&isLocked, nil), WALLET_CORE_OK)
    XCTAssertEqual(isLocked, 1)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    var hasRegistration: Int32 = 7
    XCTAssertEqual(wallet_core_has_registration(&hasRegistration, nil), WALLET_CORE_OK)
    XCTAssertEqual(hasRegistration, 0)
  }
}
