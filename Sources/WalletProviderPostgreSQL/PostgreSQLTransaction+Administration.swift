import WalletProvider

// Lists are read page by page, without locks. Ids are ordered by their bytes, because their columns
// have the collation C.

extension PostgreSQLTransaction {
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet] {
    try page(after: id, limit)
  }

  func accounts(after id: String?, limit: Int) throws -> [StoredAccount] {
    try page(after: id, limit)
  }

  private func page<Stored: StoredRow>(after id: String?, _ limit: Int) throws -> [Stored] {
    try all(
      "id > $1 ORDER BY id LIMIT $2", [.text(id ?? ""), .integer(Int64(limit))])
  }
}
