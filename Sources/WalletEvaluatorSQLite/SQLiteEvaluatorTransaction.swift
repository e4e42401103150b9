#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import GRDB
import WalletEvaluator

/// The rows within the transactions of `SQLiteEvaluatorStore` that are committed together. A class,
/// because it notes the changes that they make.
final class SQLiteEvaluatorTransaction: EvaluatorTransaction {
  let database: Database
  let keys: EvaluatorKeys
  private(set) var now: Int64 = 0
  private(set) var tracking: RowTracking
  /// What was noted before the current transaction.
  private var before: RowTracking

  /// How many expired rows a transaction deletes, so that the record stays small.
  private static let mostExpired = 50

  init(database: Database, keys: EvaluatorKeys, tracking: RowTracking) {
    self.database = database
    self.keys = keys
    self.tracking = tracking
    before = tracking
  }

  /// Begins the next transaction.
  func begin(now: Int64) {
    self.now = now
    before = tracking
  }

  /// Forgets what the current transaction has noted; the caller undoes its changes.
  func undo() { tracking = before }

  var generation: String { tracking.generation }

  func write(to file: any RowRecordFile) throws { try tracking.write(to: file) }

  func wallet(key: String) throws -> EvaluatedWallet? {
    let found = try rows("key = ? OR pending_key = ?", [key, key])
    guard let sealed = found.first else { return nil }
    guard found.count == 1 else { throw EvaluatorFailure("a PIN key has several rows") }
    var wallet = try sealed.opened(by: keys)
    guard wallet.current.id == key || wallet.pending?.id == key else {
      throw EvaluatorFailure("a row is not the one that was looked up")
    }
    if !tracking.isNewest((sealed.id, sealed.version)) { wallet.generation = "" }
    if wallet.generation != generation { tracking.tighten(&wallet) }
    return wallet
  }

  func wallet(openedBy request: [UInt8]) throws -> EvaluatedWallet? {
    try rows("opened_by = ?", [Data(request)]).first?.opened(by: keys)
  }

  func insert(_ wallet: EvaluatedWallet, openedBy request: [UInt8]) throws {
    let row = try SealedWallet(wallet, keys: keys)
    let sql = """
      INSERT INTO evaluated_wallet(key, pending_key, opened_by, expires_at, version, content, id)
        VALUES (?, ?, ?, ?, ?, ?, ?)
      """
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        row.key, row.pendingKey, Data(request), row.expiresAt, row.version, Data(row.content),
        row.id,
      ])
    tracking.insert((row.id, row.version))
  }

  func update(_ wallet: EvaluatedWallet) throws {
    var next = wallet
    next.version = tracking.update((wallet.id, wallet.version))
    let row = try SealedWallet(next, keys: keys)
    tracking.keep(row)
    try database.write(row, condition: "version = ?", [wallet.version])
  }

  func keepCount(of wallet: EvaluatedWallet, isInLastRound: Bool) {
    tracking.keepCount(of: wallet, isInLastRound: isInLastRound)
  }

  func delete(id: String) throws {
    guard let version = try database.version(of: id) else { return }
    try delete((id, version), isUseless: false)
  }

  func deleteExpired(by time: Int64) throws {
    for sealed in try rows("expires_at <= ? LIMIT \(Self.mostExpired)", [time]) {
      // The time in the row itself, because anybody may have written the column; and only of a row
      // that is trusted to be the newest, because an older one may have had a time.
      var isUseless = false
      if let wallet = try? sealed.opened(by: keys), let expiry = wallet.expiresAt {
        isUseless = expiry <= time && wallet.generation == generation
      }
      try delete((sealed.id, sealed.version), isUseless: isUseless)
    }
  }

  private func delete(_ row: RowTracking.Row, isUseless: Bool) throws {
    tracking.delete(row, isUseless: isUseless)
    try database.delete(row.id)
  }

  private func rows(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [SealedWallet] {
    let sql = """
      SELECT id, key, pending_key, expires_at, version, content FROM evaluated_wallet
        WHERE \(condition)
      """
    return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
      let content: Data = try row.column("content")
      return SealedWallet(
        id: try row.column("id"), key: try row.column("key"),
        pendingKey: try row.optionalColumn("pending_key"),
        expiresAt: try row.optionalColumn("expires_at"), version: try row.column("version"),
        content: Array(content))
    }
  }
}
