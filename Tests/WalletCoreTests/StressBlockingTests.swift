import CWalletCore
import Foundation
import TestSupport
import XCTest

/// The stress tests with hosts that block in callbacks, for a while or forever.
final class StressBlockingTests: WalletCoreTestCase {
  private var rounds: Int {
    ProcessInfo.processInfo.environment["WALLET_CORE_STRESS_ROUNDS"].flatMap { Int($0) } ?? 1_000
  }

  /// Blocks its callback for a moment, and sometimes for longer.
  private static func blocking() -> Recorder {
    Recorder { usleep(.random(in: 0..<100) == 0 ? 5_000 : .random(in: 0...200)) }
  }

  func testSetAndClearStressWithHostsThatBlock() throws {
    let client = try start()
    // A callback that never returns, in a separate client.
    let gate = Gate()
    let stuck = Recorder { gate.pass() }
    let other = attach("stuck")
    TestEventSink.events.set(other, stuck)
    XCTAssertTrue(stuck.state.wait { $0.entered == 1 })
    let rounds = rounds
    let workers = (0..<4).map { worker in
      onThread { () -> [Recorder] in
        var recorders: [Recorder] = []
        for round in 0..<rounds {
          let sink = TestEventSink.allCases[(worker + round) % TestEventSink.allCases.count]
          let recorder = Self.blocking()
          recorders.append(recorder)
          let token = sink.set(client, recorder)
          _ = wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil)
          if round % 3 != 0 {
            sink.clear(client, token)
            if recorder.destroys != 1 { XCTFail("not released by its clear") }
            let entered = recorder.state.current.entered
            sched_yield()
            if recorder.state.current.entered != entered { XCTFail("called after its clear") }
          }
        }
        return recorders
      }
    }
    let recorders = try finish(workers)
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    XCTAssertTrue(recorders.allSatisfy { $0.destroys == 1 }, "each released exactly once")
    XCTAssertEqual(recorders.reduce(0) { $0 + $1.state.current.lateCalls }, 0)
    XCTAssertEqual(stuck.state.current.entered, 1)
    XCTAssertEqual(wallet_core_client_abandon(other), WALLET_CORE_OK)
    gate.open()
    print("stress: \(recorders.count) races of set, clear and deliver with hosts that block")
  }

  func testTakeOverStressWithHostsThatBlock() throws {
    XCTAssertEqual(try initialise(), 0)
    let rounds = rounds
    let workers = (0..<4).map { worker in
      onThread { () -> [Recorder] in
        var recorders: [Recorder] = []
        for round in 0..<rounds {
          var client: wallet_core_client = 0
          let name = "app \(round % 2)"
          if wallet_core_client_attach(name, UInt32(WALLET_CORE_ATTACH_TAKE_OVER), &client, nil)
            != WALLET_CORE_OK
          {
            XCTFail("attach")
          }
          let recorder = Self.blocking()
          recorders.append(recorder)
          // If 64 threads are stuck in callbacks already, no new callback is accepted.
          _ = wallet_core_set_lock_stream(
            client, Recorder.onEvent, recorder.context, Recorder.onDestroy, nil, nil)
          _ = wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil)
          switch (worker + round) % 4 {
          case 0: _ = wallet_core_client_abandon(client)
          case 1: _ = wallet_core_client_detach(client, nil)
          case 2: _ = TestEventSink.lock.clear(client)
          default: break
          }
        }
        return recorders
      }
    }
    let recorders = try finish(workers)
    XCTAssertTrue(recorders.allSatisfy { $0.destroys <= 1 })
    XCTAssertEqual(recorders.reduce(0) { $0 + $1.state.current.lateCalls }, 0)
    let last = attach("app 0", takeOver: true)
    XCTAssertEqual(awaitEvent(last)?.kind, Kind.configuration)
    print("stress: \(recorders.count) races of take-over with hosts that block")
  }

  /// A callback that replaces and clears its own stream waits for nothing, including itself.
  func testACallbackThatSetsAndClearsItsOwnStreamNeverDeadlocks() throws {
    let client = try start()
    let successor = Recorder()
    for sink in TestEventSink.allCases where sink != .wakeup {
      let inside = Shared(0)
      let recorder = Recorder {
        let token = sink.set(client, successor)
        sink.clear(client, token)
        sink.clear(client)
        inside.withLock { $0 += 1 }
      }
      sink.set(client, recorder)
      if sink == .events { _ = wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil) }
      if sink == .step { try show(makeStep(), to: client) }
      if sink == .cards { try tellOfCards(client) }
      XCTAssertTrue(inside.wait { $0 > 0 }, "\(sink)")
    }
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
  }

  /// A late clear with the token of a subscriber that was replaced.
  func testALateClearNeverRemovesANewerSubscriber() throws {
    let client = try start()
    for round in 0..<rounds {
      let sink = [TestEventSink.configuration, .lock][round % 2]
      let (old, new) = (Recorder(), Recorder())
      let token = sink.set(client, old)
      let late = onThread { () -> wallet_core_status in
        sched_yield()
        return sink.clear(client, token)
      }
      let newToken = sink.set(client, new)
      XCTAssertTrue(late.wait { $0 == 0 })
      XCTAssertTrue(new.waitFor(1), "the newer one receives the current value")
      XCTAssertEqual(new.destroys, 0)
      XCTAssertEqual(old.destroys, 1)
      sink.clear(client, newToken)
      XCTAssertEqual(new.destroys, 1)
    }
  }

  private func finish(_ workers: [Shared<[Recorder]?>]) throws -> [Recorder] {
    try workers.flatMap { worker in
      XCTAssertTrue(worker.wait(times: 10) { $0 != nil }, "a deadlock")
      return try XCTUnwrap(worker.current)
    }
  }
}
