import WalletProvider

/// Access to rows within one READ COMMITTED transaction. Rows that are read are locked: a wallet
/// before its account, an account before its codes, sessions and pages. No other transaction can
/// change what was read.
///
/// Changes are queued and sent with the next read or with the commit. Expired rows are deleted
/// last, and rows that another transaction has locked are left out, so that no deletion waits.
final class PostgreSQLTransaction: ProviderTransaction {
  private let connection: Connection
  private let limits: DatabaseLimits
  private let clock: any ProviderClock
  private let authentication: RowAuthentication
  private let deadline: ContinuousClock.Instant

  private var waiting = [Statement.begin]
  private var sweeps: [Statement] = []
  private var hasBegun = false
  /// True once the commit was sent: from then on only the server knows whether it succeeded.
  private(set) var commitWasSent = false
  /// The database server's time when this transaction last locked a wallet or asked for the time.
  private var serverTime: Int64?

  init(
    _ connection: Connection, limits: DatabaseLimits, clock: any ProviderClock,
    authentication: RowAuthentication
  ) {
    self.connection = connection
    self.authentication = authentication
    self.limits = limits
    self.clock = clock
    deadline = .now + .milliseconds(limits.transaction)
  }

  var now: Int64 {
    get throws {
      if let serverTime { return clock.time(serverTime) }
      let row = try row(Statement("SELECT \(ServerTime.expression) AS \(ServerTime.column)"))
      return clock.time(try noteTime(row))
    }
  }

  /// Keeps and returns the server's time, which the row contains.
  @discardableResult
  func noteTime(_ row: PostgreSQLRow?) throws -> Int64 {
    guard let row else { throw StoreFailure("PostgreSQL did not say what time it is") }
    let time = max(0, try row.integer(ServerTime.column))
    serverTime = time
    return time
  }

  // MARK: Statements

  /// The first row of the result; queued changes are sent first.
  func row(_ statement: Statement) throws -> PostgreSQLRow? { try answer(statement).first }

  func rows(_ statement: Statement) throws -> [PostgreSQLRow] { try answer(statement).all }

  /// The first row of its table with these values.
  ///
  /// - Parameter rest: the SQL after the conditions.
  func first<Stored: StoredRow>(
    having known: KeyValuePairs<String, StoredValue>, _ rest: String
  ) throws -> Stored? {
    try row(selection(of: Stored.table, known, rest, [])).map { try read($0, having: known) }
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
    try rows(selection(of: Stored.table, known, rest, values))
      .map { try read($0, having: known) }
  }

  /// Decodes a row that was looked up by these values, and checks that the provider wrote it.
  func read<Stored: StoredRow>(
    _ row: PostgreSQLRow, having known: KeyValuePairs<String, StoredValue>
  ) throws -> Stored { try Stored.read(row, authentication, having: known) }

  /// A page of rows, whether or not they are authentic.
  func page<Stored: StoredRow>(_ statement: Statement) throws -> [FoundRow<Stored>] {
    try rows(statement).map { try FoundRow<Stored>($0, authentication) }
  }

  func insert(_ row: some StoredRow) throws {
    run(Statement(statements[type(of: row).table].insert, try authentication.values(of: row)))
  }

  func update(_ row: some StoredRow) throws {
    run(Statement(statements[type(of: row).table].update, try authentication.values(of: row)))
  }

  private func selection(
    of table: StoredTable, _ known: KeyValuePairs<String, StoredValue>, _ rest: String,
    _ values: [StoredValue]
  ) -> Statement {
    Statement(
      statements[table].select(having: known.map(\.key), rest), known.map(\.value) + values)
  }

  private func answer(_ statement: Statement) throws -> QueryResult {
    let answers = try send([statement])
    guard let last = answers.last else { throw DatabaseError.lost(message: "an answer is missing") }
    return last
  }

  /// Queues a statement for the next read or the commit.
  func run(_ statement: Statement) { waiting.append(statement) }

  /// Queues a deletion of expired rows, sent right before the commit.
  func sweep(_ statement: Statement) { sweeps.append(statement) }

  private func send(_ statements: [Statement]) throws -> [QueryResult] {
    let all = waiting + statements
    waiting = []
    hasBegun = true
    let left = deadline - ContinuousClock.now
    guard left > .zero else { throw DatabaseError.lost(message: "the transaction takes too long") }
    return try connection.run(
      all, within: min(limits.transaction, left.components.seconds * 1000 + 1000))
  }

  // MARK: The end

  /// - Throws: `DatabaseError`.
  func commit() throws {
    // The transaction was not used.
    guard hasBegun || waiting.count > 1 || !sweeps.isEmpty else { return }
    commitWasSent = true
    let answers = try send(sweeps + [.commit])
    guard answers.last?.command == "COMMIT" else {
      throw DatabaseError.refused(state: "25000", message: "the transaction was rolled back")
    }
  }

  func rollBack() {
    guard hasBegun, !connection.isLost else { return }
    // If the rollback fails, the connection is lost and the server rolls back.
    _ = try? connection.run([.rollback], within: limits.statement)
  }

  /// Whether it is certain that nothing was committed and another attempt makes sense.
  func canRunAnew(after error: DatabaseError) -> Bool {
    if case .lost = error { return !commitWasSent && ContinuousClock.now < deadline }
    return error.isTransient
  }
}

/// The database server's clock, which all replicas use.
enum ServerTime {
  static let column = "server_time"
  /// Milliseconds since 1970 at the moment of evaluation, not at the start of the transaction.
  static let expression = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
}
