import WalletProvider

/// The statements of one table, made of its columns.
struct TableStatements: Sendable {
  /// Reads rows; a condition and mostly `FOR UPDATE` follow.
  let select: String
  /// Adds a row; its values stand in the order of the columns.
  let insert: String
  /// Replaces the row with the key; the values stand as for `insert`. Fails when there is none.
  let update: String

  private static let all = Dictionary(
    uniqueKeysWithValues: StoredTable.allCases.map { ($0, TableStatements($0)) })

  static func of(_ table: StoredTable) -> TableStatements { all[table] ?? TableStatements(table) }

  private init(_ table: StoredTable) {
    let (name, columns) = (table.rawValue, table.columns)
    let names = columns.joined(separator: ", ")
    let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let settings = columns.dropLast().enumerated().map { "\($1) = $\($0 + 1)" }
      .joined(separator: ", ")
    select = "SELECT \(names) FROM \(name)"
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(places))"
    update = RowCheck.changing(
      "UPDATE \(name) SET \(settings) WHERE \(table.key) = $\(columns.count)")
  }
}
