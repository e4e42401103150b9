import GRDB
public import WalletProvider
import WalletSQLite

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
      let queue = try DatabaseQueue(path: path, configuration: .inspection(of: path))
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
