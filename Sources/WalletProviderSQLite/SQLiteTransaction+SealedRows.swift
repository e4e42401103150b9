import GRDB
import WalletProvider

extension SQLiteTransaction {
  func sealedRowCounts() throws -> [SealedRowCount] {
    try StoredTable.sealed.flatMap { table in
      try all(
        """
        SELECT sealing_key, count(*) AS number FROM \(table.rawValue)
        WHERE sealing_key IS NOT NULL GROUP BY sealing_key ORDER BY sealing_key
        """
      ) { row in
        SealedRowCount(
          table: table, sealingKey: try row.text("sealing_key"),
          rows: Int(clamping: try row.integer("number")))
      }
    }
  }

  func rows<Stored: StoredRow>(
    _: Stored.Type, sealedWith key: String, after last: StoredValue?, limit: Int
  ) throws -> [Stored] {
    let column = Stored.table.key
    let isAfter = last == nil ? "" : " AND \(column) > ?"
    let values: [StoredValue?] = [.text(key), last, .integer(Int64(limit))]
    return try all(
      where: "sealing_key = ?\(isAfter) ORDER BY \(column) LIMIT ?",
      StatementArguments(values.compactMap { $0?.databaseValue }))
  }

  func secret(name: String) throws -> StoredProviderSecret? {
    try first(where: "name = ?", [name])
  }
}

extension StoredTable {
  /// The query for the ids of all keys that sealed a row, without duplicates.
  static var sealingKeys: String {
    sealed.map { "SELECT sealing_key FROM \($0.rawValue) WHERE sealing_key IS NOT NULL" }
      .joined(separator: " UNION ")
  }
}
