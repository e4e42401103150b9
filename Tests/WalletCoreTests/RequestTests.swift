import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

final class RequestTests: WalletCoreTestCase {
  private let pin = Array("135797".utf8)

  func testARequestHasExactlyOneCompletion() throws {
    let client = try start()
    while pull(client).event != nil {}
    var request: UInt64 = 0
    XCTAssertEqual(wallet_core_unlock(client, pin, 6, &request, nil), WALLET_CORE_OK)
    XCTAssertNotEqual(request, 0)
    let completion = awaitEvent(client)
    XCTAssertEqual(completion?.kind, Kind.completion)
    XCTAssertEqual(completion?.request, request)
    XCTAssertEqual(completion?.status, Status.notRegistered)
    XCTAssertEqual(pull(client, 50).status, Status.timeout)
    XCTAssertEqual(wallet_core_cancel(client, request, nil), WALLET_CORE_OK, "an ended request")
    XCTAssertEqual(wallet_core_cancel(client, 99_999_999, nil), WALLET_CORE_OK)
  }

  func testTheErrorOfACompletionBelongsToItsEvent() throws {
    let client = try start()
    while pull(client).event != nil {}
    XCTAssertEqual(wallet_core_check_pin(client, pin, 6, nil, nil), WALLET_CORE_OK)
    var event: OpaquePointer?
    XCTAssertEqual(
      wallet_core_client_next_event(client, Patience.milliseconds, &event, nil), WALLET_CORE_OK)
    let error = wallet_core_event_error(event)
    XCTAssertEqual(wallet_core_error_code(error), Status.notRegistered)
    XCTAssertEqual(
      wallet_core_error_category(error), WALLET_CORE_CATEGORY_WALLET_STATE)
    XCTAssertEqual(wallet_core_event_pin_outcome(event), WALLET_CORE_PIN_OUTCOME_NOT_JUDGED)
    let json = String(cString: wallet_core_event_json(event, nil))
    XCTAssertTrue(json.contains(#""status_name":"NOT_REGISTERED""#), json)
    wallet_core_error_free(error)
    XCTAssertEqual(wallet_core_error_code(error), Status.notRegistered, "freeing it did no harm")
    wallet_core_event_free(event)
  }

  func testAWipeWithoutAWalletSucceeds() throws {
    let client = try start()
    while pull(client).event != nil {}
    var request: UInt64 = 0
    XCTAssertEqual(wallet_core_wipe(client, &request, nil), WALLET_CORE_OK)
    let completion = awaitEvent(client)
    XCTAssertEqual(completion?.request, request)
    XCTAssertEqual(completion?.status, 0)
  }

  func testAPinThatDoesNotFitIsRefusedWithItsReason() throws {
    let client = try start()
    func reason(
      _ start: (
        UInt64, UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt64>?,
        UnsafeMutablePointer<OpaquePointer?>?
      ) -> wallet_core_status, _ pin: String
    ) -> String {
      var error: OpaquePointer?
      var request: UInt64 = 7
      let bytes = Array(pin.utf8)
      XCTAssertEqual(start(client, bytes, bytes.count, &request, &error), Status.pinRefused)
      XCTAssertEqual(request, 0)
      defer { wallet_core_error_free(error) }
      return String(cString: wallet_core_error_data(error, nil))
    }
    XCTAssertEqual(
      reason(wallet_core_register, "123456"), #"{"reason":"sequence","schema":1}"#)
    XCTAssertEqual(
      reason(wallet_core_register, "111111"),
      #"{"reason":"too_few_different_digits","schema":1}"#)
    XCTAssertEqual(reason(wallet_core_register, "159753"), #"{"reason":"common","schema":1}"#)
    XCTAssertEqual(
      reason(wallet_core_unlock, "12345"), #"{"reason":"wrong_length","schema":1}"#)
    XCTAssertEqual(
      reason(wallet_core_check_pin, "12x456"), #"{"reason":"not_digits","schema":1}"#)
    XCTAssertEqual(
      wallet_core_unlock(client, Array("111111".utf8), 6, nil, nil), WALLET_CORE_OK,
      "the provider decides whether a simple PIN is right")
  }

  func testAPinThatIsNullOrTooLongIsAnInvalidArgument() throws {
    let client = try start()
    let long = [UInt8](repeating: 0x31, count: 65)
    XCTAssertEqual(wallet_core_unlock(client, long, 65, nil, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_unlock(client, nil, 6, nil, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_register(client, long, -1, nil, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_unlock(client, nil, 0, nil, nil), Status.pinRefused)
    XCTAssertEqual(wallet_core_unlock(client &+ 1, long, 6, nil, nil), Status.detached)
  }

  func testAnInvalidChangeOfThePinIsRefusedImmediately() throws {
    let client = try start()
    let new = Array("246813".utf8)
    func change(
      _ pin: [UInt8]?, _ length: Int, _ newPin: [UInt8]?, _ newLength: Int
    ) -> wallet_core_status {
      var request: UInt64 = 7
      defer { XCTAssertEqual(request, 0) }
      return wallet_core_change_pin(client, pin, length, newPin, newLength, &request, nil)
    }
    XCTAssertEqual(change(nil, 6, new, 6), Status.invalidArgument)
    XCTAssertEqual(change(pin, 6, nil, 6), Status.invalidArgument)
    XCTAssertEqual(change(pin, 65, new, 6), Status.invalidArgument)
    XCTAssertEqual(change(pin, 6, new, -1), Status.invalidArgument)
    XCTAssertEqual(change(pin, 5, new, 6), Status.pinRefused)
    XCTAssertEqual(change(pin, 6, Array("123456".utf8), 6), Status.pinRefused)
    XCTAssertEqual(change(pin, 6, pin, 6), Status.pinRefused)
    XCTAssertEqual(change(pin, 6, new, 6), WALLET_CORE_ERROR_NOT_REGISTERED)
  }

  func testSixtyFourRequestsMayBeOpen() throws {
    let client = try start()
    while pull(client).event != nil {}
    for _ in 0..<64 { XCTAssertEqual(wallet_core_unlock(client, pin, 6, nil, nil), WALLET_CORE_OK) }
    XCTAssertEqual(wallet_core_unlock(client, pin, 6, nil, nil), Status.busy)
    XCTAssertEqual(wallet_core_wipe(client, nil, nil), Status.busy)
    XCTAssertNotNil(awaitEvent(client))
    XCTAssertEqual(wallet_core_unlock(client, pin, 6, nil, nil), WALLET_CORE_OK)
    for _ in 0..<64 { XCTAssertNotNil(awaitEvent(client)) }
    XCTAssertEqual(pull(client, 50).status, Status.timeout)
  }

  func testADetachCompletesOpenRequestsThroughTheEventCallback() throws {
    // The storage path never comes, so the request stays open.
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let client = attach()
    let recorder = Recorder()
    TestEventSink.events.set(client, recorder)
    XCTAssertTrue(recorder.waitFor(2))
    var requests: [UInt64] = []
    for _ in 0..<3 {
      var request: UInt64 = 0
      XCTAssertEqual(wallet_core_unlock(client, pin, 6, &request, nil), WALLET_CORE_OK)
      requests.append(request)
    }
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    let completions = recorder.events.filter { $0.kind == Kind.completion }
    XCTAssertEqual(completions.map(\.request), requests)
    XCTAssertEqual(completions.map(\.status), Array(repeating: Status.detached, count: 3))
    XCTAssertEqual(recorder.destroys, 1)
  }

  func testACancelledRequestCompletesAsCancelled() throws {
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let client = attach()
    while pull(client).event != nil {}
    var request: UInt64 = 0
    XCTAssertEqual(wallet_core_register(client, pin, 6, &request, nil), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_cancel(client, request, nil), WALLET_CORE_OK)
    let completion = awaitEvent(client)
    XCTAssertEqual(completion?.request, request)
    XCTAssertEqual(completion?.status, Status.cancelled)
  }

  func testRequestsWithoutBridgesEndAfterTenSeconds() throws {
    wallet_core_testing_advance_clock(0)
    XCTAssertEqual(try initialise(withStorage: false), 0)
    let client = attach()
    while pull(client).event != nil {}
    XCTAssertEqual(wallet_core_unlock(client, pin, 6, nil, nil), WALLET_CORE_OK)
    usleep(50_000)
    XCTAssertEqual(pull(client).status, Status.timeout)
    wallet_core_testing_advance_clock(10_001)
    XCTAssertEqual(awaitEvent(client)?.status, Status.platformNotReady)
  }
}
