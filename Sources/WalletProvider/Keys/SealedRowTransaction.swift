/// How many rows of a table a key seals.
public struct SealedRowCount: Sendable, Equatable {
  public var table: StoredTable
  /// The id of the key, as the rows name it.
  public var sealingKey: String
  public var rows: Int

  public init(table: StoredTable, sealingKey: String, rows: Int) {
    self.table = table
    self.sealingKey = sealingKey
    self.rows = rows
  }
}

/// The rows by the key that seals them, for the rotation of sealing keys, and the provider's secrets.
public protocol SealedRowTransaction: RowTransaction {
  /// How many rows of every table each key seals; nothing for a key without rows.
  func sealedRowCounts() throws -> [SealedRowCount]

  /// At most `limit` rows that the key seals, in the order of their keys, locked as a single read locks
  /// one.
  ///
  /// - Parameter last: those after the row with this key; nil begins with the first.
  func rows<Row: StoredRow>(
    _: Row.Type, sealedWith key: String, after last: StoredValue?, limit: Int
  ) throws -> [Row]

  /// The secret of this name, or nil.
  func secret(name: String) throws -> StoredProviderSecret?
}
