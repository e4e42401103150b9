import GRDB
public import WalletProvider
import WalletSQLite

/// The rows of a provider in one SQLite file, which any number of processes may share.
///
/// Uses a write-ahead log with synchronous=FULL, so that a change is on disk before the request is
/// answered. Each transaction begins IMMEDIATE, so it excludes every other writer from its first
/// read on. Requests that wait for another one's commit are committed together.
public struct SQLiteProviderStore: CountingProviderStore {
  public let clock: any ProviderClock
  private let pool: DatabasePool
  private let commits: SharedCommits<any ProviderTransaction>

  /// How many requests are committed together, so that none waits for long.
  private static let mostTogether = 64

  /// Opens or creates the database at `path`, mode 0600, and brings its tables up to date.
  ///
  /// - Parameter authentication: the keys for the rows; without them no row is read or written.
  /// - Throws: `FileProblem` or `StoreFailure`.
  public init(
    path: String, authentication: RowAuthentication = .none,
    clock: any ProviderClock = SystemWallClock()
  ) throws {
    self.clock = clock
    // SQLite gives its log and index files the mode of the database file, so the database file is
    // made first, with the right mode.
    try PrivateFile.createEmpty(path)
    try PrivateFile.checkSecret(path)
    do {
      var configuration = GRDB.Configuration()
      configuration.busyMode = .timeout(10)
      // Deleted personal data must not remain in free pages.
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
      pool = try DatabasePool(path: path, configuration: configuration)
      // This must come after the pool is opened, because setting up the log sets synchronous to
      // NORMAL.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
      let version = SQLiteSchema.version(
        try pool.read(SQLiteSchema.migrator.appliedIdentifiers))
      guard !SQLiteSchema.isTooOld(version) else {
        throw StoreFailure.tooOld(path, version: version)
      }
      guard try pool.read(SQLiteSchema.migrator.hasBeenSuperseded) == false else {
        throw StoreFailure("\(path) has tables of a newer program: run that wallet-provider")
      }
      try Self.migrate(pool)
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "open \(path)") }
    commits = SharedCommits(pool, most: Self.mostTogether) { database, transactions in
      try database.inTransaction(.immediate) {
        for transaction in transactions {
          _ = try transaction.run(in: database, isAlone: transactions.count == 1) {
            SQLiteTransaction(
              database: database, now: clock.machineTime, authentication: authentication)
          }
        }
        return .commit
      }
    }
  }

  /// Brings the tables up to date, even if other processes start at the same moment.
  ///
  /// The migrator reads which steps are done and then performs the others. It fails if another
  /// process performs one of them in between; it is then run again. If it fails and no step was
  /// added meanwhile, the failure is real.
  private static func migrate(_ pool: DatabasePool) throws {
    while true {
      let done = try pool.read(SQLiteSchema.migrator.appliedIdentifiers)
      do {
        return try SQLiteSchema.migrator.migrate(pool)
      } catch let error as DatabaseError {
        guard try pool.read(SQLiteSchema.migrator.appliedIdentifiers) != done else { throw error }
      }
    }
  }

  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    do {
      return try await commits.run(body)
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "run a transaction") }
  }

  public func ping() async throws {
    do {
      _ = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "read") }
  }

  /// The value of a PRAGMA of the writing connection, for diagnosis; nil if it has none.
  package func pragma(_ name: String) async throws -> String? {
    try await pool.write { database in
      try Row.fetchOne(database, sql: "PRAGMA \(name)").map { "\($0[0] as DatabaseValue)" }
    }
  }

  public func walletCounts() async throws -> (pending: Int, confirmed: Int) {
    do {
      return try await pool.read { database in
        func count(_ confirmed: Bool) throws -> Int {
          try Int.fetchOne(
            database, sql: "SELECT count(*) FROM wallet WHERE confirmed = ?",
            arguments: [confirmed]) ?? 0
        }
        return (try count(false), try count(true))
      }
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "count") }
  }
}

extension SQLiteProviderStore {
  public func proofingCounts() async throws -> ProofingCounts {
    do {
      return try await pool.read { database in
        func count(_ rows: String) throws -> Int {
          try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
        }
        return ProofingCounts(
          accounts: try count("account"),
          claimed: try count(
            """
            enrolment_code c WHERE verdict IS NULL AND EXISTS (SELECT 1 FROM proofing_session s
              WHERE s.code = c.hash AND s.wallet = c.wallet)
            """),
          consumed: try count("enrolment_code WHERE verdict IS NOT NULL"),
          sessions: try count("proofing_session"),
          proofed: try count("account WHERE proofed_at IS NOT NULL"))
      }
    } catch let error as DatabaseError { throw StoreFailure(error, doing: "count") }
  }
}

extension StoreFailure {
  /// The message of SQLite, without the statement and its arguments.
  init(_ error: DatabaseError, doing action: String) {
    // On a full disk SQLite may fail to extend the index of its log, and report only an I/O error.
    let hint = error.resultCode == .SQLITE_IOERR ? "; is the disk full?" : ""
    self.init(
      "SQLite could not \(action): \(error.message ?? "unknown error")"
        + " (\(error.extendedResultCode.rawValue))\(hint)")
  }
}
