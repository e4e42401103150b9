import CWalletCore
import Foundation
import TestSupport
import XCTest

final class RebindTests: WalletCoreTestCase {
  func testADetachedEngineCanAttachAgain() throws {
    let client = try start()
    let recorders = TestEventSink.allCases.map { _ in Recorder() }
    for (sink, recorder) in zip(TestEventSink.allCases, recorders) { sink.set(client, recorder) }
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    XCTAssertEqual(recorders.map(\.destroys), recorders.map { _ in 1 })
    XCTAssertEqual(wallet_core_client_detach(client, nil), Status.detached)
    XCTAssertEqual(pull(client).status, Status.detached)
    XCTAssertEqual(TestEventSink.lock.clear(client), Status.detached)
    TestEventSink.lock.set(client, Recorder(), status: Status.detached)
    XCTAssertEqual(wallet_core_is_initialized(), 1)
    let again = attach()
    XCTAssertGreaterThan(again, client)
    XCTAssertEqual(pull(again).event?.kind, Kind.configuration)
    XCTAssertEqual(recorders.map(\.state.current.lateCalls), recorders.map { _ in 0 })
  }

  func testAnEngineThatDiedWithoutDetachingIsTakenOver() throws {
    let client = try start()
    let recorder = Recorder()
    TestEventSink.lock.set(client, recorder)
    XCTAssertTrue(recorder.waitFor(1))
    var refused: wallet_core_client = 7
    XCTAssertEqual(wallet_core_client_attach("app", 0, &refused, nil), Status.busy)
    XCTAssertEqual(refused, 0)
    let again = attach(takeOver: true)
    XCTAssertEqual(pull(client).status, Status.detached)
    XCTAssertEqual(pull(again).event?.kind, Kind.configuration)
    XCTAssertEqual(pull(again).event?.isLocked, 1)
    XCTAssertEqual(TestEventSink.lock.clear(client), Status.detached)
    XCTAssertEqual(recorder.destroys, 0, "contexts of a taken-over client are not released")
  }

  func testTakeOverWithoutAPredecessorIsAnAttach() throws {
    XCTAssertEqual(try initialise(), 0)
    let client = attach(takeOver: true)
    XCTAssertEqual(pull(client).event?.kind, Kind.configuration)
  }

  func testANewEngineHasEverythingWhileAnOldCallbackNeverReturns() throws {
    var client = try start()
    let gate = Gate()
    var engines: [Recorder] = []
    for _ in 0..<10 {
      let stuck = Recorder { gate.pass() }
      engines.append(stuck)
      TestEventSink.lock.set(client, stuck)
      XCTAssertTrue(stuck.waitFor(1))

      XCTAssertEqual(wallet_core_is_initialized(), 1)
      client = attach(takeOver: true)
      let (lock, configuration) = (Recorder(), Recorder())
      TestEventSink.configuration.set(client, configuration)
      TestEventSink.lock.set(client, lock)
      XCTAssertTrue(lock.waitFor(1))
      XCTAssertTrue(configuration.waitFor(1))
      XCTAssertEqual(TestEventSink.lock.clear(client), 0)
    }
    XCTAssertEqual(engines.map(\.state.current.left), Array(repeating: 0, count: 10))

    gate.open()
    usleep(50_000)
    XCTAssertEqual(engines.map(\.state.current.entered), Array(repeating: 1, count: 10))
    XCTAssertEqual(engines.map(\.destroys), Array(repeating: 0, count: 10))
  }

  func testAnAbandonedClientIsNeverCalledAgain() throws {
    let client = try start()
    let gate = Gate()
    let stuck = Recorder { gate.pass() }
    let other = Recorder()
    TestEventSink.lock.set(client, stuck)
    XCTAssertTrue(stuck.waitFor(1))
    TestEventSink.events.set(client, other)
    XCTAssertEqual(wallet_core_client_abandon(client), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_client_abandon(client), WALLET_CORE_OK)
    XCTAssertEqual(wallet_core_client_abandon(99_999_999), WALLET_CORE_OK)
    gate.open()
    usleep(50_000)
    XCTAssertEqual(stuck.destroys, 0)
    XCTAssertEqual(stuck.state.current.entered, 1)
    XCTAssertEqual(other.destroys, 0)
    XCTAssertEqual(other.events, [])
  }

