/// The statements of one table, made of its columns.
public struct TableStatements: Sendable {
  /// Reads rows; a condition follows.
  public let select: String
  /// Adds a row; its values stand in the order of the columns.
  public let insert: String
  /// Replaces the row with the key; the values stand as for `insert`.
  public let update: String

  /// - Parameters:
  ///   - mark: What a database has before the number of a value's place.
  ///   - changing: Makes of an update one that fails where there is no such row.
  public init(
    _ table: StoredTable, mark: Character, changing: (String) -> String = { $0 }
  ) {
    let (name, columns) = (table.rawValue, table.columns)
    let names = columns.joined(separator: ", ")
    let places = columns.indices.map { "\(mark)\($0 + 1)" }
    let settings = zip(columns, places).dropLast().map { "\($0) = \($1)" }
      .joined(separator: ", ")
    select = "SELECT \(names) FROM \(name)"
    insert = "INSERT INTO \(name) (\(names)) VALUES (\(places.joined(separator: ", ")))"
    update = changing(
      "UPDATE \(name) SET \(settings) WHERE \(table.key) = \(mark)\(columns.count)")
  }

  /// Those of every table.
  public static func all(
    mark: Character, changing: (String) -> String = { $0 }
  ) -> [StoredTable: TableStatements] {
    Dictionary(
      uniqueKeysWithValues: StoredTable.allCases.map {
        ($0, TableStatements($0, mark: mark, changing: changing))
      })
  }
}
