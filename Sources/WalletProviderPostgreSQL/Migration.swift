import WalletProvider

/// Brings the tables to this program's version, never back to an older one. All steps and the
/// record of them are one transaction, which only one process at a time can run.
struct Migration {
  /// The number of the lock that a migration holds in the database: "wallet" in ASCII. Nothing else
  /// in the database uses it.
  private static let lock: Int64 = 0x7761_6C6C_6574
  /// The longest time to wait for a migration in another process, in milliseconds.
  private static let longestMigration: Int64 = 600_000

  let steps: [[String]]
  /// Whether a database of this version is refused.
  let isTooOld: (Int) -> Bool

  /// - Throws: `StoreFailure`, also if a newer program made the tables, or one whose tables are
  ///   not taken over.
  func run(_ url: DatabaseURL) throws {
    var limits = DatabaseLimits()
    (limits.statement, limits.lock) = (Self.longestMigration, Self.longestMigration)
    (limits.transaction, limits.idleTransaction) = (
      Self.longestMigration + 10_000, Self.longestMigration
    )
    do {
      try run(on: try Connection(url, limits: limits), within: limits.transaction)
    } catch let error as DatabaseError { throw error.failure(doing: "bring its tables up to date") }
  }

  private func run(on connection: Connection, within limit: Int64) throws {
    func send(_ statements: [Statement]) throws -> [QueryResult] {
      try connection.run(statements, within: limit)
    }
    let answers = try send([
      .begin, Statement("SELECT pg_advisory_xact_lock($1)", [.integer(Self.lock)]),
      Statement(
        """
        CREATE TABLE IF NOT EXISTS schema_version (
          version BIGINT PRIMARY KEY,
          applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
        )
        """),
      Statement("SELECT coalesce(max(version), 0) AS version FROM schema_version"),
    ])
    let version = try answers.last?.first?.integer("version")
    guard let version, let done = Int(exactly: version), done >= 0 else {
      throw StoreFailure.unreadable("version")
    }
    guard !isTooOld(done) else {
      throw StoreFailure.tooOld("the database", version: done)
    }
    guard done <= steps.count else {
      throw StoreFailure(
        "the database has tables of version \(done) and this program knows them up to version"
          + " \(steps.count): run a newer wallet-provider")
    }
    for (number, step) in steps.enumerated().dropFirst(done) {
      let note = Statement(
        "INSERT INTO schema_version (version) VALUES ($1)", [.integer(Int64(number) + 1)])
      _ = try send(step.map { Statement($0) } + [note])
    }
    _ = try send([.commit])
  }
}
