public import WalletProvider

/// The rows of a provider in a PostgreSQL database, which any number of replicas share.
///
/// A change is on the database server's disk before the request is answered. A wallet is locked
/// while an instruction for it is handled: other instructions for the same wallet wait, those for
/// other wallets do not. The time is that of the database server.
public struct PostgreSQLProviderStore: CountingProviderStore {
  public let clock: any ProviderClock
  let pool: ConnectionPool
  private var authentication: RowAuthentication

  /// Connects to the database and brings its tables up to date.
  ///
  /// - Parameter authentication: the keys for the rows; without them no row is read or written.
  /// - Throws: `StoreFailure`, which contains nothing secret from the URL.
  public init(
    _ url: DatabaseURL, authentication: RowAuthentication = .none,
    limits: DatabaseLimits = DatabaseLimits(), clock: any ProviderClock = SystemWallClock()
  ) throws {
    self.clock = clock
    self.authentication = authentication
    try Migration(
      steps: PostgreSQLSchema.steps, isTooOld: PostgreSQLSchema.isTooOld
    ).run(url)
    pool = ConnectionPool(url, limits: limits)
  }

  /// This store with the keys for its rows. A store is opened without keys at first: the keys are
  /// in the data directory, and to open that, the configuration in the database must be read.
  /// Reading the configuration needs no keys.
  public func authenticated(by authentication: RowAuthentication) -> PostgreSQLProviderStore {
    var store = self
    store.authentication = authentication
    return store
  }

  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (any ProviderTransaction) throws -> Result
  ) async throws -> Result {
    try await pool.run { [clock, authentication] worker in
      try worker.transaction(clock: clock, authentication) { try body($0) }
    }
  }

  public func ping() async throws {
    try await pool.run { worker in
      guard
        try worker.read(Statement("SELECT max(version) AS version FROM schema_version"))?.first
          != nil
      else { throw StoreFailure("PostgreSQL did not answer") }
    }
  }

  /// A setting of the session, for diagnosis.
  package func setting(_ name: String) async throws -> String? {
    try await pool.run { worker in
      try worker.read(Statement("SELECT current_setting($1) AS value", [.text(name)]))?.first?
        .text("value")
    }
  }

  public func walletCounts() async throws -> (pending: Int, confirmed: Int) {
    let row = try await counts(
      "count(*) FILTER (WHERE NOT confirmed) AS pending, count(*) FILTER (WHERE confirmed) AS confirmed"
        + " FROM wallet", ["pending", "confirmed"])
    return (row[0], row[1])
  }

  public func proofingCounts() async throws -> ProofingCounts {
    let row = try await counts(
      """
      (SELECT count(*) FROM account) AS accounts,
      (SELECT count(*) FROM enrolment_code c WHERE verdict IS NULL AND EXISTS (SELECT
        FROM proofing_session s WHERE s.code = c.hash AND s.wallet = c.wallet)) AS claimed,
      (SELECT count(*) FROM enrolment_code WHERE verdict IS NOT NULL) AS consumed,
      (SELECT count(*) FROM proofing_session) AS sessions,
      (SELECT count(*) FROM account WHERE proofed_at IS NOT NULL) AS proofed
      """, ["accounts", "claimed", "consumed", "sessions", "proofed"])
    return ProofingCounts(
      accounts: row[0], claimed: row[1], consumed: row[2], sessions: row[3], proofed: row[4])
  }

  /// The numbers in the named columns of a single row.
  private func counts(_ selection: String, _ columns: [String]) async throws -> [Int] {
    try await pool.run { worker in
      let row = try worker.read(Statement("SELECT \(selection)"))?.first
      return try columns.map { Int(clamping: try row?.integer($0) ?? 0) }
    }
  }
}
