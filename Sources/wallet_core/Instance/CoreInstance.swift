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

/// The only wallet of the process and the access to it.
enum CoreInstance {
  private struct State {
    var core: Core?
    var bridges = BridgeDispatcher()
    var isStarting = false
  }

  private static let state = Monitor(State())

  /// Registers a handler that marks the child of a fork. Registered once, at the first init.
  private static let forkGuard: Bool =
    CurrentProcess.inForkedChild {
      guard phase.load(ordering: .acquiring) != ProcessPhase.untouched.rawValue else { return }
      phase.store(ProcessPhase.forked.rawValue, ordering: .releasing)
      Wallet.releaseStorageInForkedChild()
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

  /// Returns the bridges, also before init.
  static func bridges() throws(WalletError) -> BridgeDispatcher {
    try refuseFork()
    installReset()
    return state.withLock { $0.bridges }
  }

  /// Makes the host's bridges the current ones and notifies the wallet, if there is one.
  static func handOver(_ bridges: BridgeSet) throws(WalletError) {
    try self.bridges().replace(with: bridges)
    // Bridges of a wallet that starts at this moment are announced at the end of its start.
    if isInitialised { state.withLock { $0.core }?.wallet.platformIsReady() }
  }

  /// Starts the wallet once. Concurrent callers wait for each other.
  static func start(_ readOptions: () throws(WalletError) -> StartOptions) throws(WalletError) {
    try refuseFork()
    if HostThread.isCurrent { throw .reentrant }
    guard forkGuard else {
      throw WalletError(.outOfResources, "The system did not accept a fork handler.")
    }
    // Before the first lock, so that the child of a fork from here on is known as such.
    _ = phase.compareExchange(
      expected: ProcessPhase.untouched.rawValue, desired: ProcessPhase.starting.rawValue,
      ordering: .acquiringAndReleasing)
    let isOurs = state.wait(clock: SystemBootClock()) { state -> Bool? in
      if state.core != nil { return false }
      if state.isStarting { return nil }
      phase.store(ProcessPhase.starting.rawValue, ordering: .releasing)
      state.isStarting = true
      return true
    }
    guard isOurs == true else { return }
    defer { state.update { $0.isStarting = false } }
    installReset()
    do throws(WalletError) {
      let options = try readOptions()
      let bridges = state.withLock { $0.bridges }
      let core = try Core(options, bridges: bridges)
      state.withLock { $0.core = core }
      phase.store(ProcessPhase.initialised.rawValue, ordering: .releasing)
      // Not earlier: a bridge function may make calls, which would find no wallet.
      if bridges.areReady { core.wallet.platformIsReady() }
    } catch {
      phase.store(ProcessPhase.untouched.rawValue, ordering: .releasing)
      throw error
    }
  }

  /// Lets tests reset the process's wallet. The released library contains no caller of it.
  private static func installReset() {
    SystemEnvironment.processReset.withLock { $0 = { reset() } }
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
