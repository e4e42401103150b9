internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

/// The host's bridges: the current ones, the open calls, and when a context may be released.
///
/// Exists before init, because the host may pass bridges first. Threads start only after init.
final class BridgeDispatcher: Sendable {
  /// The number of unanswered calls whose arguments are kept.
  private static let unansweredLimit = 64

  struct State {
    var bridges: BridgeSet?
    /// The host's HTTP stack, which it passes apart from the others.
    var http: BridgeTable?
    /// Calls that wait for an answer.
    var calls: [UInt64: BridgeCall] = [:]
    /// Arguments of the latest calls that ended without an answer. The header lets the host read
    /// them until it answers, so they are kept until a late answer. Their secrets are wiped
    /// already.
    var unanswered: [(call: UInt64, arguments: BridgeArguments)] = []
    /// The use count of each table: one for the current table, one for each open call and one for
    /// each function that has not returned.
    var uses: [UInt64: Int] = [:]
    var clock: any BootClock = SystemBootClock()
    var isClosed = false
  }

  let state = Monitor(State())
  /// The queue for calls that may prompt the user.
  let promptQueue = BridgeQueue("wallet_core.pr")
  /// The queue for calls of the HTTP bridge, which last longer than others.
  let httpQueue = BridgeQueue("wallet_core.ht")
  /// The queue for all other calls and for releasing contexts.
  let queue = BridgeQueue("wallet_core.br")

  /// Makes `bridges` the current ones. Never waits.
  func replace(with bridges: BridgeSet) {
    let old = state.update { state -> BridgeSet? in
      for table in bridges.all { state.uses[table.id] = 1 }
      defer { state.bridges = bridges }
      return state.bridges
    }
    for table in old?.all ?? [] { endUse(of: table) }
  }

  /// Makes `http` the current HTTP stack; nil takes it away. Never waits.
  func replaceHTTP(with http: BridgeTable?) {
    let old = state.update { state -> BridgeTable? in
      if let http { state.uses[http.id] = 1 }
      defer { state.http = http }
      return state.http
    }
    if let old { endUse(of: old) }
  }

  /// Sets the clock. Called before the first request.
  func use(_ clock: any BootClock) { state.withLock { $0.clock = clock } }

  /// Allows the queues to start threads.
  func start(hostThreads: HostThreads) {
    let clock = state.withLock { $0.clock }
    queue.start(hostThreads: hostThreads, clock: clock)
    promptQueue.start(hostThreads: hostThreads, clock: clock)
    httpQueue.start(hostThreads: hostThreads, clock: clock)
  }

  /// Disconnects the host: no context is released and no function is called again.
  func close() {
    let calls = state.update { state in
      state.isClosed = true
      state.bridges = nil
      state.http = nil
      defer { state.calls = [:] }
      return state.calls
    }
    queue.close()
    promptQueue.close()
    httpQueue.close()
    for call in calls.values { call.end(with: .failure(.cancelled)) }
  }

  /// Ends one use of a table. After the last one its context is released on a queue.
  func endUse(of table: BridgeTable) {
    let isLast = state.withLock { state in
      let uses = (state.uses[table.id] ?? 0) - 1
      state.uses[table.id] = uses > 0 ? uses : nil
      return uses == 0
    }
    guard isLast, table.context.destroy != nil else { return }
    queue.add(.init(id: UniqueID.next()) { table.context.release() })
  }

  /// Whether an open call is one of the HTTP bridge; nil if the call is not open.
  func isHTTP(_ id: UInt64) -> Bool? { state.withLock { $0.calls[id]?.isHTTP } }

  /// Answers a call. Returns false if it has ended already.
  func reply(_ id: UInt64, _ answer: Result<BridgeAnswer, BridgeFailure>) -> Bool {
    guard let call = close(id) else {
      state.withLock { state in state.unanswered.removeAll { $0.call == id } }
      return false
    }
    call.end(with: answer)
    endUse(of: call.table)
    return true
  }

  /// Removes and returns an open call. The caller that gets it decides how it ended.
  func close(_ id: UInt64) -> BridgeCall? {
    state.withLock { $0.calls.removeValue(forKey: id) }
  }

  /// Keeps the arguments of a call that the host has not answered.
  func keepArguments(of call: BridgeCall) {
    state.withLock { state in
      state.unanswered.append((call.id, call.arguments))
      if state.unanswered.count > Self.unansweredLimit { state.unanswered.removeFirst() }
    }
  }
}
