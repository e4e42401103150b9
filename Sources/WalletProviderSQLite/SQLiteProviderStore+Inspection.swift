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
  /// - Parameter authentication: the keys that verify the rows; nil to leave the rows unread.
  /// - Throws: `StoreFailure` if the file is not such a database.
  public static func inspect(
    path: String, authentication: RowAuthentication?
  ) throws -> StoreInspection? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      var configuration = GRDB.Configuration()
      // If there is a write-ahead log, a writable connection would copy it into the database. If
      // there is none, a read-only connection would create a log and its index and leave them
      // behind; a writable one removes them again.
      configuration.readonly = FileManager.default.fileExists(atPath: path + "-wal")
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read { database in
        let version = try String.fetchOne(database, sql: "SELECT sqlite_version()")
        let made = SQLiteSchema.version(try SQLiteSchema.migrator.appliedIdentifiers(database))
        var inspection = StoreInspection(
          engine: "SQLite \(version ?? "")", schemaVersion: made,
          knownSchemaVersion: SQLiteSchema.version,
          isTooOld: SQLiteSchema.isTooOld(made))
        guard made == SQLiteSchema.version else { return inspection }
        inspection.sealingKeys = try String.fetchAll(database, sql: StoredTable.allUsedKeys)
        if let authentication {
          let rows = SQLiteTransaction(
            database: database, now: 0, authentication: authentication)
          inspection.rows = try RowSearch(rows)
          try inspection.readEvaluator(rows)
        }
        return inspection
      }
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "open \(path)") }
  }
}
