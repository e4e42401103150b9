internal import WalletModel
internal import WalletPlatform
internal import WalletRuntime

/// The attached clients. Receives the wallet's changes and passes them on.
final class ClientTable: Sendable, WalletObserver {
  static let limit = 64

  private struct State {
    var clients: [UInt64: Client] = [:]
    var isClosed = false
    /// Whether a client was abandoned and none has taken over since.
    var hasAbandoned = false
  }

  private let state = Monitor(State())
  private let hostThreads: HostThreads

  init(hostThreads: HostThreads) { self.hostThreads = hostThreads }

  /// Adds a client that receives every change from now on.
  ///
  /// - Returns: The client, the one of the same name that it replaces, and whether it takes the place
  ///   of one, also of one that was abandoned before.
  func attach(
    _ name: String, takeOver: Bool, isLocked: @escaping @Sendable () -> Bool,
    whenTaken: @escaping @Sendable (EventObject) -> Void
  ) throws(WalletError) -> (client: Client, predecessor: Client?, takesPlace: Bool) {
    let client = Client(
      name: name, hostThreads: hostThreads, isLocked: isLocked, whenTaken: whenTaken)
    return try state.withLock { state throws(WalletError) in
      guard !state.isClosed else {
        throw WalletError(.notInitialized, "The process was reset by a test.")
      }
      let predecessor = state.clients.values.first { $0.name == name }
      if let predecessor {
        guard takeOver else {
          throw WalletError(
            .busy,
            "A client of this name is attached; detach it first or pass WALLET_CORE_ATTACH_TAKE_OVER."
          )
        }
        state.clients.removeValue(forKey: predecessor.id)
      }
      guard state.clients.count < Self.limit else {
        throw WalletError(
          .busy, "\(Self.limit) clients are attached; detach those that are no longer used.")
      }
      state.clients[client.id] = client
      let takesPlace = predecessor != nil || takeOver && state.hasAbandoned
      if takesPlace { state.hasAbandoned = false }
      return (client, predecessor, takesPlace)
    }
  }

  /// Returns the client, which may be about to end.
  func find(_ id: UInt64) throws(WalletError) -> Client {
    guard let client = state.withLock({ $0.clients[id] }) else { throw .clientIsGone }
    return client
  }

  func remove(_ id: UInt64) -> Client? { state.withLock { $0.clients.removeValue(forKey: id) } }

  /// Removes a client that ends without an order.
  func removeAbandoned(_ id: UInt64) -> Client? {
    state.withLock { state in
      guard let client = state.clients.removeValue(forKey: id) else { return nil }
      state.hasAbandoned = true
      return client
    }
  }

  /// Empties the table permanently.
  func close() -> [Client] {
    state.withLock { state in
      state.isClosed = true
      defer { state.clients = [:] }
      return Array(state.clients.values)
    }
  }

  private func offer(_ kind: StreamKind, _ content: EventObject.Content, version: UInt64) {
    let event = EventObject(content)
    for client in state.withLock({ Array($0.clients.values) }) {
      client.offer(kind, event, version: version)
    }
  }

  func lockStateChanged(_ state: Versioned<LockState>) {
    offer(.lockState, .lockState(state.value), version: state.version)
  }

  func versionStateChanged(_ state: Versioned<VersionState>) {
    offer(.versionState, .versionState(state.value), version: state.version)
  }

  func stepShown(_ step: Versioned<Step>) {
    offer(.step, .step(step.value), version: step.version)
  }

  /// Each call is an event of its own, which is newer than those of all calls that have returned.
  func cardsChanged() { offer(.cards, .cardsChanged, version: UniqueID.next()) }

  func configurationChanged(_ configuration: Versioned<HostConfiguration>) {
    offer(
      .configuration, .configuration(configuration.value), version: configuration.version)
  }
}
