import GRDB
public import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteProviderStore {
  /// Looks at the database at `path` without changing it; nil where there is none.
  ///
  /// - Throws: `StoreFailure` for a file that is no such database.
  public static func inspect(path: String) throws -> StoreInspection? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(10)
      return try DatabaseQueue(path: path, configuration: configuration).read { database in
        let version = try String.fetchOne(database, sql: "SELECT sqlite_version()")
        let steps =
          try database.tableExists("grdb_migrations")
          ? Int.fetchOne(database, sql: "SELECT count(*) FROM grdb_migrations") : 0
        return StoreInspection(
          engine: "SQLite \(version ?? "")", schemaVersion: steps ?? 0,
          knownSchemaVersion: Schema.migrator.migrations.count)
      }
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "open \(path)") }
  }
}
