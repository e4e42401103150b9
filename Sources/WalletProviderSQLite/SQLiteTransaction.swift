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
  let authentication: RowAuthentication

  func wallet(id: String) throws -> StoredWallet? { try first(having: ["id": .text(id)]) }

  func wallet(hardwareKeyHash: [UInt8]) throws -> StoredWallet? {
    try first(having: ["hardware_key_hash": .bytes(hardwareKeyHash)])
  }

  func insert(_ row: some StoredRow) throws {
    try run(statements[type(of: row).table].insert, arguments(try authentication.values(of: row)))
  }

  func update(_ row: some StoredRow) throws {
    try run(statements[type(of: row).table].update, arguments(try authentication.values(of: row)))
    guard database.changesCount == 1 else { throw StoreFailure("a row to change is gone") }
  }

  func deleteWallet(id: String) throws {
    try forgetWallet(id)
    try run("DELETE FROM challenge WHERE wallet = ?", [id])
    try run("DELETE FROM wallet WHERE id = ?", [id])
  }

  func unconfirmedWallets(
    registeredBy time: Int64, limit: Int
  ) throws -> [FoundRow<StoredWallet>] {
    try all(
      """
      \(statements[.wallet].select) WHERE confirmed = 0 AND registered_at <= ?
        AND NOT EXISTS (SELECT 1 FROM account WHERE account.wallet = wallet.id)
      ORDER BY registered_at LIMIT ?
      """, [time, limit]
    ) { try FoundRow($0, authentication) }
  }

  func challenge(_ challenge: [UInt8]) throws -> StoredChallenge? {
    try first(having: ["challenge": .bytes(challenge)])
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

  /// The first row of its table with these values.
  ///
  /// - Parameter rest: the SQL after the conditions.
  func first<Stored: StoredRow>(
    having known: KeyValuePairs<String, StoredValue>, _ rest: String = ""
  ) throws -> Stored? {
    let sql = statements[Stored.table].select(having: known.map(\.key), rest)
    return try first(sql, arguments(known.map(\.value))) {
      try Stored.read($0, authentication, having: known)
    }
  }

  func all<Value>(
    _ sql: String, _ arguments: StatementArguments = [], read: @escaping (SQLiteRow) throws -> Value
  ) throws -> [Value] {
    try Array(cursor(sql, arguments).map { try read(SQLiteRow(row: $0)) })
  }

  /// The rows of a table with these values.
  ///
  /// - Parameters:
  ///   - rest: the SQL after the conditions.
  ///   - values: the values of the placeholders in `rest`. Their numbers continue those of the
  ///     conditions.
  func all<Stored: StoredRow>(
    having known: KeyValuePairs<String, StoredValue> = [:], _ rest: String,
    _ values: [StoredValue] = []
  ) throws -> [Stored] {
    let sql = statements[Stored.table].select(having: known.map(\.key), rest)
    return try all(sql, arguments(known.map(\.value) + values)) {
      try Stored.read($0, authentication, having: known)
    }
  }

  func arguments(_ values: [StoredValue]) -> StatementArguments {
    StatementArguments(values.map(\.databaseValue))
  }

  /// A cursor over rows that are not copied. A copied row would be slower: for each value it
  /// searches the names of all columns.
  private func cursor(_ sql: String, _ arguments: StatementArguments) throws -> RowCursor {
    try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
  }

  func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
