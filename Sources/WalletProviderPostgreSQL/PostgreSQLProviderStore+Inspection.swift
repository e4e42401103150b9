public import WalletProvider

extension PostgreSQLProviderStore {
  /// Inspects the database at `url` without changing it; nil if it has none of the provider's
  /// tables.
  ///
  /// - Parameter authentication: the keys that verify the rows; nil to leave the rows unread.
  /// - Throws: `StoreFailure`, which contains nothing secret from the URL.
  public static func inspect(
    _ url: DatabaseURL, authentication: RowAuthentication?
  ) throws -> StoreInspection? {
    do {
      let limits = DatabaseLimits()
      let connection = try Connection(url, limits: limits)
      func rows(_ sql: String) throws -> QueryResult? {
        try connection.run([Statement(sql)], within: limits.transaction).last
      }
      func read(_ sql: String) throws -> PostgreSQLRow? { try rows(sql)?.first }
      let found = try read(
        """
        SELECT current_setting('server_version') AS engine,
          \(ServerTime.expression) AS \(ServerTime.column),
          to_regclass('schema_version') IS NOT NULL AS made
        """)
      guard let found, try found.flag("made") else { return nil }
      let version = try read("SELECT coalesce(max(version), 0) AS version FROM schema_version")
      var inspection = StoreInspection(
        engine: "PostgreSQL " + (try found.text("engine")),
        schemaVersion: Int(clamping: try version?.integer("version") ?? 0),
        knownSchemaVersion: PostgreSQLSchema.steps.count, time: try found.integer(ServerTime.column)
      )
      inspection.isTooOld = PostgreSQLSchema.isTooOld(inspection.schemaVersion)
      if let owner = try read("SELECT id, configuration FROM provider") {
        inspection.provider = try owner.text("id")
        inspection.configuration = try owner.text("configuration")
      }
      if inspection.schemaVersion == inspection.knownSchemaVersion {
        inspection.sealingKeys =
          try rows(StoredTable.allUsedKeys)?.all.map { try $0.text("used_key") } ?? []
        if let authentication {
          let rows = InspectedRows(
            connection: connection, authentication: authentication, limits: limits)
          inspection.rows = try RowSearch(rows)
          try inspection.readEvaluator(rows)
        }
      }
      return inspection
    } catch let error as DatabaseError { throw error.failure(doing: "look at the database") }
  }
}

/// The rows of a database, read one statement at a time.
private struct InspectedRows: RowPages {
  let connection: Connection
  let authentication: RowAuthentication
  let limits: DatabaseLimits

  func page<Row: StoredRow>(
    _: Row.Type, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Row>] {
    let table = statements[Row.table]
    let (rest, values) = table.page(dependingOn: nil, after: last, limit: limit)
    let answers = try connection.run(
      [Statement("\(table.select) \(rest)", values)], within: limits.transaction)
    return try answers.last?.all.map { try FoundRow($0, authentication) } ?? []
  }
}
