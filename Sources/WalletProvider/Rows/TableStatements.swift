/// The SQL statements of one table, built from its columns.
public struct TableStatements: Sendable {
  /// Reads rows; the caller appends a condition.
  public let select: String
  /// Adds a row; the values are those of `RowAuthentication.values(of:)`.
  public let insert: String
  /// Replaces the row with the key; the values are in the same order as for `insert`.
  public let update: String
  private let table: StoredTable
  private let mark: Character

  /// - Parameters:
  ///   - mark: The character before the number of a placeholder.
  ///   - changing: Turns an update into one that fails if no row matches.
  public init(
    _ table: StoredTable, mark: Character, changing: (String) -> String = { $0 }
  ) {
    let (name, columns) = (table.rawValue, table.storedColumns)
    let names = columns.joined(separator: ", ")
    let placeholders = columns.indices.map { "\(mark)\($0 + 1)" }
    let settings = zip(columns, placeholders).dropLast().map { "\($0) = \($1)" }
      .joined(separator: ", ")
    self.table = table
    self.mark = mark
    select = "SELECT \(names) FROM \(name)"
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(placeholders.joined(separator: ", ")))"
    update = changing(
      "UPDATE \(name) SET \(settings) WHERE \(table.key) = \(mark)\(columns.count)")
  }

  /// The statement that reads the rows with certain values in `columns`. These are the first values
  /// that the statement is given, in the same order.
  ///
  /// - Parameter rest: the rest of the statement, with placeholders for the values after those of
  ///   `columns`.
  public func select(having columns: [String], _ rest: String) -> String {
    let conditions = columns.enumerated().map { "\($0.element) = \(mark)\($0.offset + 1)" }
    return "\(select) WHERE \(conditions.joined(separator: " AND ")) \(rest)"
  }

  /// The condition, order and limit of a page of rows, and their values.
  ///
  /// - Parameters:
  ///   - key: only rows that depend on this sealing key; nil for all rows.
  ///   - last: the key of the row to start after; nil starts with the first row.
  public func page(
    dependingOn key: String?, after last: StoredValue?, limit: Int
  ) -> (rest: String, values: [StoredValue]) {
    var values: [StoredValue] = []
    func place(_ value: StoredValue) -> String {
      values.append(value)
      return "\(mark)\(values.count)"
    }
    let conditions = [
      key.map { table.dependence(on: place(.text($0))) },
      last.map { "\(table.key) > \(place($0))" },
    ].compactMap { $0 }
    let filter = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
    return ("\(filter)ORDER BY \(table.key) LIMIT \(place(.integer(Int64(limit))))", values)
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
