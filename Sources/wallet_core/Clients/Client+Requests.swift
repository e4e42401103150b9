internal import WalletModel
internal import WalletRuntime
internal import WalletPlatform

// Requests: each one that was started has exactly one completion.

extension Client {
  /// The most requests that a host can leave open, so that no queue grows without limit.
  static let requestLimit = 64

  /// Opens a request.
  func open() throws(WalletError) -> (request: UInt64, cancellation: Cancellation) {
    let request = UniqueID.next()
    let cancellation = Cancellation()
    let refusal = state.withLock { state -> WalletError? in
      guard state.phase == .attached else { return .clientIsGone }
      guard state.openRequests < Self.requestLimit else {
        return WalletError(
          .busy, "\(Self.requestLimit) requests are open; take their completions first.")
      }
      state.requests[request] = cancellation
      return nil
    }
    if let refusal { throw refusal }
    return (request, cancellation)
  }

  /// Removes a request that could not be started.
  func discard(_ request: UInt64) {
    state.withLock { _ = $0.requests.removeValue(forKey: request) }
  }

  /// Queues the completion of a request. It is dropped after the client has ended.
  func complete(_ request: UInt64, _ outcome: WalletOutcome) {
    let event = EventObject(.completion(request: request, outcome))
    state.update { state in
      guard state.requests.removeValue(forKey: request) != nil else { return }
      state.queue.append(event)
      // A wallet that is locked already withholds it here. A later lock finds the completion in the
      // queue.
      if event.needsUnlocked, state.isLocked() { state.queue.withhold() }
    }
  }

  /// Asks a request to end early. Unknown requests have ended already.
  func cancel(_ request: UInt64) throws(WalletError) {
    let (isAttached, cancellation) = state.withLock { state in
      (state.phase == .attached, state.requests[request])
    }
    guard isAttached else { throw .clientIsGone }
    cancellation?.cancel()
  }
}
