public import WalletAttempts
package import WalletEvaluator
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
  /// The evaluator inside this process.
  public let evaluator: any PinEvaluator & EvaluatorAdministration

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
  /// - Throws: `FileProblem`, `StoreFailure`, `EvaluatorFailure` or `SettingsError`.
  public init(
    _ given: ServerSettings, for use: Use = .server, clock: any ProviderClock = SystemWallClock(),
    policy: (any AttemptPolicySource)? = nil
  ) async throws {
    let publish = use == .server
    var settings = given
    try DataDirectory.prepare(settings.data)
    let evaluator = try EvaluatorDirectory(path: EvaluatorDirectory.path(inData: settings.data))
    settings.provider.evaluatorKeys = evaluator.keys.grantKeys
    self.evaluator = try evaluator.evaluator(
      policy: policy ?? settings.provider.attemptPolicy, clock: clock,
      report: { [report = ServerLog.evaluatorReport(given)] in report($0.description) })
    guard let url = settings.database else {
      directory = try DataDirectory(
        path: settings.data, settings: settings.provider, publish: publish)
      store = try SQLiteProviderStore(
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
    directory = try await DataDirectory(
      path: settings.data, settings: settings.provider, publish: publish, sharing: store)
    self.store = store.authenticated(by: try directory.identity.rowAuthentication())
  }

  /// Refuses to go on if the wallets have their other half at another evaluator. Must be called
  /// before a wallet's attempts or keys are changed here.
  ///
  /// - Throws: `StoreFailure`.
  public func checkEvaluator() async throws {
    try await directory.identity.checkEvaluator(evaluator.id, of: store)
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
