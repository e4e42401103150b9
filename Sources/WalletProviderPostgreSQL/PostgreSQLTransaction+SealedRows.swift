import WalletProvider

extension PostgreSQLTransaction {
  func sealedRowCounts() throws -> [SealedRowCount] {
    try StoredTable.allCases.flatMap { table in
      try rows(Statement(table.usedKeyCounts)).map { row in
        SealedRowCount(
          table: table, sealingKey: try row.text("used_key"),
          rows: Int(clamping: try row.integer("number")))
      }
    }
  }

  func rows<Stored: StoredRow>(
    _: Stored.Type, dependingOn key: String, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Stored>] {
    let table = Stored.table
    let (rest, values) = statements[table].page(dependingOn: key, after: last, limit: limit)
    if table.columns.contains("account") {
      // The accounts of the rows are locked before the rows, as in every transaction.
      run(
        Statement(
          """
          SELECT id FROM account WHERE id IN (SELECT account FROM \(table.rawValue) \(rest))
          ORDER BY id FOR UPDATE
          """, values))
    }
    return try page(Statement("\(statements[table].select) \(rest) FOR UPDATE", values))
  }

  func page<Stored: StoredRow>(
    _: Stored.Type, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Stored>] {
    let table = statements[Stored.table]
    let (rest, values) = table.page(dependingOn: nil, after: last, limit: limit)
    return try page(Statement("\(table.select) \(rest)", values))
  }

  /// Reads without a lock, because all requests of a kind read the same row, and the secret in it
  /// never changes.
  func secret(name: String) throws -> StoredProviderSecret? {
    try first(having: ["name": .text(name)], "")
  }
}
