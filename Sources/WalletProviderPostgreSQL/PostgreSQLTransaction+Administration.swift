import WalletProvider

// Pages are read without locks. Ids are ordered by their bytes: their columns have the collation C.

extension PostgreSQLTransaction {
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet] {
    try page(after: id, limit)
  }

  func account(ofWallet id: String) throws -> String? {
    try row(Statement("SELECT id FROM account WHERE wallet = $1", [.text(id)]))?.text("id")
  }

  func accounts(after id: String?, limit: Int) throws -> [StoredAccount] {
    try page(after: id, limit)
  }

  private func page<Stored: StoredRow>(after id: String?, _ limit: Int) throws -> [Stored] {
    try all(
      where: "id > $1 ORDER BY id LIMIT $2", [.text(id ?? ""), .integer(Int64(limit))])
  }
}
