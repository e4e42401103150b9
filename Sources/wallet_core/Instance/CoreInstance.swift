internal import Synchronization
internal import WalletModel
internal import WalletPlatform
internal import WalletRuntime
internal import WalletSystem

/// The phase of this process. It is in a static atomic, so that reading it costs one load and uses
/// no lazy global, which could hang in the child of a fork.
enum ProcessPhase: UInt8 {
  case untouched = 0
  case starting = 1
  case initialised = 2
  /// This is the child of a process that was starting or initialised. Its locks and threads belong
  /// to the parent.
  case forked = 3
}

private let phase = Atomic<UInt8>(ProcessPhase.untouched.rawValue)

/// The calls under way that use locks, also without a wallet. In the child of a fork such a lock
/// could be held by a thread that the child does not have.
private let callsWithLocks = Atomic<Int>(0)

/// Whether the handler that marks the child of a fork is registered. No lazy global, like `phase`;
/// threads that come at the same time register it twice, which is harmless.
private let isForkGuarded = Atomic<Bool>(false)

/// The only wallet of the process and the access to it.
enum CoreInstance {
  private struct State {
    var core: Core?
    var bridges = BridgeDispatcher()
    var isStarting = false
  }

  private static let state = Monitor(State())

  /// Registers the handler that marks the child of a fork: of a process that has a wallet or starts
  /// one, or of which a thread was inside a call that uses locks.
  private static func guardForks() throws(WalletError) {
    guard !isForkGuarded.load(ordering: .acquiring) else { return }
    let isRegistered = CurrentProcess.inForkedChild {
      let isFresh =
        phase.load(ordering: .acquiring) == ProcessPhase.untouched.rawValue
        && callsWithLocks.load(ordering: .acquiring) == 0
      guard !isFresh else { return }
      phase.store(ProcessPhase.forked.rawValue, ordering: .releasing)
      Wallet.releaseStorageInForkedChild()
    }
    guard isRegistered else {
      throw WalletError(.outOfResources, "The system did not accept a fork handler.")
    }
    isForkGuarded.store(true, ordering: .releasing)
  }

  /// Runs a call that uses locks and may come before init.
  private static func withLocks<Result>(
    _ body: () throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    try refuseFork()
    try guardForks()
    callsWithLocks.wrappingAdd(1, ordering: .sequentiallyConsistent)
    defer { callsWithLocks.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    return try body()
  }

  static var isInitialised: Bool {
    phase.load(ordering: .acquiring) == ProcessPhase.initialised.rawValue
  }

  /// Refuses the child of a fork before any lock is used.
  static func refuseFork() throws(WalletError) {
    guard phase.load(ordering: .acquiring) != ProcessPhase.forked.rawValue else {
      throw WalletError(
        .forked, "This process was forked after init; only the parent may use the library.")
    }
  }

  /// Returns the core once init has succeeded. Every call starts here, so what is due by time is
  /// done first: the wallet of a process that was suspended past a deadline is then locked.
  static func core() throws(WalletError) -> Core {
    try refuseFork()
    guard isInitialised, let core = state.withLock({ $0.core }) else {
      throw WalletError(.notInitialized, "Call wallet_core_init() first.")
    }
    core.wallet.settle()
    return core
  }

  /// Runs `body` with the bridges, also before init.
  static func withBridges<Result>(
    _ body: (BridgeDispatcher) throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    try withLocks { () throws(WalletError) in
      installReset()
      return try body(state.withLock { $0.bridges })
    }
  }

  /// Makes the host's bridges the current ones and notifies the wallet, if there is one.
  static func handOver(_ bridges: BridgeSet) throws(WalletError) {
    try withBridges {
      $0.replace(with: bridges)
      // Bridges of a wallet that starts at this moment are announced at the end of its start.
      if isInitialised { state.withLock { $0.core }?.wallet.platformIsReady() }
    }
  }

  /// Makes the host's HTTP stack the current one and notifies the wallet, if there is one.
  static func handOver(http: BridgeTable?) throws(WalletError) {
    try withBridges {
      $0.replaceHTTP(with: http)
      if isInitialised, http != nil { state.withLock { $0.core }?.wallet.transportIsReady() }
    }
  }

  /// Starts the wallet once. Concurrent callers wait for each other.
  static func start(_ readOptions: () throws(WalletError) -> StartOptions) throws(WalletError) {
    try withLocks { () throws(WalletError) in
      if HostThread.isCurrent { throw .reentrant }
      try startOnce(readOptions)
    }
  }

  private static func startOnce(
    _ readOptions: () throws(WalletError) -> StartOptions
  ) throws(WalletError) {
    let isOurs = state.wait(clock: SystemBootClock()) { state -> Bool? in
      if state.core != nil { return false }
      if state.isStarting { return nil }
      state.isStarting = true
      phase.store(ProcessPhase.starting.rawValue, ordering: .releasing)
      return true
    }
    guard isOurs == true else { return }
    installReset()
    let bridges = state.withLock { $0.bridges }
    let core: Core
    do throws(WalletError) {
      core = try Core(readOptions(), bridges: bridges)
    } catch {
      end(.untouched, nil)
      throw error
    }
    end(.initialised, core)
    // Not earlier: a bridge function may make calls, which would find no wallet.
    if bridges.areReady { core.wallet.platformIsReady() }
  }

  /// Ends a start. Phase and state change together, so that no thread sees one without the other.
  private static func end(_ result: ProcessPhase, _ core: Core?) {
    state.update { state in
      state.core = core
      state.isStarting = false
      phase.store(result.rawValue, ordering: .releasing)
    }
  }

  /// Lets tests reset the process's wallet and use its HTTP bridge. The released library contains no
  /// caller of either.
  private static func installReset() {
    SystemEnvironment.processReset.withLock { $0 = { reset() } }
    let bridges = state.withLock { $0.bridges }
    SystemEnvironment.httpBridge.withLock { $0 = bridges }
  }

  private static func reset() -> Bool {
    let (core, bridges) = state.update { state -> (Core?, BridgeDispatcher) in
      defer {
        state.core = nil
        state.bridges = BridgeDispatcher()
      }
      return (state.core, state.bridges)
    }
    if core != nil { phase.store(ProcessPhase.untouched.rawValue, ordering: .releasing) }
    if let core { return core.end(bridges: bridges) }
    bridges.close()
    return true
  }
}
