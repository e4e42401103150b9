#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import GRDB
public import WalletEvaluator
import WalletSQLite

/// The rows of an evaluator in one SQLite file, and the record of them in a file of its own.
///
/// Uses a write-ahead log with synchronous=FULL, so that an attempt is on disk before its
/// evaluation is returned. Each transaction holds the lock of the record's file and begins
/// IMMEDIATE, so it excludes every other writer from its first read on. The record is on disk
/// before the commit: if the machine stops in between, the change is made again from the record.
/// Requests that wait for another one's commit are committed together, with one record.
public struct SQLiteEvaluatorStore: EvaluatorStore {
  let commits: SharedCommits<any EvaluatorTransaction>

  /// How many requests are committed together, so that the record, which names their changes, stays
  /// small.
  private static let mostTogether = 32

  /// Opens the database at `path`, which exists with its mode, makes its tables, and compares its
  /// rows with the record.
  ///
  /// - Parameters:
  ///   - machineTime: returns the current time in milliseconds since 1970.
  ///   - report: is called for each finding about the database.
  /// - Throws: `EvaluatorFailure`.
  public init(
    path: String, keys: EvaluatorKeys, file: any RowRecordFile,
    machineTime: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (EvaluatorFinding) -> Void
  ) throws {
    let pool = try EvaluatorFailure.translated(doing: "open \(path)") {
      var configuration = GRDB.Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
      // Of processes that start together on a new file only one can set up the log; SQLite refuses
      // the others at once, whatever the timeout.
      return try file.locked {
        let pool = try DatabasePool(path: path, configuration: configuration)
        // This must come after the pool is opened, because setting up the log sets synchronous to
        // NORMAL.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        try pool.write { try $0.execute(sql: Self.schema) }
        return pool
      }
    }
    let rows = RecordedRows(keys: keys, file: file, machineTime: machineTime)
    let findings = try EvaluatorFailure.translated(doing: "compare \(path) with its record") {
      try pool.writeWithoutTransaction { try rows.run([], in: $0, isFirst: true) }
    }
    findings.forEach(report)
    commits = SharedCommits(pool, most: Self.mostTogether) { database, transactions in
      try rows.run(transactions, in: database, isFirst: false).forEach(report)
    }
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
    try await EvaluatorFailure.translated(doing: "run a transaction") {
      try await commits.run(body)
    }
  }
}

/// The rows together with their record.
private struct RecordedRows: Sendable {
  let keys: EvaluatorKeys
  let file: any RowRecordFile
  let machineTime: @Sendable () -> Int64
  private let watch = RowWatch()

  init(
    keys: EvaluatorKeys, file: any RowRecordFile, machineTime: @escaping @Sendable () -> Int64
  ) {
    self.keys = keys
    self.file = file
    self.machineTime = machineTime
  }

  /// Commits the transactions together, with one record of all their changes, under the lock of the
  /// record's file.
  ///
  /// - Parameter isFirst: whether all rows are compared with the record.
  /// - Returns: What was found out about the rows.
  func run(
    _ transactions: [SharedTransaction<any EvaluatorTransaction>], in database: Database,
    isFirst: Bool
  ) throws -> [EvaluatorFinding] {
    try file.locked {
      var written: RowTracking?
      do {
        try database.inTransaction(.immediate) {
          let tracking = try RowTracking(
            keys: keys, watch: watch, content: try file.read(), isFirst: isFirst,
            version: { try database.version(of: $0) },
            redo: database.redo,
            rows: database.allVersions, lastRounds: file.readLastRounds)
          let rows = SQLiteEvaluatorTransaction(
            database: database, keys: keys, tracking: tracking)
          for transaction in transactions {
            let isKept = try transaction.run(in: database, isAlone: transactions.count == 1) {
              rows.begin(now: max(0, machineTime()))
              return rows
            }
            if !isKept { rows.undo() }
          }
          try rows.write(to: file)
          written = rows.tracking
          return .commit
        }
      } catch {
        written?.undo(in: file)
        throw error
      }
      guard let written else { throw EvaluatorFailure("nothing was committed") }
      written.committed(in: file)
      return written.findings
    }
  }
}

extension Database {
  /// The version of the row with this id; nil if there is none.
  func version(of id: String) throws -> Int64? {
    let row = try Row.fetchOne(
      cachedStatement(sql: "SELECT version FROM evaluated_wallet WHERE id = ?"), arguments: [id])
    return try row?.column("version")
  }

  /// Makes a change that was not committed.
  func redo(_ change: RowChange) throws {
    guard let row = change.row else { return try delete(change.id) }
    try write(row, condition: "TRUE", [])
  }

  func delete(_ id: String) throws {
    try cachedStatement(sql: "DELETE FROM evaluated_wallet WHERE id = ?").execute(arguments: [id])
  }

  /// Writes all columns of a row that exists and fulfils the condition.
  func write(_ row: SealedWallet, condition: String, _ values: StatementArguments) throws {
    let sql = """
      UPDATE evaluated_wallet SET key = ?, pending_key = ?, expires_at = ?, version = ?,
        content = ? WHERE id = ? AND \(condition)
      """
    try cachedStatement(sql: sql).execute(
      arguments: [
        row.key, row.pendingKey, row.expiresAt, row.version, Data(row.content), row.id,
      ] + values)
    guard changesCount == 1 else { throw EvaluatorFailure("a row is gone") }
  }

  func allVersions() throws -> [RowTracking.Row] {
    let rows = try Row.fetchCursor(self, sql: "SELECT id, version FROM evaluated_wallet")
    var versions: [RowTracking.Row] = []
    while let row = try rows.next() {
      versions.append((try row.column("id"), try row.column("version")))
    }
    return versions
  }
}

extension Row {
  /// The value of a column, whatever somebody has made of the table.
  ///
  /// - Throws: `EvaluatorFailure` if it is of another type.
  func column<Value: DatabaseValueConvertible>(_ name: String) throws -> Value {
    guard let stored: DatabaseValue = self[name], let value = Value.fromDatabaseValue(stored) else {
      throw EvaluatorFailure("a column of the database has another type")
    }
    return value
  }

  func optionalColumn<Value: DatabaseValueConvertible>(_ name: String) throws -> Value? {
    guard let stored: DatabaseValue = self[name], !stored.isNull else { return nil }
    return try column(name)
  }
}

extension EvaluatorFailure {
  /// Runs `body` and turns an error of SQLite or of a file into a failure. The message of SQLite is
  /// without the statement and its arguments.
  static func translated<Result>(
    doing action: String, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch { throw translation(of: error, doing: action) }
  }

  static func translated<Result: Sendable>(
    doing action: String, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw translation(of: error, doing: action) }
  }

  private static func translation(of error: any Error, doing action: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    // On a full disk SQLite may fail to extend the index of its log, and report only an I/O error.
    let hint = error.resultCode == .SQLITE_IOERR ? "; is the disk full?" : ""
    return EvaluatorFailure(
      "SQLite could not \(action): \(error.message ?? "unknown error")"
        + " (\(error.extendedResultCode.rawValue))\(hint)")
  }
}
