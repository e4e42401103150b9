import GRDB
import WalletProvider

extension SQLiteTransaction {
  func sealedRowCounts() throws -> [SealedRowCount] {
    try SealedRowKind.allCases.flatMap { kind in
      try rows(
        """
        SELECT sealing_key, count(*) AS rows FROM \(kind.table) WHERE sealing_key IS NOT NULL
        GROUP BY sealing_key ORDER BY sealing_key
        """
      ).map { row in
        SealedRowCount(
          kind: kind, sealingKey: try row.text("sealing_key"),
          rows: Int(clamping: try row.integer("rows")))
      }
    }
  }

  func wallets(sealedWith key: String, after id: String?, limit: Int) throws -> [StoredWallet] {
    try page(of: .wallet, key, after: id ?? "", limit).map(StoredWallet.init(row:))
  }

  func accounts(sealedWith key: String, after id: String?, limit: Int) throws -> [StoredAccount] {
    try page(of: .account, key, after: id ?? "", limit).map(StoredAccount.init(row:))
  }

  func proofingSessions(
    sealedWith key: String, after id: String?, limit: Int
  ) throws -> [StoredProofingSession] {
    try page(of: .session, key, after: id ?? "", limit).map(StoredProofingSession.init(row:))
  }

  func enrolmentPages(
    sealedWith key: String, after hash: [UInt8]?, limit: Int
  ) throws -> [StoredEnrolmentPage] {
    try page(of: .page, key, after: blob(hash ?? []), limit).map(StoredEnrolmentPage.init(row:))
  }

  func secret(name: String) throws -> StoredProviderSecret? {
    try row("SELECT * FROM provider_secret WHERE name = ?", [name])
      .map(StoredProviderSecret.init(row:))
  }

  func secrets(sealedWith key: String) throws -> [StoredProviderSecret] {
    try page(of: .secret, key, after: "", -1).map(StoredProviderSecret.init(row:))
  }

  func insert(_ secret: StoredProviderSecret) throws {
    try run(
      "INSERT INTO provider_secret (sealing_key, sealed, name) VALUES (?, ?, ?)",
      [secret.sealingKey, blob(secret.sealed), secret.name])
  }

  func update(_ secret: StoredProviderSecret) throws {
    try change(
      "UPDATE provider_secret SET sealing_key = ?, sealed = ? WHERE name = ?",
      [secret.sealingKey, blob(secret.sealed), secret.name])
  }

  private func page(
    of kind: SealedRowKind, _ key: String, after place: some DatabaseValueConvertible, _ limit: Int
  ) throws -> [Row] {
    try rows(
      """
      SELECT * FROM \(kind.table) WHERE sealing_key = ? AND \(kind.idColumn) > ?
      ORDER BY \(kind.idColumn) LIMIT ?
      """, [key, place, limit])
  }
}

extension SealedRowKind {
  /// Asks for the ids of all keys that seal a row, each once.
  static var sealingKeys: String {
    allCases.map { "SELECT sealing_key FROM \($0.table) WHERE sealing_key IS NOT NULL" }
      .joined(separator: " UNION ")
  }

  fileprivate var table: String {
    switch self {
    case .wallet: "wallet"
    case .account: "account"
    case .session: "proofing_session"
    case .page: "enrolment_page"
    case .secret: "provider_secret"
    }
  }

  fileprivate var idColumn: String {
    switch self {
    case .wallet, .account, .session: "id"
    case .page: "hash"
    case .secret: "name"
    }
  }
}

extension StoredProviderSecret {
  fileprivate init(row: Row) throws {
    self.init(
      name: try row.text("name"), sealingKey: try row.text("sealing_key"),
      sealed: try row.bytes("sealed"))
  }
}
