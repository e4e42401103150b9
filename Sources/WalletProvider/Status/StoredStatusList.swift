/// A status list as it is stored. Which of its entries are assigned is in rows of their own.
public struct StoredStatusList: Sendable, Equatable {
  /// Random, in the address.
  public var id: String
  /// The address, as the PIDs with an entry in this list name it. It stays when the server's own
  /// changes.
  public var uri: String
  /// The number of entries.
  public var size: Int64
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// The number of entries that were ever assigned.
  public var assigned: Int64
  /// Whether no entry is assigned any more.
  public var closed: Bool

  public init(
    id: String, uri: String, size: Int64, createdAt: Int64, assigned: Int64 = 0,
    closed: Bool = false
  ) {
    self.id = id
    self.uri = uri
    self.size = size
    self.createdAt = createdAt
    self.assigned = assigned
    self.closed = closed
  }

  /// Whether it should accept no more entries: half of it is assigned, so that a random index would
  /// often be taken, or it is old.
  func isFull(now: Int64) -> Bool {
    assigned >= size / 2 || now - createdAt >= StatusListSettings.openLife
  }
}

/// An assigned entry of a status list, as it is stored: that of one copy of a PID.
public struct StoredStatusEntry: Sendable, Equatable {
  /// The id of the list.
  public var list: String
  /// From 0.
  public var index: Int64
  /// The issuance that made the copy; all copies of one batch have the same.
  public var issuance: String
  /// The number of the copy in its batch, from 0.
  public var copy: Int
  public var wallet: String
  public var account: String
  /// The end of the PID, in milliseconds since 1970.
  public var expiresAt: Int64
  /// The time from which on lists show the entry as revoked, in milliseconds since 1970; nil if it
  /// is not.
  public var revokedAt: Int64?

  public init(
    list: String, index: Int64, issuance: String, copy: Int, wallet: String, account: String,
    expiresAt: Int64, revokedAt: Int64? = nil
  ) {
    self.list = list
    self.index = index
    self.issuance = issuance
    self.copy = copy
    self.wallet = wallet
    self.account = account
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
  }

  /// The key of the row. It makes sure that an index is assigned once.
  public var id: String { "\(list).\(index)" }
}
