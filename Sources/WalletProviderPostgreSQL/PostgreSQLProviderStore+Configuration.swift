public import WalletProvider

extension PostgreSQLProviderStore: ConfigurationTable {
  public func configuration(ofProvider id: String) async throws -> String? {
    try await pool.run { worker in
      let row = try worker.read(Statement("SELECT id, configuration FROM provider"))?.first
      return try row.map { try Self.checked($0, provider: id) }
    }
  }

  public func changeConfiguration(
    ofProvider id: String, _ change: @escaping @Sendable (String?) throws -> String
  ) async throws -> String {
    try await pool.run { [clock] worker in
      try worker.transaction(clock: clock, .none) { rows in
        // Locks the whole table, because there may be no row yet that could be locked.
        rows.run(Statement("LOCK TABLE provider IN EXCLUSIVE MODE"))
        let row = try rows.row(Statement("SELECT id, configuration FROM provider"))
        let former = try row.map { try Self.checked($0, provider: id) }
        let next = try change(former)
        guard next != former else { return next }
        rows.run(
          Statement(
            """
            INSERT INTO provider (id, configuration) VALUES ($1, $2)
            ON CONFLICT (only_row) DO UPDATE SET configuration = excluded.configuration
            """, [.text(id), .text(next)]))
        return next
      }
    }
  }

  private static func checked(_ row: PostgreSQLRow, provider id: String) throws -> String {
    guard try row.text("id") == id else {
      throw StoreFailure(
        "the database belongs to another provider: the provider-id of this data directory is not"
          + " the one that it was made with")
    }
    return try row.text("configuration")
  }
}
