/// A value that a store keeps as one row of a table, in the one form that all stores read and
/// write.
public protocol StoredRow: Sendable {
  static var table: StoredTable { get }

  /// - Throws: `StoreFailure` for a column with an invalid value.
  init(columns: some ColumnReader) throws

  /// The values of all columns except the key, in the table's order.
  ///
  /// - Throws: `StoreFailure` for a value that does not fit its column.
  func values() throws -> [StoredValue]

  /// The value of the key column.
  var key: StoredValue { get }
}

extension StoredRow {
  /// Reads a row from `columns`.
  ///
  /// - Throws: `StoreFailure` that names the table and the column but contains no values, because
  ///   it is logged.
  public static func read(_ columns: some ColumnReader) throws -> Self {
    do {
      return try Self(columns: columns)
    } catch let failure as StoreFailure {
      throw StoreFailure("\(table.rawValue): \(failure)")
    }
  }
}

/// Writes rows of any table within one transaction.
public protocol RowTransaction {
  /// Adds a row; fails if there is already a row with its key or another unique value.
  func insert(_ row: some StoredRow) throws
  /// Replaces the row with the same key; fails if there is none.
  func update(_ row: some StoredRow) throws
}
