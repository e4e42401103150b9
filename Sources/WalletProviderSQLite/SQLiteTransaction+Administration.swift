import GRDB
import WalletProvider

extension SQLiteTransaction {
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet] {
    try all(where: "id > ? ORDER BY id LIMIT ?", [id ?? "", limit])
  }

  func account(ofWallet id: String) throws -> String? {
    try first("SELECT id FROM account WHERE wallet = ?", [id]) { try $0.text("id") }
  }

  func accounts(after id: String?, limit: Int) throws -> [StoredAccount] {
    try all(where: "id > ? ORDER BY id LIMIT ?", [id ?? "", limit])
  }
}
