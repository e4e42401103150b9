internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

/// The host's bridges: who they are, which calls are open, and when a context may be released.
///
/// Lives from before init, because bridges may come first; threads start only after it.
final class BridgeDispatcher: Sendable {
  /// The arguments of so many calls are kept that ended without an answer.
  private static let leftoverLimit = 64

  struct State {
    var bridges: BridgeSet?
    /// Calls that wait for their answer.
    var calls: [UInt64: BridgeCall] = [:]
    /// Arguments of calls that ended without an answer: the header lets the host read them until it
    /// answers, so they are kept, the latest of them, for a late answer to free. Secrets are wiped by then.
    var leftovers: [(call: UInt64, arguments: BridgeArguments)] = []
    /// How often each table is in use: by being the current one, by an open call, by a function
    /// that has not returned.
    var uses: [UInt64: Int] = [:]
    var clock: any BootClock = SystemBootClock()
    var isClosed = false
  }

  let state = Monitor(State())
  /// For calls that may prompt the user.
  let promptQueue = BridgeQueue("wallet_core.pr")
  /// For all others, and for releasing contexts.
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

  /// Counts time by `clock` from now on; before anyone asks for anything.
  func use(_ clock: any BootClock) { state.withLock { $0.clock = clock } }

  /// Allows threads.
  func start(hostThreads: HostThreads) {
    let clock = state.withLock { $0.clock }
    queue.start(hostThreads: hostThreads, clock: clock)
    promptQueue.start(hostThreads: hostThreads, clock: clock)
  }

  /// Forgets the host: no context is released, no function called again.
  func close() {
    let calls = state.update { state in
      state.isClosed = true
      state.bridges = nil
      defer { state.calls = [:] }
      return state.calls
    }
    queue.close()
    promptQueue.close()
    for call in calls.values { call.end(with: .failure(.cancelled)) }
  }

  /// Ends one use of a table; after the last one its context is released on a queue.
  func endUse(of table: BridgeTable) {
    let isLast = state.withLock { state in
      let uses = (state.uses[table.id] ?? 0) - 1
      state.uses[table.id] = uses > 0 ? uses : nil
      return uses == 0
    }
    guard isLast, table.context.destroy != nil else { return }
    queue.add(.init(id: UniqueID.next()) { table.context.release() })
  }

  /// Whether a call waits for its answer.
  func isOpen(_ id: UInt64) -> Bool { state.withLock { $0.calls[id] != nil } }

  /// Answers a call; false if it is over already.
  func reply(_ id: UInt64, _ answer: Result<Secret, BridgeFailure>) -> Bool {
    guard let call = close(id) else {
      state.withLock { state in state.leftovers.removeAll { $0.call == id } }
      return false
    }
    call.end(with: answer)
    endUse(of: call.table)
    return true
  }

  /// Takes an open call out; whoever gets it decides how it ended.
  func close(_ id: UInt64) -> BridgeCall? {
    state.withLock { $0.calls.removeValue(forKey: id) }
  }

  /// Keeps the arguments of a call that the host was asked and did not answer.
  func keepArguments(of call: BridgeCall) {
    state.withLock { state in
      state.leftovers.append((call.id, call.arguments))
      if state.leftovers.count > Self.leftoverLimit { state.leftovers.removeFirst() }
    }
  }
}
