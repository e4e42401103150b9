import CWalletCore
import Foundation
import TestSupport
import XCTest

final class StressTests: WalletCoreTestCase {
  private var rounds: Int {
    ProcessInfo.processInfo.environment["WALLET_CORE_STRESS_ROUNDS"].flatMap { Int($0) } ?? 1_000
  }

  func testAThousandEnginesLeaveNoThreadBehind() throws {
    XCTAssertEqual(try initialise(), 0)
    _ = attach("warm-up")
    let before = threadCount()
    for round in 0..<1_000 {
      let client = attach()
      let recorder = Recorder()
      TestEventSink.lock.set(client, recorder)
      if round % 2 == 0 { TestEventSink.lock.clear(client) }
      XCTAssertEqual(wallet_core_client_abandon(client), WALLET_CORE_OK)
      XCTAssertEqual(recorder.destroys, round % 2 == 0 ? 1 : 0)
    }
    XCTAssertTrue(eventually { threadCount() <= before }, "\(threadCount()) threads")
  }

  /// Several threads set, replace, clear and deliver on one client.
  func testSetAndClearStress() throws {
    let client = try start()
    let rounds = rounds
    let workers = (0..<4).map { worker in
      onThread { () -> [Recorder] in
        var recorders: [Recorder] = []
        for round in 0..<rounds {
          let sink = TestEventSink.allCases[(worker + round) % 4]
          let recorder = Recorder()
          recorders.append(recorder)
          let token = sink.set(client, recorder)
          if round % 8 == 0 {
            _ = wallet_core_unlock(client, Array("135797".utf8), 6, nil, nil)
          }
          if round % 3 != 0 {
            sink.clear(client, token)
            // Once its clear has returned, a callback is not called and its context is released.
            if recorder.destroys != 1 { XCTFail("not released by its clear") }
            let entered = recorder.state.current.entered
            sched_yield()
            if recorder.state.current.entered != entered { XCTFail("called after its clear") }
          }
        }
        return recorders
      }
    }
    var recorders: [Recorder] = []
    for worker in workers {
      XCTAssertTrue(worker.wait(times: 10) { $0 != nil })
      recorders += worker.current ?? []
    }
    XCTAssertEqual(wallet_core_client_detach(client, nil), WALLET_CORE_OK)
    XCTAssertEqual(recorders.count, 4 * rounds)
    XCTAssertTrue(recorders.allSatisfy { $0.destroys == 1 }, "each released exactly once")
    XCTAssertEqual(recorders.reduce(0) { $0 + $1.state.current.lateCalls }, 0)
    XCTAssertGreaterThan(recorders.reduce(0) { $0 + $1.state.current.entered }, 0)
    print("stress: \(recorders.count) races of set, clear and deliver")
  }

  /// Engines come, take over, are abandoned and detached from several threads at once.
  func testTakeOverAndAbandonStress() throws {
    XCTAssertEqual(try initialise(), 0)
    let rounds = rounds
    let workers = (0..<4).map { worker in
      onThread { () -> [Recorder] in
        var recorders: [Recorder] = []
        for round in 0..<rounds {
          var client: wallet_core_client = 0
          let name = "app \(round % 2)"
          let flags = UInt32(WALLET_CORE_ATTACH_TAKE_OVER)
          if wallet_core_client_attach(name, flags, &client, nil) != WALLET_CORE_OK {
            XCTFail("attach")
          }
          let recorder = Recorder()
          recorders.append(recorder)
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
    var recorders: [Recorder] = []
    for worker in workers {
      XCTAssertTrue(worker.wait(times: 10) { $0 != nil })
      recorders += worker.current ?? []
    }
    XCTAssertTrue(recorders.allSatisfy { $0.destroys <= 1 })
    XCTAssertEqual(recorders.reduce(0) { $0 + $1.state.current.lateCalls }, 0)
    print("stress: \(recorders.count) races of take-over, abandon, detach and deliver")
    let last = attach("app 0", takeOver: true)
    XCTAssertEqual(awaitEvent(last)?.kind, Kind.configuration)
  }
}
