internal import WalletModel
internal import WalletPlatform

// The event sinks: setting and clearing callbacks, and taking events.

extension Client {
  /// Sets a callback. Waits until the previous one has returned and its context is released, except
  /// on threads that run host code.
  ///
  /// - Parameter token: Receives the token before the callback can run, so that the callback can
  ///   clear itself with it.
  func set(
    _ sink: EventSink, _ callback: HostCallback, _ context: HostContext,
    token: UnsafeMutablePointer<UInt64>?
  ) throws(WalletError) {
    let result = state.update { state -> Result<UInt64, WalletError> in
      guard state.phase == .attached else { return .failure(.clientIsGone) }
      do throws(WalletError) { try startDelivery(&state) } catch { return .failure(error) }
      let before = state.lastToken
      let slot = CallbackSlot(
        sink: sink, token: UniqueID.next(), callback: callback, context: context)
      state.install(slot)
      token?.pointee = slot.token
      return .success(before)
    }
    let before = try result.get()
    // The result is ignored: even if the client has ended meanwhile, the callback was set and may
    // have run, so its context no longer belongs to the caller.
    _ = waitForReleases(sink, token: 0, upTo: before)
  }

  /// Clears a callback if `token` is its token or 0. Waits as `set` does.
  func clear(_ sink: EventSink, token: UInt64) throws(WalletError) {
    let last = state.update { state -> UInt64? in
      guard state.phase == .attached else { return nil }
      if let slot = state.slots[sink], token == 0 || slot.token == token {
        state.scheduleRelease(sink)
      }
      return state.lastToken
    }
    guard let last, waitForReleases(sink, token: token, upTo: last) else { throw .clientIsGone }
  }

  /// Waits until the contexts of `sink` that `token` and `last` select are released.
  ///
  /// - Returns: False if the client was abandoned, so that the state of its callbacks is unknown.
  private func waitForReleases(_ sink: EventSink, token: UInt64, upTo last: UInt64) -> Bool {
    if HostThread.isCurrent { return true }
    return state.wait(clock: SystemBootClock()) { state -> Bool? in
      if state.phase == .abandoned { return false }
      return state.isReleasing(sink, token: token, upTo: last) ? nil : true
    } ?? false
  }

  /// The result of waiting for an event.
  fileprivate enum Pulled {
    case event(EventObject)
    case failed(WalletError)
  }

  /// Takes the next event. Waits for it at most `timeout` milliseconds, or without limit if it is
  /// nil.
  func next(timeout: Milliseconds?) throws(WalletError) -> EventObject {
    let refusal = state.withLock { state -> WalletError? in
      if state.phase != .attached { return .clientIsGone }
      if state.isPulling {
        return WalletError(.busy, "Another thread is waiting for an event of this client.")
      }
      if unfreed.count >= UnfreedEvents.limit { return .eventsAreNotFreed }
      state.isPulling = true
      return nil
    }
    if let refusal { throw refusal }
    let clock = SystemBootClock()
    // A deadline beyond the clock's range counts as none.
    let deadline = timeout.flatMap { timeout -> Milliseconds? in
      let (sum, overflows) = clock.now().addingReportingOverflow(timeout)
      return overflows ? nil : sum
    }
    let pulled = state.wait(until: deadline, clock: clock) { $0.tryToPull() }
    state.withLock { $0.isPulling = false }
    switch pulled {
    case .event(let event):
      whenTaken(event)
      return event
    case .failed(let failure): throw failure
    case nil: throw WalletError(.timeout, "No event arrived before the timeout.")
    }
  }

  /// Ends the wait of the current pull or, if there is none, that of the next one.
  func interrupt() throws(WalletError) {
    let isAttached = state.update { state in
      guard state.phase == .attached else { return false }
      state.isInterrupted = true
      return true
    }
    if !isAttached { throw .clientIsGone }
  }
}

extension WalletError {
  fileprivate static var eventsAreNotFreed: WalletError {
    WalletError(
      .busy,
      "\(UnfreedEvents.limit) events of this client were taken and not freed; call"
        + " wallet_core_event_free() for each one.")
  }
}

extension ClientState {
  fileprivate mutating func tryToPull() -> Client.Pulled? {
    if phase != .attached { return .failed(.clientIsGone) }
    if slots[.events] != nil {
      return .failed(WalletError(.busy, "The events of this client go to its event callback."))
    }
    if isInterrupted {
      isInterrupted = false
      return .failed(WalletError(.interrupted, "wallet_core_client_interrupt() was called."))
    }
    return pull().map { .event($0) }
  }
}
