// SPDX-License-Identifier: Apache-2.0
import CWalletCore
import Synchronization

/// The events of a client that were not taken yet. A thread of the library fills it and never waits
/// here; tasks of the app empty it.
final class Mailbox: Sendable {
  private struct State {
    var events: [Event] = []
    var takers: [CheckedContinuation<Event?, Never>] = []
    var requests: [UInt64: Request] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Adds an event. Only the newest value of each stream is kept. A completion goes to its request
  /// and is kept only if it has none, so that cards do not stay in memory if nobody reads the
  /// events.
  func put(_ event: Event) {
    state.withLock { state in
      if let completion = event.completion {
        if let request = state.requests.removeValue(forKey: completion.request) {
          return request.end(.success(event))
        }
      } else {
        state.events.removeAll { $0.kind == event.kind }
      }
      if !state.takers.isEmpty {
        state.takers.removeFirst().resume(returning: event)
      } else if !state.hasEnded {
        state.events.append(event)
      }
    }
  }

  /// Waits for the next event; nil after the end.
  func take() async -> Event? {
    await withCheckedContinuation { taker in
      state.withLock { state in
        if !state.events.isEmpty {
          taker.resume(returning: state.events.removeFirst())
        } else if state.hasEnded {
          taker.resume(returning: nil)
        } else {
          state.takers.append(taker)
        }
      }
    }
  }

  /// Begins a request under the lock, so that its completion cannot come before the request is
  /// known.
  func begin(_ start: () throws(WalletCoreError) -> Request) throws(WalletCoreError) -> Request {
    try state.withLock { state throws(WalletCoreError) in
      let request = try start()
      state.requests[request.number] = request
      return request
    }
  }

  /// Ends the mailbox. Events in it can still be taken unless they are dropped.
  func end(dropping: Bool) {
    state.withLock { state in
      for taker in state.takers { taker.resume(returning: nil) }
      for request in state.requests.values { request.end(.failure(.detached)) }
      state = State(events: dropping ? [] : state.events, hasEnded: true)
    }
  }
}
