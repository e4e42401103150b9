import WalletProvider

// What somebody who writes to the database can do without a key: put a row back as the provider
// wrote it earlier, or delete it.

extension StoreLocation {
  /// Keeps a copy of the table as it is now.
  func keepCopy(of table: StoredTable) throws {
    let name = table.rawValue
    try execute(
      "DROP TABLE IF EXISTS former_\(name); CREATE TABLE former_\(name) AS SELECT * FROM \(name)")
  }

  /// Puts the rows of the copy back, those that were deleted meanwhile too. Other rows stay.
  ///
  /// - Parameter condition: which rows of the copy.
  func putBack(_ table: StoredTable, where condition: String = "TRUE") throws {
    let (name, key) = (table.rawValue, table.key)
    let columns = table.storedColumns.filter { $0 != key }.joined(separator: ", ")
    try execute(
      """
      UPDATE \(name) SET (\(columns)) =
        (SELECT \(columns) FROM former_\(name) WHERE former_\(name).\(key) = \(name).\(key))
        WHERE \(key) IN (SELECT \(key) FROM former_\(name) WHERE \(condition));
      INSERT INTO \(name) (\(columns), \(key)) SELECT \(columns), \(key) FROM former_\(name)
        WHERE \(condition) AND \(key) NOT IN (SELECT \(key) FROM \(name));
      """)
  }

  /// Deletes rows and nothing else, whatever refers to them.
  func delete(_ table: StoredTable, where condition: String = "TRUE") throws {
    let sql = "DELETE FROM \(table.rawValue) WHERE \(condition)"
    switch self {
    case .file: try execute(sql)
    // Whoever writes as the owner of the tables can turn their foreign keys off.
    case .database: try execute("SET session_replication_role = replica; \(sql)")
    }
  }
}
