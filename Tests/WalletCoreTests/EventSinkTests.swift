import CWalletCore
import Foundation
import TestSupport
import XCTest

/// Pull, interrupt and wakeup.
final class EventSinkTests: WalletCoreTestCase {
  private func drainedClient() throws -> wallet_core_client {
    let client = try start()
    while pull(client).event != nil {}
    return client
  }

  func testAPullWaitsForItsTimeout() throws {
    let client = try drainedClient()
    let start = monotonicMilliseconds()
    XCTAssertEqual(pull(client, 60).status, Status.timeout)
    XCTAssertGreaterThanOrEqual(monotonicMilliseconds() - start, 55)
    XCTAssertEqual(pull(client, -2).status, Status.invalidArgument)
    XCTAssertEqual(wallet_core_client_next_event(client, 0, nil, nil), Status.invalidArgument)
    for timeout in [-1, Int64.max] {
      let pulling = onWaitingThread { pull(client, timeout).status }
      XCTAssertNil(pulling.current)
      XCTAssertEqual(wallet_core_client_interrupt(client, nil), WALLET_CORE_OK)
      XCTAssertTrue(pulling.wait { $0 == Status.interrupted })
    }
  }

  func testTimeoutAndInterruptMakeNoErrorObject() throws {
    let client = try drainedClient()
    var event: OpaquePointer?
    var error: OpaquePointer?
    XCTAssertEqual(wallet_core_client_next_event(client, 0, &event, &error), Status.timeout)
    XCTAssertNil(error)
    XCTAssertEqual(wallet_core_client_interrupt(client, nil), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_client_next_event(client, -1, &event, &error), Status.interrupted)
    XCTAssertNil(error)
    XCTAssertEqual(wallet_core_client_next_event(client, 0, &event, &error), Status.timeout)
  }

  func testASecondPullAtTheSameTimeIsBusy() throws {
    let client = try drainedClient()
    let pulling = onWaitingThread { pull(client, -1).status }
    XCTAssertEqual(pull(client).status, Status.busy)
    XCTAssertEqual(wallet_core_client_interrupt(client, nil), WALLET_CORE_OK)
    XCTAssertTrue(pulling.wait { $0 == Status.interrupted })
  }

  func testAHostThatNeverFreesItsEventsGetsAnError() throws {
    let client = try start()
    var taken: [OpaquePointer?] = []
    defer { for event in taken { wallet_core_event_free(event) } }
    var status: wallet_core_status = 0
    var error: OpaquePointer?
    while status == 0, taken.count < 2_000 {
      var event: OpaquePointer?
      status = wallet_core_client_next_event(client, Patience.milliseconds, &event, &error)
      if status == 0 {
        taken.append(event)
        XCTAssertEqual(wallet_core_wipe(client, nil, nil), WALLET_CORE_OK)
      }
    }
    XCTAssertEqual(taken.count, 1_024)
    XCTAssertEqual(status, Status.busy)
    let message = String(cString: wallet_core_error_message(error, nil))
    XCTAssertTrue(message.contains("wallet_core_event_free()"), message)
    wallet_core_error_free(error)

    // It affects only this client, and only until an event is freed.
    var other: wallet_core_client = 0
    XCTAssertEqual(wallet_core_client_attach("other", 0, &other, nil), WALLET_CORE_OK)
    XCTAssertNotNil(pull(other).event)
    wallet_core_event_free(taken.removeLast())
    var event: OpaquePointer?
    XCTAssertEqual(
      wallet_core_client_next_event(client, Patience.milliseconds, &event, nil), WALLET_CORE_OK)
    taken.append(event)
  }

  func testAPullBesideAnEventCallbackIsBusy() throws {
    let client = try drainedClient()
    let pulling = onWaitingThread { pull(client, -1).status }
    TestEventSink.events.set(client, Recorder())
    XCTAssertTrue(pulling.wait { $0 == Status.busy })
    XCTAssertEqual(pull(client).status, Status.busy)
    XCTAssertEqual(TestEventSink.events.clear(client), 0)
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testADetachEndsAPull() throws {
    let client = try drainedClient()
    let pulling = onWaitingThread { pull(client, -1).status }
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    XCTAssertTrue(pulling.wait { $0 == Status.detached })
  }

  func testAWakeupSignalsOnceUntilTheQueueWasDrained() throws {
    let client = try start()
    let recorder = Recorder()
    TestEventSink.wakeup.set(client, recorder)
    XCTAssertTrue(
      recorder.state.wait { $0.wakeups == 1 }, "called immediately, because three events wait")
    XCTAssertNotNil(pull(client).event)
    XCTAssertNotNil(pull(client).event)
    requestThatFails(client)
    usleep(100_000)
    XCTAssertEqual(recorder.state.current.wakeups, 1, "not drained yet")
    XCTAssertNotNil(pull(client).event)
    XCTAssertNotNil(awaitEvent(client))
    XCTAssertEqual(pull(client).status, Status.timeout)
    requestThatFails(client)
    XCTAssertTrue(recorder.state.wait { $0.wakeups == 2 })
    XCTAssertNotNil(pull(client).event)
    requestThatFails(client)
    XCTAssertTrue(recorder.state.wait { $0.wakeups == 3 }, "taking the last event drains the queue")
  }

  func testAWakeupOnAnEmptyQueueIsSilent() throws {
    let client = try drainedClient()
    let recorder = Recorder()
    TestEventSink.wakeup.set(client, recorder)
    usleep(50_000)
    XCTAssertEqual(recorder.state.current.wakeups, 0)
  }

  /// Makes a completion without network: there is no wallet to unlock.
  private func requestThatFails(_ client: wallet_core_client) {
    XCTAssertEqual(wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil), WALLET_CORE_OK)
  }
}
