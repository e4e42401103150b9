// Statements about the sealing keys that rows depend on: the one that authenticates the row, and
// the one that sealed its values.

extension StoredTable {
  private var isSealed: Bool { columns.contains("sealing_key") }

  /// The query for the ids of the keys on which the table's rows depend, as `used_key`. Its result
  /// has an entry for every key of every row.
  public var usedKeys: String {
    let (name, column) = (rawValue, RowAuthentication.keyColumn)
    let authenticating = "SELECT \(column) AS used_key FROM \(name)"
    guard isSealed else { return authenticating }
    return authenticating
      + " UNION ALL SELECT sealing_key FROM \(name) WHERE sealing_key <> \(column)"
  }

  /// The query for the ids of all keys on which rows of any table depend, as `used_key`.
  public static var allUsedKeys: String {
    let all = allCases.map(\.usedKeys).joined(separator: " UNION ALL ")
    return "SELECT DISTINCT used_key FROM (\(all)) AS used ORDER BY used_key"
  }

  /// The query for the number of rows that depend on each key, as `used_key` and `number`.
  public var usedKeyCounts: String {
    "SELECT used_key, count(*) AS number FROM (\(usedKeys)) AS used"
      + " GROUP BY used_key ORDER BY used_key"
  }

  /// The condition that a row depends on the key.
  ///
  /// - Parameter place: the placeholder of the key's id.
  func dependence(on place: String) -> String {
    let authenticated = "\(RowAuthentication.keyColumn) = \(place)"
    return isSealed ? "(\(authenticated) OR sealing_key = \(place))" : authenticated
  }
}
