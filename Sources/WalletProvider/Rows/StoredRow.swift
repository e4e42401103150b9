/// What a store keeps as one row of a table, in the one form that all stores read and write.
public protocol StoredRow: Sendable {
  static var table: StoredTable { get }

  /// - Throws: `StoreFailure` for a column that does not hold what it must.
  init(columns: some ColumnReader) throws

  /// The values of all columns but the key, in the order of the table's.
  ///
  /// - Throws: `StoreFailure` for what does not fit its column.
  func values() throws -> [StoredValue]

  /// The value of the table's key.
  var key: StoredValue { get }
}

extension StoredRow {
  /// The row that stands in `columns`.
  ///
  /// - Throws: `StoreFailure` that names the table and the column, and nothing of the row: it is logged.
  public static func read(_ columns: some ColumnReader) throws -> Self {
    do {
      return try Self(columns: columns)
    } catch let failure as StoreFailure {
      throw StoreFailure("\(table.rawValue): \(failure)")
    }
  }
}

/// Rows of any table, as one transaction writes them.
public protocol RowTransaction {
  /// Adds a row; fails when one with its key, or with another value that must be unique, is there already.
  func insert(_ row: some StoredRow) throws
  /// Replaces the row with the same key; fails when it is gone.
  func update(_ row: some StoredRow) throws
}
