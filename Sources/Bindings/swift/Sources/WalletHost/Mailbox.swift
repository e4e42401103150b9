// SPDX-License-Identifier: Apache-2.0
import CWalletCore
import Synchronization

/// What came for a client and was not taken yet: filled on a thread of the library, which never waits
/// here, and emptied by tasks of the app.
final class Mailbox: Sendable {
  private struct State {
    var events: [Event] = []
    var takers: [CheckedContinuation<Event?, Never>] = []
    var requests: [UInt64: Request] = [:]
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Takes an event in. Of the streams only the newest value waits. A completion goes to its request,
  /// and waits only where it has none: cards are not kept for a reader who may never come.
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

  /// The next event, awaited if need be; nil after the end.
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

  /// Begins a request under the lock: its completion cannot come before it is known.
  func begin(_ start: () throws(WalletCoreError) -> Request) throws(WalletCoreError) -> Request {
    try state.withLock { state throws(WalletCoreError) in
      let request = try start()
      state.requests[request.number] = request
      return request
    }
  }

  /// Nothing comes any more. What waits can still be taken, unless it is dropped.
  func end(dropping: Bool) {
    state.withLock { state in
      for taker in state.takers { taker.resume(returning: nil) }
      for request in state.requests.values { request.end(.failure(.detached)) }
      state = State(events: dropping ? [] : state.events, hasEnded: true)
    }
  }
}
