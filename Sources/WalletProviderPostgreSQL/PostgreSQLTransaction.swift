import WalletProvider

/// The rows through one open transaction, READ COMMITTED: what is read is locked, a wallet before its
/// account, an account before its codes, sessions and pages, so that who changes what was read is alone
/// with it.
///
/// Changes wait and travel with the next read or with the commit. Rows that have ended are swept last of
/// all and only where nobody has them locked, so that no sweep waits for anybody.
final class PostgreSQLTransaction: ProviderTransaction {
  private let connection: Connection
  private let limits: DatabaseLimits
  private let clock: any ProviderClock
  private let deadline: ContinuousClock.Instant

  private var waiting = [Statement.begin]
  private var sweeps: [Statement] = []
  private var hasBegun = false
  /// From then on nobody but the server knows whether it is committed.
  private(set) var commitWasSent = false
  /// By the clock of the server, when it last locked a wallet.
  private var serverTime: Int64?

  init(_ connection: Connection, limits: DatabaseLimits, clock: any ProviderClock) {
    self.connection = connection
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

  /// Takes over the time that a row brought along.
  @discardableResult
  func noteTime(_ row: PostgreSQLRow?) throws -> Int64 {
    guard let row else { throw StoreFailure("PostgreSQL did not say what time it is") }
    let time = max(0, try row.integer(ServerTime.column))
    serverTime = time
    return time
  }

  // MARK: Statements

  /// The first row, after everything that waits was done.
  func row(_ statement: Statement) throws -> PostgreSQLRow? { try answer(statement).first }

  func rows(_ statement: Statement) throws -> [PostgreSQLRow] { try answer(statement).all }

  /// The first row of its table for which the condition holds.
  func first<Stored: StoredRow>(
    where condition: String, _ values: [StoredValue]
  ) throws -> Stored? {
    try row(selection(of: Stored.table, condition, values)).map { try Stored.read($0) }
  }

  func all<Stored: StoredRow>(where condition: String, _ values: [StoredValue]) throws -> [Stored] {
    try rows(selection(of: Stored.table, condition, values)).map { try Stored.read($0) }
  }

  func insert(_ row: some StoredRow) throws {
    let insert = statements[type(of: row).table].insert
    run(Statement(insert, try row.values() + [row.key]))
  }

  func update(_ row: some StoredRow) throws {
    let update = statements[type(of: row).table].update
    run(Statement(update, try row.values() + [row.key]))
  }

  private func selection(
    of table: StoredTable, _ condition: String, _ values: [StoredValue]
  ) -> Statement {
    Statement("\(statements[table].select) WHERE \(condition)", values)
  }

  private func answer(_ statement: Statement) throws -> QueryResult {
    let answers = try send([statement])
    guard let last = answers.last else { throw DatabaseError.lost(message: "an answer is missing") }
    return last
  }

  /// Done with the next read or with the commit.
  func run(_ statement: Statement) { waiting.append(statement) }

  /// Done right before the commit.
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
    // Nothing was asked of it.
    guard hasBegun || waiting.count > 1 || !sweeps.isEmpty else { return }
    commitWasSent = true
    let answers = try send(sweeps + [.commit])
    guard answers.last?.command == "COMMIT" else {
      throw DatabaseError.refused(state: "25000", message: "the transaction was rolled back")
    }
  }

  func rollBack() {
    guard hasBegun, !connection.isLost else { return }
    // A connection that cannot roll back is lost, and then the server does.
    _ = try? connection.run([.rollback], within: limits.statement)
  }

  /// Whether it is certain that nothing was committed, and worth another try.
  func canRunAnew(after error: DatabaseError) -> Bool {
    if case .lost = error { return !commitWasSent && ContinuousClock.now < deadline }
    return error.isTransient
  }
}

/// The clock that all replicas go by.
enum ServerTime {
  static let column = "server_time"
  /// Milliseconds since 1970, at the moment at which it is computed and not when the transaction began.
  static let expression = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
}
