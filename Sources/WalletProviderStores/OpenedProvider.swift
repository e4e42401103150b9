public import WalletAttempts
package import WalletEvaluator
public import WalletEvaluatorClient
public import WalletProtocol
public import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
public import WalletProviderServer

/// A provider's directory and store, opened as configured. The store is a PostgreSQL database if
/// the settings name one, otherwise a file in the directory.
public struct OpenedProvider: Sendable {
  public let directory: DataDirectory
  public let store: any CountingProviderStore
  /// The connection to an evaluator on another machine; nil if it is in this process.
  public let connection: EvaluatorConnection?
  /// Nil for a command that has not asked an evaluator on another machine yet.
  private let known: (any PinEvaluator & EvaluatorAdministration)?

  /// The purpose of opening a provider.
  public enum Use: Sendable {
    /// Many short concurrent requests.
    case server
    /// One task that may take long.
    case command
  }

  /// Opens the provider, and makes what is missing.
  ///
  /// - Parameters:
  ///   - use: a command leaves an existing configuration unchanged, whatever the settings.
  ///   - clock: moves the time of the store, in tests.
  ///   - policy: the source of the attempt policy; that of the settings if nil.
  /// - Throws: `FileProblem`, `StoreFailure`, `EvaluatorFailure` or `SettingsError`. Also if an
  ///   evaluator on another machine cannot be reached, unless a command does without it.
  public init(
    _ given: ServerSettings, for use: Use = .server, clock: any ProviderClock = SystemWallClock(),
    policy: (any AttemptPolicySource)? = nil
  ) async throws {
    let publish = use == .server
    var settings = given
    let connection = try settings.remoteEvaluator.map {
      // Half of the places are left for what does not need the evaluator.
      try EvaluatorConnection($0, mostWaiting: max(1, settings.limits.requestsInProgress / 2))
    }
    self.connection = connection
    if connection == nil { try DataDirectory.prepare(settings.data) }
    func local() throws -> Evaluator {
      try EvaluatorDirectory(path: EvaluatorDirectory.path(inData: given.data)).evaluator(
        policy: policy ?? given.provider.attemptPolicy, clock: clock,
        report: { [report = ServerLog.evaluatorReport(given)] in report($0.description) })
    }
    /// The evaluator in this process, or elsewhere if it is needed. Another one than that of the
    /// wallets is refused before it is made or its keys are published.
    func evaluator(
      isNeeded: Bool, _ open: (RowAuthentication) throws -> (any ProviderStore)?
    ) async throws -> (any PinEvaluator & EvaluatorAdministration)? {
      guard isNeeded else { return connection == nil ? try local() : nil }
      let remote: RemoteEvaluator? =
        if let connection { try await RemoteEvaluator(connection) } else { nil }
      guard let identity = try? DataDirectory.existingIdentity(given.data),
        let store = try open(identity.rowAuthentication())
      else { return try remote ?? local() }
      let id = try remote?.id ?? EvaluatorDirectory.existing(inData: given.data)?.id
      try await identity.checkEvaluator(id, of: store)
      let evaluator: any PinEvaluator & EvaluatorAdministration = try remote ?? local()
      // Of servers that start at the same moment, one names its own.
      if publish { try await identity.nameEvaluator(evaluator.id, in: store) }
      return evaluator
    }
    guard let url = settings.database else {
      let isPublished = try await DataDirectory.hasConfiguration(settings.data)
      if publish || !isPublished { settings.provider.trustAnchors = try given.readTrustAnchors() }
      var opened: SQLiteProviderStore?
      known = try await evaluator(isNeeded: publish || !isPublished) {
        let path = DataDirectory.databasePath(in: given.data)
        guard FileFacts(path) != nil else { return nil }
        opened = try SQLiteProviderStore(path: path, authentication: $0, clock: clock)
        return opened
      }
      settings.provider.evaluatorKeys = known?.grantKeys ?? []
      try DataDirectory.prepare(settings.data)
      directory = try DataDirectory(
        path: settings.data, settings: settings.provider, publish: publish)
      store =
        try opened
        ?? SQLiteProviderStore(
          path: directory.databasePath,
          authentication: try directory.identity.rowAuthentication(), clock: clock)
      return
    }
    var limits = DatabaseLimits()
    limits.connections = settings.databaseConnections
    if use == .command {
      (limits.connections, limits.transaction, limits.statement) = (1, 600_000, 300_000)
    }
    let store = try PostgreSQLProviderStore(url, limits: limits, clock: clock)
    let isPublished = try await DataDirectory.hasConfiguration(settings.data, in: store)
    if publish || !isPublished { settings.provider.trustAnchors = try given.readTrustAnchors() }
    known = try await evaluator(isNeeded: publish || !isPublished) {
      store.authenticated(by: $0)
    }
    settings.provider.evaluatorKeys = known?.grantKeys ?? []
    directory = try await DataDirectory(
      path: settings.data, settings: settings.provider, publish: publish, sharing: store)
    self.store = store.authenticated(by: try directory.identity.rowAuthentication())
  }

  /// The evaluator.
  ///
  /// - Throws: `StoreFailure` if it is on another machine and cannot be reached.
  public func evaluator() async throws -> any PinEvaluator & EvaluatorAdministration {
    if let known { return known }
    guard let connection else { throw StoreFailure("there is no evaluator") }
    return try await RemoteEvaluator(connection)
  }

  /// The administration of the evaluator. Nothing is asked before something is changed.
  public var evaluatorAdministration: (any EvaluatorAdministration)? { known ?? connection }

  /// Refuses to go on if the wallets have their other half at another evaluator. Must be called
  /// before a wallet's attempts or keys are changed here.
  ///
  /// - Throws: `StoreFailure`.
  public func checkEvaluator() async throws {
    try await directory.identity.checkEvaluator(try await evaluator().id, of: store)
  }

  /// Inspects the configured store without changing it; nil if there is none yet. Its rows are read
  /// if the data directory has the keys that verify them.
  ///
  /// - Throws: `StoreFailure`.
  public static func inspect(_ settings: ServerSettings) throws -> StoreInspection? {
    // If the keys cannot be read, the check of the directory reports it.
    let authentication = try? DataDirectory.existingIdentity(settings.data).rowAuthentication()
    guard let url = settings.database else {
      return try SQLiteProviderStore.inspect(
        path: DataDirectory.databasePath(in: settings.data), authentication: authentication)
    }
    return try PostgreSQLProviderStore.inspect(url, authentication: authentication)
  }
}

extension Evaluator: EvaluatorAdministration {
  package func delete(key: String) async throws { _ = try await answer(.delete(key: key)) }
}
