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
      // A reader that is alone leaves a log and its index behind, a writer takes them away again; one
      // that finds a log would write it into the database.
      configuration.readonly = FileManager.default.fileExists(atPath: path + "-wal")
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read { database in
        let version = try String.fetchOne(database, sql: "SELECT sqlite_version()")
        let steps =
          try database.tableExists("grdb_migrations")
          ? Int.fetchOne(database, sql: "SELECT count(*) FROM grdb_migrations") : 0
        let known = SQLiteSchema.migrator.migrations.count
        return StoreInspection(
          engine: "SQLite \(version ?? "")", schemaVersion: steps ?? 0, knownSchemaVersion: known,
          sealingKeys: steps == known
            ? try String.fetchAll(database, sql: StoredTable.sealingKeys) : [])
      }
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "open \(path)") }
  }
}
