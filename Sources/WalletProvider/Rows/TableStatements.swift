/// The SQL statements of one table, built from its columns.
public struct TableStatements: Sendable {
  /// Reads rows; a condition is appended.
  public let select: String
  /// Adds a row; the values are in the order of the columns.
  public let insert: String
  /// Replaces the row with the key; the values are in the same order as for `insert`.
  public let update: String

  /// - Parameters:
  ///   - mark: The character before the number of a placeholder.
  ///   - changing: Turns an update into one that fails if no row matches.
  public init(
    _ table: StoredTable, mark: Character, changing: (String) -> String = { $0 }
  ) {
    let (name, columns) = (table.rawValue, table.columns)
    let names = columns.joined(separator: ", ")
    let placeholders = columns.indices.map { "\(mark)\($0 + 1)" }
    let settings = zip(columns, placeholders).dropLast().map { "\($0) = \($1)" }
      .joined(separator: ", ")
    select = "SELECT \(names) FROM \(name)"
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(placeholders.joined(separator: ", ")))"
    update = changing(
      "UPDATE \(name) SET \(settings) WHERE \(table.key) = \(mark)\(columns.count)")
  }
}

/// The statements of every table for one kind of database.
public struct StatementsByTable: Sendable {
  private let statements: [StoredTable: TableStatements]
  private let make: @Sendable (StoredTable) -> TableStatements

  /// See `TableStatements.init`.
  public init(mark: Character, changing: @escaping @Sendable (String) -> String = { $0 }) {
    let make = { @Sendable in TableStatements($0, mark: mark, changing: changing) }
    statements = Dictionary(uniqueKeysWithValues: StoredTable.allCases.map { ($0, make($0)) })
    self.make = make
  }

  public subscript(_ table: StoredTable) -> TableStatements { statements[table] ?? make(table) }
}
