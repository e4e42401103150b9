internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletRuntime

/// Everything that exists after a successful init: the wallet, its clients and its host threads.
final class Core: Sendable {
  let wallet: Wallet
  private let clients: ClientTable
  private let hostThreads: HostThreads
  private let log: LogThread?

  /// Starts the wallet; leaves nothing behind on failure.
  init(_ options: StartOptions, bridges: BridgeDispatcher) throws(WalletError) {
    let hostThreads = HostThreads(hooks: options.hooks)
    let log = options.log.map { LogThread(target: $0) }
    guard HostThread.isUsable, log?.start(hostThreads: hostThreads) != false else {
      throw WalletError(.outOfResources, "The system could not start a thread.")
    }
    let clients = ClientTable(hostThreads: hostThreads)
    let environment = SystemEnvironment.current
    bridges.use(environment.clock)
    do throws(WalletError) {
      wallet = try Wallet(
        settings: options.settings, platform: bridges, http: bridges,
        environment: environment,
        log: log?.log ?? .silent,
        observer: clients)
    } catch {
      log?.end()
      throw error
    }
    self.clients = clients
    self.hostThreads = hostThreads
    self.log = log
    bridges.start(hostThreads: hostThreads)
  }

  /// Attaches a client with the current value of every stream.
  func attach(_ name: String, takeOver: Bool) throws(WalletError) -> UInt64 {
    // The client receives changes from here on. A value below that is older than such a change is
    // ignored.
    let (client, predecessor, takesPlace) = try clients.attach(
      name, takeOver: takeOver, isLocked: { [wallet] in wallet.isLocked },
      whenTaken: { [wallet] event in
        if let failures = event.pinAnswer?.failures { wallet.noteTold(failures) }
        if let step = event.step { wallet.noteTold(by: step) }
      })
    predecessor?.abandon()
    let configuration = wallet.configuration
    client.offer(
      .configuration, EventObject(.configuration(configuration.value)),
      version: configuration.version)
    // The user of the new engine may not be the one who unlocked the wallet in the old engine.
    if takesPlace { wallet.takeOver() }
    let lockState = wallet.lockState
    client.offer(
      .lockState, EventObject(.lockState(lockState.value)), version: lockState.version)
    let versionState = wallet.versionState
    client.offer(
      .versionState, EventObject(.versionState(versionState.value)), version: versionState.version)
    if let step = wallet.step {
      client.offer(.step, EventObject(.step(step.value)), version: step.version)
    }
    return client.id
  }

  func client(_ id: UInt64) throws(WalletError) -> Client { try clients.find(id) }

  /// Brings the times in the current value of a stream up to now, before it is replayed: how long it is
  /// until a lock or a block.
  func renew(_ stream: StreamKind, of client: Client) {
    switch stream {
    case .lockState:
      let state = wallet.lockState
      client.renew(.lockState, EventObject(.lockState(state.value)), version: state.version)
    case .versionState:
      let state = wallet.versionState
      client.renew(.versionState, EventObject(.versionState(state.value)), version: state.version)
    case .configuration, .step, .cards: break
    }
  }

  /// Detaches a client in order. Its name can be used again afterwards.
  func detach(_ id: UInt64) throws(WalletError) {
    let client = try clients.find(id)
    defer { _ = clients.remove(id) }
    try client.detach()
  }

  func abandon(_ id: UInt64) { clients.removeAbandoned(id)?.abandon() }

  /// Starts a request for a client.
  ///
  /// - Parameter number: Receives the request before it can complete; 0 on failure.
  func start(
    _ request: WalletRequest, for client: UInt64, number: UnsafeMutablePointer<UInt64>?
  ) throws(WalletError) {
    try begin(for: client, number) { (cancellation, completion) throws(WalletError) in
      try wallet.start(request, cancellation: cancellation, completion: completion)
    }
  }

  /// Starts a refresh of policy and configuration for a client, as a request.
  func refresh(
    for client: UInt64, number: UnsafeMutablePointer<UInt64>?
  ) throws(WalletError) {
    try begin(for: client, number) { cancellation, completion in
      wallet.refresh(cancellation: cancellation, completion: completion)
    }
  }

  private func begin(
    for client: UInt64, _ number: UnsafeMutablePointer<UInt64>?,
    _ start: (Cancellation, @escaping @Sendable (WalletOutcome) -> Void) throws(WalletError) -> Void
  ) throws(WalletError) {
    let client = try clients.find(client)
    let opened = try client.open()
    number?.pointee = opened.request
    do throws(WalletError) {
      try start(opened.cancellation) { client.complete(opened.request, $0) }
    } catch {
      number?.pointee = 0
      client.discard(opened.request)
      throw error
    }
  }

  /// Ends everything, for tests.
  ///
  /// - Returns: Whether all threads that run host code have ended.
  func end(bridges: BridgeDispatcher) -> Bool {
    for client in clients.close() { client.abandon() }
    bridges.close()
    wallet.shutDown()
    log?.end()
    return hostThreads.areGone(by: SystemBootClock().now() + 1_000)
  }
}
