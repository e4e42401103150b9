import CWalletCore
import Foundation
import TestSupport
import XCTest

final class StreamTests: WalletCoreTestCase {
  func testANewClientFindsTheCurrentValueOfEveryStream() throws {
    let client = try start()
    let first = pull(client).event
    XCTAssertEqual(first?.kind, Kind.configuration)
    let json = try XCTUnwrap(first?.json)
    let members = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    XCTAssertEqual(members["schema"] as? Int, 1)
    XCTAssertEqual(members["kind"] as? String, "configuration")
    XCTAssertEqual(members["version"] as? Int, 1)
    XCTAssertEqual(
      members["inactive_timeout_ms"] as? UInt64, EmbeddedConfiguration.inactiveTimeout)
    XCTAssertEqual(members["proofing_hosts"] as? [String], ["proofing.example"])
    let second = pull(client).event
    XCTAssertEqual(second?.kind, Kind.lockState)
    XCTAssertEqual(second?.isLocked, 1)
    XCTAssertEqual(second?.json, #"{"is_locked":true,"kind":"lock_state","schema":1}"#)
    let third = pull(client).event
    XCTAssertEqual(third?.kind, Kind.versionState)
    XCTAssertEqual(third?.json, #"{"grade":"ok","kind":"version_state","schema":1}"#)
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testEachStreamReplaysExactlyOncePerSet() throws {
    let client = try start()
    while pull(client).event != nil {}
    for (sink, kind) in [
      (TestEventSink.configuration, Kind.configuration), (.lock, Kind.lockState),
      (.versionState, Kind.versionState),
    ] {
      for _ in 0..<3 {
        let recorder = Recorder()
        sink.set(client, recorder)
        XCTAssertTrue(recorder.waitFor(1))
        usleep(20_000)
        XCTAssertEqual(recorder.kinds, [kind])
      }
    }
    XCTAssertEqual(pull(client).status, Status.timeout, "a replay belongs only to its stream")
  }

  func testAStreamThatIsClearedBeforeItsReplayLeavesNothingBehind() throws {
    let client = try start()
    while pull(client).event != nil {}
    let gate = Gate()
    let busy = Recorder { gate.pass() }
    TestEventSink.lock.set(client, busy)
    XCTAssertTrue(busy.waitFor(1))
    let recorder = Recorder()
    TestEventSink.configuration.set(client, recorder)
    let cleared = onWaitingThread { TestEventSink.configuration.clear(client) }
    gate.open()
    XCTAssertTrue(cleared.wait { $0 == 0 })
    XCTAssertEqual(recorder.destroys, 1)
    XCTAssertEqual(recorder.events, [])
    XCTAssertEqual(pull(client).status, Status.timeout)
  }

  func testTheEventCallbackReceivesWhatWaits() throws {
    let client = try start()
    let recorder = Recorder()
    TestEventSink.events.set(client, recorder)
    XCTAssertTrue(recorder.waitFor(3))
    XCTAssertEqual(recorder.kinds, [Kind.configuration, Kind.lockState, Kind.versionState])
    XCTAssertEqual(recorder.state.current.threads, ["wallet_core.ev"])
  }

  func testANamedStreamTakesItsKindFromTheEventCallback() throws {
    let client = try start()
    let (lock, events) = (Recorder(), Recorder())
    TestEventSink.lock.set(client, lock)
    TestEventSink.events.set(client, events)
    XCTAssertTrue(lock.waitFor(1))
    XCTAssertTrue(events.waitFor(2))
    usleep(20_000)
    XCTAssertEqual(lock.kinds, [Kind.lockState])
    XCTAssertEqual(events.kinds, [Kind.configuration, Kind.versionState])
  }

  func testAClearWaitsForTheRunningCallAndItsRelease() throws {
    for sink in TestEventSink.allCases {
      let client = try start("client \(sink)")
      // The other streams have a value from the start.
      try show(makeStep(), to: client)
      try tellOfCards(client)
      let gate = Gate()
      let recorder = Recorder { gate.pass() }
      let token = sink.set(client, recorder)
      XCTAssertTrue(recorder.state.wait { $0.entered == 1 })
      let cleared = onWaitingThread { sink.clear(client, token) }
      XCTAssertNil(cleared.current, "the call is still running")
      gate.open()
      XCTAssertTrue(cleared.wait { $0 != nil })
      XCTAssertEqual(cleared.current, 0)
      XCTAssertEqual(recorder.destroys, 1)
      XCTAssertEqual(recorder.state.current.entered, 1)
    }
  }

  func testAReplacementReleasesThePreviousContext() throws {
    let client = try start()
    for sink in TestEventSink.allCases {
      let (old, new) = (Recorder(), Recorder())
      sink.set(client, old)
      sink.set(client, new)
      XCTAssertEqual(old.destroys, 1)
      XCTAssertEqual(new.destroys, 0)
      sink.clear(client)
      XCTAssertEqual(old.destroys, 1)
      XCTAssertEqual(new.destroys, 1)
    }
  }

  func testALateClearWithAnOldTokenDoesNothing() throws {
    let client = try start()
    for sink in TestEventSink.allCases {
      let (old, new) = (Recorder(), Recorder())
      let token = sink.set(client, old)
      let newer = sink.set(client, new)
      XCTAssertNotEqual(token, newer)
      XCTAssertEqual(sink.clear(client, token), 0)
      XCTAssertEqual(sink.clear(client, newer &+ 1_000), 0)
      XCTAssertEqual(new.destroys, 0)
      XCTAssertEqual(sink.clear(client, 0), 0)
      XCTAssertEqual(new.destroys, 1)
      XCTAssertEqual(sink.clear(client, 0), 0)
      XCTAssertEqual(new.destroys, 1)
    }
  }

  func testACallbackClearsItself() throws {
    let client = try start()
    let token = Shared<UInt64>(0)
    let result = Shared<wallet_core_status?>(nil)
    let recorder = Recorder {
      let status = TestEventSink.lock.clear(client, token.current)
      result.withLock { $0 = status }
    }
    let set = TestEventSink.lock.set(client, recorder)
    token.withLock { $0 = set }
    XCTAssertTrue(result.wait { $0 == 0 })
    XCTAssertTrue(recorder.state.wait { $0.destroys == 1 } || token.current == 0)
  }

  func testACallbackReplacesItself() throws {
    let client = try start()
    let second = Recorder()
    let recorder = Recorder { TestEventSink.lock.set(client, second) }
    TestEventSink.lock.set(client, recorder)
    XCTAssertTrue(second.waitFor(1))
    XCTAssertTrue(recorder.state.wait { $0.destroys == 1 })
    XCTAssertEqual(recorder.kinds, [Kind.lockState])
    XCTAssertEqual(second.kinds, [Kind.lockState])
    XCTAssertEqual(second.destroys, 0)
  }

  func testACallbackMayCallEverythingThatDoesNotWait() throws {
    let client = try start()
    let results = Shared<[wallet_core_status]>([])
    let recorder = Recorder {
      var truth: Int32 = 0
      var other: wallet_core_client = 0
      let statuses = [
        wallet_core_client_detach(client, nil), pull(client).status, wallet_core_init(nil, nil),
        wallet_core_lock(nil), wallet_core_is_locked(&truth, nil),
        wallet_core_has_registration(&truth, nil), wallet_core_client_interrupt(client, nil),
        wallet_core_client_attach("other", 0, &other, nil), wallet_core_client_abandon(other),
      ]
      results.withLock { $0 = statuses }
    }
    TestEventSink.lock.set(client, recorder)
    XCTAssertTrue(results.wait { !$0.isEmpty })
    XCTAssertEqual(
      results.current, Array(repeating: Status.reentrant, count: 3) + [0, 0, 0, 0, 0, 0])
  }

  func testCallbacksOfTwoClientsClearEachOther() throws {
    let first = try start("first")
    let second = attach("second")
    let meeting = Shared(0)
    let meet: @Sendable () -> Void = {
      meeting.withLock { $0 += 1 }
      _ = meeting.wait { $0 >= 2 }
    }
    let one = Recorder {
      meet()
      TestEventSink.lock.clear(second)
    }
    let two = Recorder {
      meet()
      TestEventSink.lock.clear(first)
    }
    TestEventSink.lock.set(first, one)
    TestEventSink.lock.set(second, two)
    XCTAssertTrue(one.state.wait { $0.destroys == 1 })
    XCTAssertTrue(two.state.wait { $0.destroys == 1 })
  }
}
