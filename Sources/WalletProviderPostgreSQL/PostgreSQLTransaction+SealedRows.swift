import WalletProvider

extension PostgreSQLTransaction {
  func sealedRowCounts() throws -> [SealedRowCount] {
    try SealedRowKind.allCases.flatMap { kind in
      try rows(
        Statement(
          """
          SELECT sealing_key, count(*) AS number FROM \(kind.name) WHERE sealing_key IS NOT NULL
          GROUP BY sealing_key ORDER BY sealing_key
          """)
      ).map { row in
        SealedRowCount(
          kind: kind, sealingKey: try row.text("sealing_key"),
          rows: Int(clamping: try row.integer("number")))
      }
    }
  }

  func wallets(sealedWith key: String, after id: String?, limit: Int) throws -> [StoredWallet] {
    try rows(page(.wallet, "id", key, after: .text(id ?? ""), limit)).map(StoredWallet.init(row:))
  }

  func accounts(sealedWith key: String, after id: String?, limit: Int) throws -> [StoredAccount] {
    try rows(page(.account, "id", key, after: .text(id ?? ""), limit)).map(StoredAccount.init(row:))
  }

  func proofingSessions(
    sealedWith key: String, after id: String?, limit: Int
  ) throws -> [StoredProofingSession] {
    // Their accounts are locked first, as by everybody.
    run(
      Statement(
        """
        SELECT id FROM account WHERE id IN (SELECT account FROM proofing_session
          WHERE sealing_key = $1 AND id > $2 ORDER BY id LIMIT $3)
        ORDER BY id FOR UPDATE
        """, [.text(key), .text(id ?? ""), .integer(Int64(limit))]))
    return try rows(page(.session, "id", key, after: .text(id ?? ""), limit))
      .map(StoredProofingSession.init(row:))
  }

  func enrolmentPages(
    sealedWith key: String, after hash: [UInt8]?, limit: Int
  ) throws -> [StoredEnrolmentPage] {
    try rows(page(.page, "hash", key, after: .bytes(hash ?? []), limit))
      .map(StoredEnrolmentPage.init(row:))
  }

  /// Without a lock: every request of a kind reads the same row, and what is sealed in it never changes.
  func secret(name: String) throws -> StoredProviderSecret? {
    try row(Statement("\(Table.secret.select) WHERE name = $1", [.text(name)]))
      .map(StoredProviderSecret.init(row:))
  }

  func secrets(sealedWith key: String) throws -> [StoredProviderSecret] {
    try rows(
      Statement(
        "\(Table.secret.select) WHERE sealing_key = $1 ORDER BY name FOR UPDATE", [.text(key)])
    ).map(StoredProviderSecret.init(row:))
  }

  func insert(_ secret: StoredProviderSecret) throws {
    run(Statement(Table.secret.insert, secret.values))
  }

  func update(_ secret: StoredProviderSecret) throws {
    run(Statement(Table.secret.update, secret.values))
  }

  private func page(
    _ table: Table, _ place: String, _ key: String, after last: Value, _ limit: Int
  ) -> Statement {
    Statement(
      "\(table.select) WHERE sealing_key = $1 AND \(place) > $2 ORDER BY \(place) LIMIT $3 FOR UPDATE",
      [.text(key), last, .integer(Int64(limit))])
  }
}

extension SealedRowKind {
  /// Asks for the ids of all keys that seal a row, each once.
  static var sealingKeys: String {
    allCases.map { "SELECT sealing_key FROM \($0.name) WHERE sealing_key IS NOT NULL" }
      .joined(separator: " UNION ")
  }

  fileprivate var name: String {
    switch self {
    case .wallet: "wallet"
    case .account: "account"
    case .session: "proofing_session"
    case .page: "enrolment_page"
    case .secret: "provider_secret"
    }
  }
}

extension StoredProviderSecret {
  fileprivate init(row: Row) throws {
    self.init(
      name: try row.text("name"), sealingKey: try row.text("sealing_key"),
      sealed: try row.bytes("sealed"))
  }

  fileprivate var values: [Value] { [.text(sealingKey), .bytes(sealed), .text(name)] }
}
