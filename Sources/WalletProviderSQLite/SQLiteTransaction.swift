import GRDB
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Access to rows within one transaction.
struct SQLiteTransaction: ProviderTransaction {
  let database: Database
  let now: Int64

  func wallet(id: String) throws -> StoredWallet? { try first(where: "id = ?", [id]) }

  func wallet(hardwareKeyHash: [UInt8]) throws -> StoredWallet? {
    try first(where: "hardware_key_hash = ?", [blob(hardwareKeyHash)])
  }

  func insert(_ row: some StoredRow) throws {
    try run(statements[type(of: row).table].insert, row.arguments())
  }

  func update(_ row: some StoredRow) throws {
    try run(statements[type(of: row).table].update, row.arguments())
    guard database.changesCount == 1 else { throw StoreFailure("a row to change is gone") }
  }

  func deleteWallet(id: String) throws {
    try run("DELETE FROM challenge WHERE wallet = ?", [id])
    try run("DELETE FROM wallet WHERE id = ?", [id])
  }

  func deleteUnconfirmedWallets(registeredBy time: Int64) throws {
    try run(
      """
      DELETE FROM challenge WHERE wallet IN
        (SELECT id FROM wallet WHERE confirmed = 0 AND registered_at <= ?)
      """, [time])
    try run("DELETE FROM wallet WHERE confirmed = 0 AND registered_at <= ?", [time])
  }

  func challenge(_ challenge: [UInt8]) throws -> StoredChallenge? {
    try first(where: "challenge = ?", [blob(challenge)])
  }

  func deleteChallenges(expiredBy time: Int64) throws {
    try run("DELETE FROM challenge WHERE expires_at <= ?", [time])
  }

  func hasEndedRows(by time: Int64) throws -> Bool {
    try first(
      """
      SELECT EXISTS (SELECT 1 FROM challenge WHERE expires_at <= ?1)
        OR EXISTS (SELECT 1 FROM proofing_session WHERE expires_at <= ?1)
        OR EXISTS (SELECT 1 FROM enrolment_page p WHERE \(Self.isEndedPage)) AS found
      """, [time]
    ) { try $0.flag("found") } ?? false
  }

  func keepLatestChallenges(_ count: Int, ofWallet id: String) throws {
    try run(
      """
      DELETE FROM challenge WHERE wallet = ? AND number <=
        (SELECT number FROM challenge WHERE wallet = ? ORDER BY number DESC LIMIT 1 OFFSET ?)
      """, [id, id, count])
  }

  // MARK: Statements

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The first row as converted by `read`; nil if there is none.
  func first<Value>(
    _ sql: String, _ arguments: StatementArguments, read: @escaping (SQLiteRow) throws -> Value
  ) throws -> Value? {
    try cursor(sql, arguments).map { try read(SQLiteRow(row: $0)) }.next()
  }

  /// The first row of its table that matches the condition.
  func first<Stored: StoredRow>(
    where condition: String, _ arguments: StatementArguments
  ) throws -> Stored? {
    let select = statements[Stored.table].select
    return try first("\(select) WHERE \(condition)", arguments) { try Stored.read($0) }
  }

  func all<Value>(
    _ sql: String, _ arguments: StatementArguments = [], read: @escaping (SQLiteRow) throws -> Value
  ) throws -> [Value] {
    try Array(cursor(sql, arguments).map { try read(SQLiteRow(row: $0)) })
  }

  func all<Stored: StoredRow>(
    where condition: String, _ arguments: StatementArguments
  ) throws -> [Stored] {
    let select = statements[Stored.table].select
    return try all("\(select) WHERE \(condition)", arguments) { try Stored.read($0) }
  }

  /// A cursor over rows that are not copied: a copied row would look up each column among all
  /// names.
  private func cursor(_ sql: String, _ arguments: StatementArguments) throws -> RowCursor {
    try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
  }

  func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
