/// Whose entries of status lists.
public enum StatusOwner: Sendable, Equatable {
  case wallet(String)
  case account(String)

  /// The column with the owner, and its value.
  public var condition: (column: String, value: StoredValue) {
    switch self {
    case .wallet(let id): ("wallet", .text(id))
    case .account(let id): ("account", .text(id))
    }
  }
}

/// Access to the rows of status lists within one transaction. Accounts are locked before entries,
/// and entries before lists.
public protocol StatusTransaction: RowTransaction {
  /// The list that accepts entries, locked; nil if there is none. The store has at most one.
  func openStatusList() throws -> StoredStatusList?
  /// The list with this id, or nil; not locked.
  func statusList(id: String) throws -> StoredStatusList?
  func deleteStatusList(id: String) throws

  /// Those of the indices that are assigned in the list, whoever wrote their rows.
  ///
  /// - Parameter indices: `StatusAssignment.candidates` of them.
  func assignedIndices(ofList id: String, among indices: [Int64]) throws -> Set<Int64>
  /// The entries of an issuance; not locked.
  func statusEntries(ofIssuance id: String) throws -> [StoredStatusEntry]
  /// The entries of an owner that expire after `time` and are not revoked, ordered by their ids and
  /// locked.
  func validStatusEntries(of owner: StatusOwner, at time: Int64) throws -> [StoredStatusEntry]
  /// At most `limit` entries of the list that are revoked at `time`, ordered by their indices; not
  /// locked.
  ///
  /// - Parameter index: only entries with a higher one.
  func revokedStatusEntries(
    ofList id: String, at time: Int64, after index: Int64, limit: Int
  ) throws -> [StoredStatusEntry]

  /// Whether the list has an entry that expires after `time`.
  func hasStatusEntries(ofList id: String, expiringAfter time: Int64) throws -> Bool
  /// Whether there is anything for `deleteStatusEntries` to delete.
  func hasStatusEntries(
    ofList id: String, expiredBy time: Int64, revokedToo: Bool
  ) throws -> Bool
  /// Deletes at most `limit` entries of the list that expired at `time` or before.
  ///
  /// - Parameter revokedToo: false leaves those that are revoked.
  func deleteStatusEntries(
    ofList id: String, expiredBy time: Int64, revokedToo: Bool, limit: Int
  ) throws
}
