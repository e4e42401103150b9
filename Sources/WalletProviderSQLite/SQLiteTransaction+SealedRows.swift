import GRDB
import WalletProvider

extension SQLiteTransaction {
  func sealedRowCounts() throws -> [SealedRowCount] {
    try StoredTable.allCases.flatMap { table in
      try all(table.usedKeyCounts) { row in
        SealedRowCount(
          table: table, sealingKey: try row.text("used_key"),
          rows: Int(clamping: try row.integer("number")))
      }
    }
  }

  func rows<Stored: StoredRow>(
    _: Stored.Type, dependingOn key: String, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Stored>] {
    try page(dependingOn: key, after: last, limit: limit)
  }

  func secret(name: String) throws -> StoredProviderSecret? {
    try first(having: ["name": .text(name)])
  }
}

extension SQLiteTransaction {
  func page<Stored: StoredRow>(
    _: Stored.Type, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Stored>] {
    try page(dependingOn: nil, after: last, limit: limit)
  }

  private func page<Stored: StoredRow>(
    dependingOn key: String?, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Stored>] {
    let table = statements[Stored.table]
    let (rest, values) = table.page(dependingOn: key, after: last, limit: limit)
    return try all("\(table.select) \(rest)", arguments(values)) {
      try FoundRow<Stored>($0, authentication)
    }
  }
}
