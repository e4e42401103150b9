import WalletProvider

extension PostgreSQLTransaction {
  func sealedRowCounts() throws -> [SealedRowCount] {
    try StoredTable.sealed.flatMap { table in
      try rows(
        Statement(
          """
          SELECT sealing_key, count(*) AS number FROM \(table.rawValue)
          WHERE sealing_key IS NOT NULL GROUP BY sealing_key ORDER BY sealing_key
          """)
      ).map { row in
        SealedRowCount(
          table: table, sealingKey: try row.text("sealing_key"),
          rows: Int(clamping: try row.integer("number")))
      }
    }
  }

  func rows<Stored: StoredRow>(
    _: Stored.Type, sealedWith key: String, after last: StoredValue?, limit: Int
  ) throws -> [Stored] {
    let table = Stored.table
    let isAfter = last == nil ? "" : " AND \(table.key) > $3"
    let page = "sealing_key = $1\(isAfter) ORDER BY \(table.key) LIMIT $2"
    let values: [StoredValue?] = [.text(key), .integer(Int64(limit)), last]
    let given = values.compactMap { $0 }
    if table.columns.contains("account") {
      // Their accounts are locked first, as everywhere.
      run(
        Statement(
          """
          SELECT id FROM account WHERE id IN (SELECT account FROM \(table.rawValue) WHERE \(page))
          ORDER BY id FOR UPDATE
          """, given))
    }
    return try all(where: "\(page) FOR UPDATE", given)
  }

  /// Reads without a lock: every request of a kind reads the same row, and its sealed value never
  /// changes.
  func secret(name: String) throws -> StoredProviderSecret? {
    try first(where: "name = $1", [.text(name)])
  }
}

extension StoredTable {
  /// The query for the ids of all keys that sealed a row, without duplicates.
  static var sealingKeys: String {
    sealed.map { "SELECT sealing_key FROM \($0.rawValue) WHERE sealing_key IS NOT NULL" }
      .joined(separator: " UNION ")
  }
}
