public import WalletProvider
import WalletProviderPostgreSQL
import WalletProviderSQLite
public import WalletProviderServer

/// A provider's directory and its store, opened as the settings have it: a database where they name
/// one, else a file in the directory.
public struct OpenedProvider: Sendable {
  public let directory: DataDirectory
  public let store: any CountingProviderStore

  /// Makes what is missing.
  ///
  /// - Parameters:
  ///   - publish: false leaves a configuration that is there as it is, whatever the settings.
  ///   - clock: what moves the time of the store, in tests.
  /// - Throws: `FileProblem`, `StoreFailure` or `SettingsError`.
  public init(
    _ settings: ServerSettings, publish: Bool = true, clock: any ProviderClock = SystemClock()
  ) async throws {
    guard let url = settings.database else {
      directory = try DataDirectory(
        path: settings.data, settings: settings.provider, publish: publish)
      store = try SQLiteProviderStore(path: directory.databasePath, clock: clock)
      return
    }
    var limits = DatabaseLimits()
    limits.connections = settings.databaseConnections
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
