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
  /// Reads a row from `columns`. Every store reads its rows with this.
  ///
  /// - Parameters:
  ///   - authentication: the keys of the provider.
  ///   - known: the values by which the row was looked up.
  /// - Throws: `StoreFailure`, also for a row that the provider did not write. The failure names
  ///   the table, and the column or a hash of the row's key, but contains no values, because it is
  ///   logged.
  public static func read(
    _ columns: some ColumnReader, _ authentication: RowAuthentication,
    having known: KeyValuePairs<String, StoredValue> = [:]
  ) throws -> Self {
    do {
      let row = try Self(columns: columns)
      try authentication.check(
        row, keyID: try columns.text(RowAuthentication.keyColumn),
        code: try columns.bytes(RowAuthentication.codeColumn), having: known)
      return row
    } catch let failure as StoreFailure {
      throw StoreFailure("\(table.rawValue): \(failure)", unauthenticRow: failure.unauthenticRow)
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
