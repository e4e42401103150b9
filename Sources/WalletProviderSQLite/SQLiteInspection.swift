import GRDB
public import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SQLiteProviderStore {
  /// Inspects the database at `path` without changing it; nil if there is none.
  ///
  /// - Throws: `StoreFailure` if the file is not such a database.
  public static func inspect(path: String) throws -> StoreInspection? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      var configuration = GRDB.Configuration()
      // If there is no log, a read-only connection would leave a log and its index behind, while a
      // writable one removes them again. If there is a log, a writable connection would write it
      // into the database.
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
