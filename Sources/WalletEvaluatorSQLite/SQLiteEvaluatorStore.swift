#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import GRDB
public import WalletEvaluator

/// The rows of an evaluator in one SQLite file.
///
/// Uses a write-ahead log with synchronous=FULL, so that an attempt is on disk before its
/// evaluation is returned. Each transaction begins IMMEDIATE, so it excludes every other writer from
/// its first read on.
public struct SQLiteEvaluatorStore: EvaluatorStore {
  private let pool: DatabasePool
  private let keys: EvaluatorKeys
  private let machineTime: @Sendable () -> Int64

  /// Opens the database at `path`, which exists with its mode, and makes its tables.
  ///
  /// - Parameter machineTime: returns the current time in milliseconds since 1970.
  /// - Throws: `EvaluatorFailure`.
  public init(
    path: String, keys: EvaluatorKeys, machineTime: @escaping @Sendable () -> Int64
  ) throws {
    self.keys = keys
    self.machineTime = machineTime
    do {
      var configuration = GRDB.Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
      pool = try DatabasePool(path: path, configuration: configuration)
      // This must come after the pool is opened, because setting up the log sets synchronous to
      // NORMAL.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      try pool.write { try $0.execute(sql: Self.schema) }
    } catch let error as DatabaseError { throw EvaluatorFailure(error, doing: "open \(path)") }
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS evaluated_wallet(
      key TEXT NOT NULL UNIQUE, pending_key TEXT UNIQUE, opened_by BLOB UNIQUE, expires_at INTEGER,
      version INTEGER NOT NULL, content BLOB NOT NULL, id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS evaluated_wallet_expiry ON evaluated_wallet(expires_at)
      WHERE expires_at IS NOT NULL;
    """

  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any EvaluatorTransaction) throws -> Result
  ) async throws -> Result {
    do {
      return try await pool.write { [keys, machineTime] database in
        try body(
          SQLiteEvaluatorTransaction(database: database, keys: keys, now: max(0, machineTime())))
      }
    } catch let error as DatabaseError {
      throw EvaluatorFailure(error, doing: "run a transaction")
    }
  }
}

struct SQLiteEvaluatorTransaction: EvaluatorTransaction {
  let database: Database
  let keys: EvaluatorKeys
  let now: Int64

  func wallet(key: String) throws -> EvaluatedWallet? {
    let wallet = try found("key = ? OR pending_key = ?", [key, key])
    guard let wallet else { return nil }
    guard wallet.current.id == key || wallet.pending?.id == key else {
      throw EvaluatorFailure("a row is not the one that was looked up")
    }
    return wallet
  }

  func wallet(openedBy request: [UInt8]) throws -> EvaluatedWallet? {
    try found("opened_by = ?", [Data(request)])
  }

  func insert(_ wallet: EvaluatedWallet, openedBy request: [UInt8]) throws {
    let row = try SealedWallet(wallet, keys: keys)
    try database.execute(
      sql: """
        INSERT INTO evaluated_wallet(key, pending_key, opened_by, expires_at, version, content, id)
          VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        row.key, row.pendingKey, Data(request), row.expiresAt, row.version, Data(row.content),
        row.id,
      ])
  }

  func update(_ wallet: EvaluatedWallet) throws {
    var next = wallet
    next.version += 1
    let row = try SealedWallet(next, keys: keys)
    try database.execute(
      sql: """
        UPDATE evaluated_wallet SET key = ?, pending_key = ?, expires_at = ?, version = ?,
          content = ? WHERE id = ? AND version = ?
        """,
      arguments: [
        row.key, row.pendingKey, row.expiresAt, row.version, Data(row.content), row.id,
        wallet.version,
      ])
    guard database.changesCount == 1 else { throw EvaluatorFailure("a row is gone") }
  }

  func delete(id: String) throws {
    try database.execute(sql: "DELETE FROM evaluated_wallet WHERE id = ?", arguments: [id])
  }

  func deleteExpired(by time: Int64) throws {
    try database.execute(
      sql: "DELETE FROM evaluated_wallet WHERE expires_at <= ?", arguments: [time])
  }

  private func found(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> EvaluatedWallet? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT id, key, pending_key, expires_at, version, content FROM evaluated_wallet
          WHERE \(condition)
        """, arguments: arguments)
    guard let row else { return nil }
    let content: Data = row["content"]
    return try SealedWallet(
      id: row["id"], key: row["key"], pendingKey: row["pending_key"], expiresAt: row["expires_at"],
      version: row["version"], content: Array(content)
    ).opened(by: keys)
  }
}

extension EvaluatorFailure {
  /// The message of SQLite, without the statement and its arguments.
  init(_ error: DatabaseError, doing action: String) {
    self.init(
      "SQLite could not \(action): \(error.message ?? "unknown error")"
        + " (\(error.extendedResultCode.rawValue))")
  }
}