  func testTheFinalizerAbandons() throws {
    let client = try start()
    wallet_core_client_finalize(UnsafeMutableRawPointer(bitPattern: UInt(client)))
    XCTAssertEqual(pull(client).status, Status.detached)
  }

  func testAnAbandonEndsAllWaits() throws {
    let client = try start()
    while pull(client).event != nil {}
    let gate = Gate()
    let stuck = Recorder { gate.pass() }
    TestEventSink.lock.set(client, stuck)
    XCTAssertTrue(stuck.waitFor(1))
    let clearing = onWaitingThread { TestEventSink.lock.clear(client) }
    let pulling = onWaitingThread { pull(client, -1).status }
    let detaching = onWaitingThread { wallet_core_client_detach(client, nil) }
    XCTAssertTrue(pulling.wait { $0 == Status.detached })
    XCTAssertNil(clearing.current)
    XCTAssertNil(detaching.current)
    XCTAssertEqual(wallet_core_client_abandon(client), WALLET_CORE_OK)
    XCTAssertTrue(clearing.wait { $0 == Status.detached })
    XCTAssertTrue(detaching.wait { $0 != nil })
    gate.open()
  }

  /// If it were refused, the host would free its context while a callback may still use it.
  func testACallbackThatWasSetIsNotRefusedWhenItsClientIsAbandonedMeanwhile() throws {
    let client = try start()
    let gate = Gate()
    let stuck = Recorder { gate.pass() }
    let second = Recorder()
    TestEventSink.lock.set(client, stuck)
    XCTAssertTrue(stuck.waitFor(1))
    let setting = onWaitingThread {
      wallet_core_set_lock_stream(
        client, Recorder.onEvent, second.context, Recorder.onDestroy, nil, nil)
    }
    XCTAssertNil(setting.current, "it waits for the call of the replaced one")
    XCTAssertEqual(wallet_core_client_abandon(client), WALLET_CORE_OK)
    XCTAssertTrue(setting.wait { $0 == 0 })
    gate.open()
    XCTAssertEqual(second.destroys, 0)
  }

  func testTheNumberOfStuckEnginesIsLimited() throws {
    XCTAssertEqual(try initialise(), 0)
    let gate = Gate()
    for _ in 0..<64 {
      let stuck = Recorder { gate.pass() }
      TestEventSink.lock.set(attach(takeOver: true), stuck)
      XCTAssertTrue(stuck.waitFor(1))
    }
    let client = attach(takeOver: true)
    let refused = Recorder()
    TestEventSink.lock.set(client, refused, status: WALLET_CORE_ERROR_OUT_OF_RESOURCES)
    XCTAssertEqual(pull(client).event?.kind, Kind.configuration, "the other sinks still work")
    gate.open()
    XCTAssertTrue(
      eventually { wallet_core_set_lock_stream(client, Recorder.onEvent, nil, nil, nil, nil) == 0 },
      "threads that came back are no longer counted")
    XCTAssertEqual(refused.destroys, 0)
  }

  func testClientsHaveUniqueNamesAndALimit() throws {
    XCTAssertEqual(try initialise(), 0)
    let clients = (0..<64).map { attach("client \($0)") }
    XCTAssertEqual(Set(clients).count, 64)
    var client: wallet_core_client = 0
    XCTAssertEqual(wallet_core_client_attach("one more", 0, &client, nil), Status.busy)
    _ = attach("client 5", takeOver: true)
    XCTAssertEqual(wallet_core_client_detach(clients[0], nil), WALLET_CORE_OK)
    _ = attach("one more")
  }

  func testBadAttachArgumentsAreRefused() throws {
    XCTAssertEqual(try initialise(), 0)
    var client: wallet_core_client = 7
    XCTAssertEqual(wallet_core_client_attach(nil, 0, &client, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_client_attach("", 0, &client, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_client_attach("app", 2, &client, nil), Status.invalidArgument)
    XCTAssertEqual(wallet_core_client_attach("app", 0, nil, nil), Status.invalidArgument)
    let long = String(repeating: "a", count: 65)
    XCTAssertEqual(wallet_core_client_attach(long, 0, &client, nil), Status.invalidArgument)
    let broken: [CChar] = [-1, 0]
    XCTAssertEqual(wallet_core_client_attach(broken, 0, &client, nil), Status.invalidUTF8)
    XCTAssertEqual(client, 0)
  }
}
