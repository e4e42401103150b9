internal import WalletModel
internal import WalletPlatform

/// A user-interface engine: its queue, its callbacks and its requests.
///
/// Extensions in this folder contain its sinks, its delivery thread and its requests.
final class Client: Sendable {
  let id: UInt64
  let name: String
  let hostThreads: HostThreads
  let state: Monitor<ClientState>
  let unfreed = UnfreedEvents()
  /// Called with each event right before the host gets it, with no lock held.
  let whenTaken: @Sendable (EventObject) -> Void

  /// - Parameter isLocked: Whether the wallet is locked. Called with the state's lock held.
  init(
    name: String, hostThreads: HostThreads, isLocked: @escaping @Sendable () -> Bool,
    whenTaken: @escaping @Sendable (EventObject) -> Void
  ) {
    self.id = UniqueID.next()
    self.name = name
    self.hostThreads = hostThreads
    self.whenTaken = whenTaken
    state = Monitor(ClientState(isLocked: isLocked))
  }

  func requireAttached() throws(WalletError) {
    guard state.withLock({ $0.phase == .attached }) else { throw .clientIsGone }
  }

  /// Offers a value of a stream to the client. Never waits.
  func offer(_ kind: StreamKind, _ event: EventObject, version: UInt64) {
    state.update { state in
      guard state.phase == .attached else { return }
      state.queue.offer(kind, event, version: version)
    }
  }

  /// Offers the current value of a stream with the times of now, for a subscriber that comes.
  func renew(_ kind: StreamKind, _ event: EventObject, version: UInt64) {
    state.withLock { $0.queue.renew(kind, event, version: version) }
  }

  /// Ends the client in order: cancels its requests, delivers their completions and releases its
  /// contexts. Waits for running callbacks.
  func detach() throws(WalletError) {
    let cancellations = state.update { state -> [Cancellation]? in
      guard state.phase == .attached else { return nil }
      state.phase = .detaching
      for request in state.requests.keys.sorted() {
        state.queue.append(
          EventObject(.completion(request: request, .failure(.clientIsGone))))
      }
      defer { state.requests = [:] }
      return Array(state.requests.values)
    }
    for cancellation in cancellations ?? [] { cancellation.cancel() }
    // If the client was abandoned meanwhile, its callbacks may not have returned.
    let endedInOrder = waitForEnd()
    if cancellations == nil || !endedInOrder { throw .clientIsGone }
  }

  /// Waits until the delivery thread has ended or was left behind.
  ///
  /// - Returns: False if it was left behind.
  private func waitForEnd() -> Bool {
    enum End {
      case ended
      case abandoned
      case joining(NamedThread)
    }
    let end = state.wait(clock: SystemBootClock()) { state -> End? in
      switch state.phase {
      case .detached: return .ended
      case .abandoned: return .abandoned
      case .attached, .detaching: break
      }
      guard let thread = state.thread else {
        state.phase = .detached
        return .ended
      }
      guard state.hasLeft else { return nil }
      state.thread = nil
      state.phase = .detached
      return .joining(thread)
    }
    // Wakes other waiters to check the phase: host code has ended.
    state.update { _ in }
    switch end {
    case .joining(let thread): thread.join()
    case .abandoned: return false
    case .ended, nil: break
    }
    return true
  }

  /// Ends the client immediately: never waits and never calls the host.
  func abandon() {
    let (cancellations, thread) = state.update { state -> ([Cancellation], NamedThread?) in
      guard state.phase == .attached || state.phase == .detaching else { return ([], nil) }
      let cancellations = Array(state.requests.values)
      state.abandon()
      if state.isInHost {
        state.isLeftBehind = true
        hostThreads.retire()
      }
      defer { state.thread = nil }
      return (cancellations, state.thread)
    }
    thread?.detach()
    for cancellation in cancellations { cancellation.cancel() }
  }
}
