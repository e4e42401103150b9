import WalletProvider

// Pages are looked at and not locked. Ids are ordered by their bytes: their columns are of collation C.

extension PostgreSQLTransaction {
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet] {
    try rows(page(Table.wallet, after: id, limit)).map(StoredWallet.init(row:))
  }

  func account(ofWallet id: String) throws -> String? {
    try row(Statement("SELECT id FROM account WHERE wallet = $1", [.text(id)]))?.text("id")
  }

  func accounts(after id: String?, limit: Int) throws -> [StoredAccount] {
    try rows(page(Table.account, after: id, limit)).map(StoredAccount.init(row:))
  }

  private func page(_ table: Table, after id: String?, _ limit: Int) -> Statement {
    Statement(
      "\(table.select) WHERE id > $1 ORDER BY id LIMIT $2",
      [.text(id ?? ""), .integer(Int64(limit))])
  }
}
