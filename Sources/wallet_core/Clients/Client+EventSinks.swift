internal import WalletModel
internal import WalletPlatform

// The sinks: callbacks set and cleared, events pulled.

extension Client {
  /// Sets a callback. Waits until the one before has returned and its context is released, except
  /// on threads that run host code.
  ///
  /// - Parameter token: written before the callback can run, so that it may clear itself by it.
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
    // Whatever became of the client meanwhile: the callback was set and may have run, so its context
    // is not the caller's any more.
    _ = waitForReleases(sink, token: 0, upTo: before)
  }

  /// Clears a callback, if `token` is its own or 0. Waits as `set` does.
  func clear(_ sink: EventSink, token: UInt64) throws(WalletError) {
    let last = state.update { state -> UInt64? in
      guard state.phase == .attached else { return nil }
      if let slot = state.slots[sink], token == 0 || slot.token == token { state.scheduleRelease(sink) }
      return state.lastToken
    }
    guard let last, waitForReleases(sink, token: token, upTo: last) else { throw .clientIsGone }
  }

  /// Waits until no context of these is left to release.
  ///
  /// - Returns: false if the client was abandoned, so that nothing is known of its callbacks.
  private func waitForReleases(_ sink: EventSink, token: UInt64, upTo last: UInt64) -> Bool {
    if HostThread.isCurrent { return true }
    return state.wait(clock: SystemBootClock()) { state -> Bool? in
      if state.phase == .abandoned { return false }
      return state.isReleasing(sink, token: token, upTo: last) ? nil : true
    } ?? false
  }

  /// What a pull brought.
  fileprivate enum Pulled {
    case event(EventObject)
    case failed(WalletError)
  }

  /// Takes the next event, waiting for it at most `timeout` milliseconds, or without end.
  func next(timeout: Milliseconds?) throws(WalletError) -> EventObject {
    let refusal = state.withLock { state -> WalletError? in
      if state.phase != .attached { return .clientIsGone }
      if state.isPulling { return WalletError(.busy, "Another thread waits for this client.") }
      if unfreed.count >= UnfreedEvents.limit { return .eventsAreNotFreed }
      state.isPulling = true
      return nil
    }
    if let refusal { throw refusal }
    let clock = SystemBootClock()
    // A deadline beyond the clock's range is no deadline.
    let deadline = timeout.flatMap { timeout -> Milliseconds? in
      let (sum, overflows) = clock.now().addingReportingOverflow(timeout)
      return overflows ? nil : sum
    }
    let pulled = state.wait(until: deadline, clock: clock) { $0.tryToPull() }
    state.withLock { $0.isPulling = false }
    switch pulled {
    case .event(let event): return event
    case .failed(let failure): throw failure
    case nil: throw WalletError(.timeout, "No event in the time given.")
    }
  }

  /// Ends the wait of a pull, or the next one.
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
      "\(UnfreedEvents.limit) events of this client were taken and never freed: each one needs"
        + " wallet_core_event_free().")
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
      return .failed(WalletError(.interrupted, "wallet_core_interrupt() was called."))
    }
    return pull().map { .event($0) }
  }
}
