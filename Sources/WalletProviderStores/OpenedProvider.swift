public import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
public import WalletProviderServer

/// A provider's directory and its store, opened as the settings have it: a database where they name
/// one, else a file in the directory.
public struct OpenedProvider: Sendable {
  public let directory: DataDirectory
  public let store: any CountingProviderStore

  /// What it is opened for.
  public enum Use: Sendable {
    /// Many short requests at once.
    case server
    /// One task that may take its time.
    case command
  }

  /// Makes what is missing.
  ///
  /// - Parameters:
  ///   - use: a command leaves a configuration that is there as it is, whatever the settings.
  ///   - clock: what moves the time of the store, in tests.
  /// - Throws: `FileProblem`, `StoreFailure` or `SettingsError`.
  public init(
    _ settings: ServerSettings, for use: Use = .server, clock: any ProviderClock = SystemWallClock()
  ) async throws {
    let publish = use == .server
    guard let url = settings.database else {
      directory = try DataDirectory(
        path: settings.data, settings: settings.provider, publish: publish)
      store = try SQLiteProviderStore(path: directory.databasePath, clock: clock)
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
    self.store = store
  }

  /// Looks at the store that the settings name without changing it; nil where there is none yet.
  ///
  /// - Throws: `StoreFailure`.
  public static func inspect(_ settings: ServerSettings) throws -> StoreInspection? {
    guard let url = settings.database else {
      return try SQLiteProviderStore.inspect(path: DataDirectory.databasePath(in: settings.data))
    }
    return try PostgreSQLProviderStore.inspect(url)
  }
}
