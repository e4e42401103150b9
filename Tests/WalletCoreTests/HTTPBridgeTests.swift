import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// The HTTP bridge as a host sees it. A refresh of the configuration is what asks the provider here.
final class HTTPBridgeTests: WalletCoreTestCase {
  /// Starts with `bridge` and ends the first round of requests, which every start makes.
  private func start(_ bridge: TestHTTPBridge) throws -> wallet_core_client {
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    let client = try start()
    for number in 1...2 {
      XCTAssertTrue(bridge.waitForCall(number))
      XCTAssertEqual(TestHTTPBridge.reply(bridge.state.current.calls[number - 1]), WALLET_CORE_OK)
    }
    while pull(client).event != nil {}
    return client
  }

  private func refresh(_ client: wallet_core_client) -> UInt64 {
    var request: UInt64 = 0
    XCTAssertEqual(wallet_core_refresh(client, &request, nil), WALLET_CORE_OK)
    return request
  }

  private func completion(_ client: wallet_core_client) -> wallet_core_status? {
    while let event = awaitEvent(client) {
      if event.kind == Kind.completion { return event.status }
    }
    return nil
  }

  func testRequestsGoByTheBridgeAndSayWhatIsToBeDone() throws {
    let bridge = TestHTTPBridge()
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    XCTAssertEqual(try initialise(), WALLET_CORE_OK)
    XCTAssertTrue(bridge.waitForCall())
    let call = bridge.state.current.calls[0]
    let request = call.request.pointer.pointee
    XCTAssertEqual(request.struct_size, MemoryLayout<wallet_core_http_request>.size)
    XCTAssertEqual(call.request.method, "GET")
    XCTAssertEqual(call.request.url, "http://127.0.0.1:1/v2/update-policy")
    XCTAssertEqual(call.request.headers["accept"], "application/jwt")
    XCTAssertNil(request.body)
    XCTAssertNil(request.certificate_authorities)
    XCTAssertEqual(request.oldest_tls, WALLET_CORE_TLS_1_2)
    XCTAssertEqual(request.reach, WALLET_CORE_HTTP_REACH_PUBLIC_OR_LOOPBACK)
    XCTAssertEqual(request.connect_timeout_ms, 10_000)
    XCTAssertEqual(request.timeout_ms, 30_000)
    XCTAssertEqual(request.largest_headers, 64 << 10)
    XCTAssertEqual(request.largest_body, 1 << 20)
    XCTAssertEqual(bridge.state.current.threads, ["wallet_core.ht"])
    XCTAssertEqual(TestHTTPBridge.reply(call), WALLET_CORE_OK)
  }

