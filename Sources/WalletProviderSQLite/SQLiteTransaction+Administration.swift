import GRDB
import WalletProvider

extension SQLiteTransaction {
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet] {
    try rows("SELECT * FROM wallet WHERE id > ? ORDER BY id LIMIT ?", [id ?? "", limit])
      .map(StoredWallet.init(row:))
  }

  func account(ofWallet id: String) throws -> String? {
    try row("SELECT id FROM account WHERE wallet = ?", [id])?.text("id")
  }

  func accounts(after id: String?, limit: Int) throws -> [StoredAccount] {
    try rows("SELECT * FROM account WHERE id > ? ORDER BY id LIMIT ?", [id ?? "", limit])
      .map(StoredAccount.init(row:))
  }
}
