// Status lists and their assigned entries as rows.

extension StoredStatusList: StoredRow {
  public static let table = StoredTable.statusList

  public init(columns: some ColumnReader) throws {
    let size = try columns.integer("size")
    guard (1...StatusListSettings.mostEntries).contains(size) else {
      throw StoreFailure.unreadable("size")
    }
    let assigned = try columns.integer("assigned")
    guard (0...size).contains(assigned) else { throw StoreFailure.unreadable("assigned") }
    self.init(
      id: try columns.text("id"), uri: try columns.text("uri"), size: size,
      createdAt: try columns.time("created_at"), assigned: assigned,
      closed: try columns.flag("closed"))
  }

  public func values() -> [StoredValue] {
    [.text(uri), .integer(size), .integer(createdAt), .integer(assigned), .flag(closed)]
  }

  public var key: StoredValue { .text(id) }
}

extension StoredStatusEntry: StoredRow {
  public static let table = StoredTable.statusEntry

  public init(columns: some ColumnReader) throws {
    let index = try columns.integer("list_index")
    guard (0..<StatusListSettings.mostEntries).contains(index) else {
      throw StoreFailure.unreadable("list_index")
    }
    self.init(
      list: try columns.text("list"), index: index, issuance: try columns.text("issuance"),
      copy: try columns.count("copy"), wallet: try columns.text("wallet"),
      account: try columns.text("account"), expiresAt: try columns.time("expires_at"),
      revokedAt: try columns.optionalTime("revoked_at"))
    // The key is made of two columns, so it must agree with them.
    guard try columns.text("id") == id else { throw StoreFailure.unreadable("list_index") }
  }

  public func values() -> [StoredValue] {
    [
      .text(list), .integer(index), .text(issuance), .integer(Int64(copy)), .text(wallet),
      .text(account), .integer(expiresAt), .optional(revokedAt),
    ]
  }

  public var key: StoredValue { .text(id) }
}
