import GRDB
import WalletProvider

extension SQLiteTransaction {
  func wallets(after id: String?, limit: Int) throws -> [StoredWallet] {
    try all("id > ?1 ORDER BY id LIMIT ?2", [.text(id ?? ""), .integer(Int64(limit))])
  }

  func accounts(after id: String?, limit: Int) throws -> [StoredAccount] {
    try all("id > ?1 ORDER BY id LIMIT ?2", [.text(id ?? ""), .integer(Int64(limit))])
  }
}
