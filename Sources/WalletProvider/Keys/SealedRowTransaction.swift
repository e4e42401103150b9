/// The number of rows of one table that depend on one sealing key: it sealed or authenticated them.
public struct SealedRowCount: Sendable, Equatable {
  public var table: StoredTable
  /// The id of the key, as named by the rows.
  public var sealingKey: String
  public var rows: Int

  public init(table: StoredTable, sealingKey: String, rows: Int) {
    self.table = table
    self.sealingKey = sealingKey
    self.rows = rows
  }
}

/// Access to rows by the sealing key that they depend on, for the rotation of sealing keys, and to
/// the provider's secrets.
public protocol SealedRowTransaction: RowTransaction {
  /// The number of rows per table and key; keys without rows are left out.
  func sealedRowCounts() throws -> [SealedRowCount]

  /// Returns at most `limit` rows that the sealing key with the id `key` sealed or authenticated,
  /// ordered by the rows' keys, and locks them as a single read would.
  ///
  /// - Parameter last: the key of the row to start after; nil starts with the first row.
  func rows<Row: StoredRow>(
    _: Row.Type, dependingOn key: String, after last: StoredValue?, limit: Int
  ) throws -> [FoundRow<Row>]

  /// The secret with this name, or nil.
  func secret(name: String) throws -> StoredProviderSecret?
}
