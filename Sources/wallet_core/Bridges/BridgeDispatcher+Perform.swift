internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

// The core's side of the bridges: requests and their answers.

extension BridgeDispatcher: PlatformBridges {
  /// How long to wait for the bridges, and for answers that need no user, in milliseconds.
  private static let replyTimeout: Milliseconds = 10_000

  var areReady: Bool { state.withLock { $0.bridges != nil } }

  var rules: PlatformRules { state.withLock { $0.bridges?.rules } ?? .android }

  func perform(
    _ request: BridgeRequest, cancellation: Cancellation
  ) throws(BridgeFailure) -> Secret {
    guard let arguments = try? BridgeArguments(request) else {
      throw .refused(.unavailable, message: "no guarded memory for the arguments")
    }
    let answer = try perform(
      arguments, on: request.mayPrompt ? promptQueue : queue,
      timeout: request.mayPrompt ? nil : Self.replyTimeout, cancellation)
    // Replies of the other kind are refused where they arrive.
    guard case .bytes(let bytes) = answer else { throw .missing }
    return bytes
  }

  private func perform(
    _ arguments: BridgeArguments, on queue: BridgeQueue, timeout: Milliseconds?,
    _ cancellation: Cancellation
  ) throws(BridgeFailure) -> BridgeAnswer {
    let wake: @Sendable () -> Void = { [state] in state.update { _ in } }
    let call = try cancellation.whileCancellable(onCancel: wake) { () throws(BridgeFailure) in
      try open(arguments, timeout: timeout, cancellation)
    }
    let clock = state.withLock { $0.clock }
    queue.add(
      .init(id: call.id) { [self] in
        // The time that the call waits for others in its queue does not count.
        call.enter(until: call.timeout.map { clock.now() &+ $0 })
        endUse(of: call.table)
      })
    let wakeCall: @Sendable () -> Void = { call.progress.update { _ in } }
    let answer = cancellation.whileCancellable(onCancel: wakeCall) {
      wait(for: call, on: queue, clock, cancellation)
    }
    return try answer.get()
  }

  /// Waits for the bridges and opens a call through them. For the HTTP bridge nothing waits.
  private func open(
    _ arguments: BridgeArguments, timeout: Milliseconds?, _ cancellation: Cancellation
  ) throws(BridgeFailure) -> BridgeCall {
    let clock = state.withLock { $0.clock }
    let opened = state.wait(until: clock.now() &+ Self.replyTimeout, clock: clock) {
      state -> Result<BridgeCall, BridgeFailure>? in
      if state.isClosed || cancellation.isCancelled { return .failure(.cancelled) }
      let current = state.bridges.map { $0.table(of: arguments.function) }
      if current == nil, arguments.http == nil { return nil }
      guard let table = (current ?? nil) ?? state.http else { return .failure(.missing) }
      let call = BridgeCall(table, arguments, timeout: timeout)
      guard call.isImplemented else { return .failure(.missing) }
      state.calls[call.id] = call
      // The call uses the table twice: until the call is over, and until its function has returned.
      state.uses[call.table.id, default: 0] += 2
      return .success(call)
    }
    guard let opened else { throw .notReady }
    return try opened.get()
  }

  /// Waits for the answer, the deadline or the cancellation. If a function is stuck on the queue's
  /// thread meanwhile, the thread is replaced. If the system starts no thread for the call, the
  /// call times out too.
  private func wait(
    for call: BridgeCall, on queue: BridgeQueue, _ clock: any BootClock,
    _ cancellation: Cancellation
  ) -> Result<BridgeAnswer, BridgeFailure> {
    let added = clock.now()
    while true {
      let deadline = call.progress.withLock { $0.deadline }
      let until = deadline ?? nextCheck(of: call, on: queue, clock)
      let end = call.progress.wait(until: until, clock: clock) {
        progress -> Result<BridgeAnswer, BridgeFailure>?? in
        if let answer = progress.answer { return answer }
        if cancellation.isCancelled { return .failure(.cancelled) }
        // If the function was entered meanwhile, its own deadline counts from now on.
        return progress.deadline == deadline ? nil : .some(nil)
      }
      switch end ?? nil {
      case .success(let answer): return .success(answer)
      case .failure(.cancelled): return giveUp(call, on: queue, .cancelled)
      case .failure(let failure): return .failure(failure)
      case nil:
        let now = clock.now()
        if let deadline, deadline <= now { return giveUp(call, on: queue, .timedOut) }
        if call.progress.withLock({ $0.wasStarted }) { continue }
        queue.replaceThreadIfStuck()
        if let since = queue.threadlessSince, max(since, added) &+ Self.replyTimeout <= now {
          return giveUp(call, on: queue, .timedOut)
        }
      }
    }
  }

  /// When to check again whether a call waits behind a stuck function; nil if the call was started.
  private func nextCheck(
    of call: BridgeCall, on queue: BridgeQueue, _ clock: any BootClock
  ) -> Milliseconds? {
    if call.progress.withLock({ $0.wasStarted }) { return nil }
    let now = clock.now()
    // Never at once: the system may be unable to start a new thread, and the caller would loop.
    return max(queue.timeLimitEnds ?? now, now &+ 20)
  }

  /// Ends a call that the host has not answered, unless the answer arrives at this moment.
  private func giveUp(
    _ call: BridgeCall, on queue: BridgeQueue, _ failure: BridgeFailure
  ) -> Result<BridgeAnswer, BridgeFailure> {
    guard close(call.id) != nil else {
      return call.progress.wait(clock: SystemBootClock()) { $0.answer } ?? .failure(failure)
    }
    call.end(with: .failure(failure))
    let (wasStarted, hasReturned) = call.progress.withLock { ($0.wasStarted, $0.hasReturned) }
    guard wasStarted else {
      // The function will not be entered any more, but an earlier one may be stuck on the queue.
      queue.replaceThreadIfStuck()
      endUse(of: call.table)
      return .failure(failure)
    }
    keepArguments(of: call)
    // A prompt or a request of HTTP may go on for long after nobody waits for it any more.
    if !hasReturned, failure == .timedOut || call.timeout == nil || call.isHTTP {
      queue.replaceThreadIfStuck(in: call.id)
    }
    guard let cancel = call.table.cancel else {
      endUse(of: call.table)
      return .failure(failure)
    }
    queue.add(
      .init(id: UniqueID.next()) { [self] in
        withExtendedLifetime(call) { cancel(call.id) }
        endUse(of: call.table)
      })
    return .failure(failure)
  }
}

extension BridgeDispatcher: HTTPBridge {
  /// How much longer than the call itself its reply may take, in milliseconds.
  private static let httpGrace: Milliseconds = 2_000

  var isPresent: Bool { state.withLock { $0.http != nil } }

  func send(
    _ call: HTTPCall, cancellation: Cancellation
  ) throws(BridgeFailure) -> HTTPReply {
    let answer = try perform(
      BridgeArguments(call), on: httpQueue,
      timeout: call.timeout.addingReportingOverflow(Self.httpGrace).partialValue, cancellation)
    guard case .http(let reply) = answer else { throw .missing }
    return reply
  }
}