  func testABridgeThatComesLaterIsUsedFromThenOn() throws {
    let client = try start()
    XCTAssertEqual(refresh(client) > 0, true)
    XCTAssertEqual(completion(client), WALLET_CORE_ERROR_SERVER_UNREACHABLE, "libcurl: port 1")
    let bridge = TestHTTPBridge { TestHTTPBridge.reply($1) }
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    _ = refresh(client)
    XCTAssertTrue(bridge.waitForCall())
    XCTAssertNotNil(completion(client))
    // Taken away again, it is released.
    XCTAssertEqual(wallet_core_set_http_bridge(nil, nil), WALLET_CORE_OK)
    XCTAssertTrue(bridge.state.wait { $0.destroys == 1 })
    let calls = bridge.state.current.calls.count
    _ = refresh(client)
    XCTAssertEqual(completion(client), WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    XCTAssertEqual(bridge.state.current.calls.count, calls)
    XCTAssertEqual(bridge.state.current.lateCalls, 0)
  }

  func testAnIncompleteBridgeIsRefusedByNameAndChangesNothing() throws {
    let good = TestHTTPBridge()
    XCTAssertEqual(good.handOver(), WALLET_CORE_OK)
    var bad = TestHTTPBridge().bridge
    bad.send = nil
    var error: OpaquePointer?
    XCTAssertEqual(wallet_core_set_http_bridge(&bad, &error), Status.bridgeIncomplete)
    let message = String(cString: wallet_core_error_message(error, nil))
    XCTAssertTrue(message.contains("http_bridge.send"), message)
    wallet_core_error_free(error)
    bad = TestHTTPBridge().bridge
    bad.struct_size = 16
    XCTAssertEqual(wallet_core_set_http_bridge(&bad, nil), Status.invalidArgument)
    XCTAssertEqual(try initialise(), WALLET_CORE_OK)
    XCTAssertTrue(good.waitForCall())
    XCTAssertEqual(good.state.current.destroys, 0)
  }

  func testABridgeThatNeverRepliesEndsAfterItsTimeAndIsCancelled() throws {
    wallet_core_testing_advance_clock(0)
    let bridge = TestHTTPBridge()
    let client = try start(bridge)
    _ = refresh(client)
    XCTAssertTrue(bridge.waitForCall(3))
    let call = bridge.state.current.calls[2]
    wallet_core_testing_advance_clock(20_000)
    XCTAssertFalse(bridge.state.current.cancelled.contains(call.id), "its time is not over")
    XCTAssertEqual(call.request.method, "GET")
    wallet_core_testing_advance_clock(12_001)
    XCTAssertTrue(bridge.state.wait { $0.cancelled == [call.id] })
    XCTAssertEqual(call.request.url, "http://127.0.0.1:1/v2/update-policy", "for a late reply")
    XCTAssertEqual(TestHTTPBridge.reply(call), Status.unknownCall)
    XCTAssertTrue(bridge.waitForCall(4))
    wallet_core_testing_advance_clock(32_001)
    XCTAssertEqual(completion(client), WALLET_CORE_ERROR_SERVER_UNREACHABLE)
  }

  func testASecondReplyIsHarmless() throws {
    let replies = Shared<[wallet_core_status]>([])
    let bridge = TestHTTPBridge { _, call in
      let statuses = [TestHTTPBridge.reply(call), TestHTTPBridge.reply(call)]
      replies.withLock { $0 += statuses }
    }
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    XCTAssertEqual(try initialise(), WALLET_CORE_OK)
    XCTAssertTrue(replies.wait { $0.count == 4 })
    XCTAssertEqual(replies.current, [0, Status.unknownCall, 0, Status.unknownCall])
  }

  func testABadReplyLeavesTheCallOpen() throws {
    let bridge = TestHTTPBridge()
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    XCTAssertEqual(try initialise(), WALLET_CORE_OK)
    XCTAssertTrue(bridge.waitForCall())
    let call = bridge.state.current.calls[0]
    let mistakes: [(inout wallet_core_http_response) -> Void] = [
      { $0.struct_size = 72 }, { $0.outcome = wallet_core_http_outcome(8) },
      { $0.outcome = wallet_core_http_outcome(-1) },
      {
        $0.body = nil
        $0.body_length = 1
      },
      { $0.body_length = -1 }, { $0.header_count = 1 }, { $0.header_count = -1 },
      { $0.header_count = 1025 }, { $0.url = nil },
    ]
    for (number, mistake) in mistakes.enumerated() {
      XCTAssertEqual(
        TestHTTPBridge.reply(call, mistake), Status.invalidArgument, "mistake \(number)")
    }
    XCTAssertEqual(wallet_core_http_reply(call.id, nil), Status.invalidArgument)
    let header = wallet_core_http_header(name: nil, value: nil)
    withUnsafePointer(to: header) { header in
      let status = TestHTTPBridge.reply(call) {
        $0.headers = header
        $0.header_count = 1
      }
      XCTAssertEqual(status, Status.invalidArgument)
    }
    let broken: [CChar] = [-1, -2, 0]
    broken.withUnsafeBufferPointer { broken in
      XCTAssertEqual(
        TestHTTPBridge.reply(call) { $0.message = broken.baseAddress }, Status.invalidUTF8)
      // What a server sends may be anything.
      let header = wallet_core_http_header(name: broken.baseAddress, value: broken.baseAddress)
      withUnsafePointer(to: header) { header in
        let status = TestHTTPBridge.reply(call) {
          $0.headers = header
          $0.header_count = 1
        }
        XCTAssertEqual(status, WALLET_CORE_OK)
      }
    }
    XCTAssertTrue(bridge.waitForCall(2), "the round goes on")
  }

  func testEachBridgeHasRepliesOfItsOwn() throws {
    let other = TestBridges()
    XCTAssertEqual(other.handOver(), WALLET_CORE_OK)
    let bridge = TestHTTPBridge()
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    XCTAssertEqual(try initialise(withStorage: false), WALLET_CORE_OK)
    XCTAssertTrue(other.waitForCall())
    let path = other.state.current.calls[0]
    var response = wallet_core_http_response()
    response.struct_size = MemoryLayout.size(ofValue: response)
    response.outcome = WALLET_CORE_HTTP_NO_NETWORK
    XCTAssertEqual(wallet_core_http_reply(path, &response), Status.invalidArgument)
    other.reply(path, WALLET_CORE_BRIDGE_OK, storage)
    XCTAssertTrue(bridge.waitForCall())
    let call = bridge.state.current.calls[0]
    XCTAssertEqual(
      wallet_core_bridge_reply(call.id, WALLET_CORE_BRIDGE_OK, nil, 0, nil),
      Status.invalidArgument)
    XCTAssertEqual(wallet_core_http_reply(call.id, &response), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_http_reply(12_345, &response), Status.unknownCall)
  }

  func testAnotherRequestsReplyIsRefused() throws {
    let bridge = TestHTTPBridge()
    let client = try start(bridge)
    _ = refresh(client)
    XCTAssertTrue(bridge.waitForCall(3))
    XCTAssertEqual(
      TestHTTPBridge.reply(
        bridge.state.current.calls[2], url: "http://127.0.0.1:1/v2/configuration"),
      WALLET_CORE_OK)
    XCTAssertTrue(bridge.waitForCall(4))
    TestHTTPBridge.reply(bridge.state.current.calls[3])
    XCTAssertEqual(completion(client), WALLET_CORE_ERROR_SERVER_REFUSED)
  }

  func testEveryOutcomeEndsARequestClearly() throws {
    let bridge = TestHTTPBridge()
    let client = try start(bridge)
    let expected: [(wallet_core_http_outcome, wallet_core_status)] = [
      (WALLET_CORE_HTTP_NO_NETWORK, WALLET_CORE_ERROR_NO_INTERNET),
      (WALLET_CORE_HTTP_NOT_CONNECTED, WALLET_CORE_ERROR_SERVER_UNREACHABLE),
      (WALLET_CORE_HTTP_TIMED_OUT, WALLET_CORE_ERROR_SERVER_UNREACHABLE),
      (WALLET_CORE_HTTP_TLS_REFUSED, WALLET_CORE_ERROR_SERVER_UNREACHABLE),
      (WALLET_CORE_HTTP_INCOMPLETE, WALLET_CORE_ERROR_SERVER_UNREACHABLE),
      (WALLET_CORE_HTTP_TOO_LARGE, WALLET_CORE_ERROR_SERVER_REFUSED),
      (WALLET_CORE_HTTP_ADDRESS_REFUSED, WALLET_CORE_ERROR_SERVER_REFUSED),
    ]
    for (round, (outcome, status)) in expected.enumerated() {
      _ = refresh(client)
      for number in 1...2 {
        XCTAssertTrue(bridge.waitForCall(2 + 2 * round + number))
        let call = bridge.state.current.calls[1 + 2 * round + number]
        XCTAssertEqual(
          TestHTTPBridge.reply(call) {
            $0.outcome = outcome
            $0.url = nil
          }, WALLET_CORE_OK)
      }
      XCTAssertEqual(completion(client), status)
    }
  }

  func testACancelledRequestDoesNotWaitForTheHost() throws {
    let bridge = TestHTTPBridge()
    XCTAssertEqual(TestBridges { $0.reply($1, WALLET_CORE_BRIDGE_OK) }.handOver(), WALLET_CORE_OK)
    let client = try start(bridge)
    let request = refresh(client)
    XCTAssertTrue(bridge.waitForCall(3))
    XCTAssertEqual(wallet_core_cancel(client, request, nil), WALLET_CORE_OK)
    XCTAssertEqual(completion(client), Status.cancelled)
  }

  func testABridgeFunctionThatNeverReturnsDelaysOnlyItself() throws {
    wallet_core_testing_advance_clock(0)
    let gate = Gate()
    defer { gate.open() }
    let bridge = TestHTTPBridge { bridge, call in
      if bridge.state.current.calls.count == 1 { gate.pass() } else { TestHTTPBridge.reply(call) }
    }
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    let client = try start()
    XCTAssertTrue(bridge.waitForCall())
    _ = refresh(client)
    wallet_core_testing_advance_clock(32_001)
    XCTAssertTrue(bridge.waitForCall(2), "on a new thread")
    XCTAssertNotNil(completion(client))
    // The function that has not returned still uses the context.
    XCTAssertEqual(wallet_core_set_http_bridge(nil, nil), WALLET_CORE_OK)
    XCTAssertEqual(bridge.state.current.destroys, 0)
    gate.open()
    XCTAssertTrue(bridge.state.wait { $0.destroys == 1 })
    XCTAssertEqual(bridge.state.current.lateCalls, 0)
  }

  func testTheBridgeCanBeReplacedWhileACallIsOpen() throws {
    let old = TestHTTPBridge()
    let client = try start(old)
    _ = refresh(client)
    XCTAssertTrue(old.waitForCall(3))
    let new = TestHTTPBridge { TestHTTPBridge.reply($1) }
    XCTAssertEqual(new.handOver(), WALLET_CORE_OK)
    XCTAssertEqual(old.state.current.destroys, 0, "a call is open")
    XCTAssertEqual(TestHTTPBridge.reply(old.state.current.calls[2]), WALLET_CORE_OK)
    XCTAssertTrue(old.state.wait { $0.destroys == 1 })
    XCTAssertTrue(new.waitForCall())
    XCTAssertNotNil(completion(client))
  }

  func testABridgeFunctionMayCallTheLibrary() throws {
    let statuses = Shared<[wallet_core_status]>([])
    let bridge = TestHTTPBridge { _, call in
      var truth: Int32 = 0
      let status = wallet_core_has_registration(&truth, nil)
      statuses.withLock { $0.append(status) }
      TestHTTPBridge.reply(call)
    }
    XCTAssertEqual(bridge.handOver(), WALLET_CORE_OK)
    XCTAssertEqual(try initialise(), WALLET_CORE_OK)
    XCTAssertTrue(statuses.wait { $0.count == 2 })
    XCTAssertEqual(statuses.current, [Status.reentrant, Status.reentrant])
  }

  func testALockATakeOverAndAnEndDoNotWaitForAnOpenRequest() throws {
    let bridge = TestHTTPBridge()
    let client = try start(bridge)
    _ = refresh(client)
    XCTAssertTrue(bridge.waitForCall(3))
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let newer = attach(takeOver: true)
    XCTAssertEqual(pull(newer).status, WALLET_CORE_OK, "it has the streams at once")
    // The round goes on for whoever asks next, and its answer reaches no former client.
    let call = bridge.state.current.calls[2]
    XCTAssertEqual(TestHTTPBridge.reply(call), WALLET_CORE_OK)
    XCTAssertTrue(bridge.waitForCall(4))
    XCTAssertEqual(pull(client).status, Status.detached)
    // The process's end does not wait either; tearDown checks that no thread is left. With the library the
    // arguments are gone too.
    let last = bridge.state.current.calls[3]
    let url = last.request.url
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    XCTAssertEqual(TestHTTPBridge.reply(last, url: url), Status.unknownCall)
  }
}
