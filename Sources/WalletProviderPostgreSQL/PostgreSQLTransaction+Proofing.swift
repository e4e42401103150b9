import WalletProvider

// Codes, sessions and pages are read after their account was locked, in the same round trip; what a
// wallet takes along when it goes is in the foreign keys of the tables.

extension PostgreSQLTransaction {
  func account(id: String) throws -> StoredAccount? {
    try row(Statement("\(Table.account.select) WHERE id = $1 FOR UPDATE", [.text(id)]))
      .map(StoredAccount.init(row:))
  }

  func accounts() throws -> [StoredAccount] {
    try rows(Statement("\(Table.account.select) ORDER BY created_at, id"))
      .map(StoredAccount.init(row:))
  }

  func insert(_ account: StoredAccount) throws {
    run(Statement(Table.account.insert, account.values))
  }

  func update(_ account: StoredAccount) throws {
    run(Statement(Table.account.update, account.values))
  }

  func deleteAccount(id: String) throws {
    run(Statement("SELECT id FROM account WHERE id = $1 FOR UPDATE", [.text(id)]))
    for table in ["enrolment_page", "proofing_session", "enrolment_code", "proofed_document"] {
      run(Statement("DELETE FROM \(table) WHERE account = $1", [.text(id)]))
    }
    run(Statement("DELETE FROM account WHERE id = $1", [.text(id)]))
  }

  func forgetWallet(_ wallet: String, exceptByAccount id: String) throws {
    run(
      Statement(
        "UPDATE account SET wallet = NULL WHERE wallet = $1 AND id <> $2",
        [.text(wallet), .text(id)]))
  }

  // MARK: Codes

  func enrolmentCode(hash: [UInt8]) throws -> StoredEnrolmentCode? {
    try row(
      lockAccount("SELECT account FROM enrolment_code WHERE hash = $1", .bytes(hash)),
      Statement("\(Table.code.select) WHERE hash = $1 FOR UPDATE", [.bytes(hash)])
    ).map(StoredEnrolmentCode.init(row:))
  }

  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode? {
    try row(
      Statement(
        "\(Table.code.select) WHERE account = $1 ORDER BY number DESC LIMIT 1", [.text(id)])
    ).map(StoredEnrolmentCode.init(row:))
  }

  func insert(_ code: StoredEnrolmentCode) throws {
    run(Statement(Table.code.insert, code.values))
  }

  func update(_ code: StoredEnrolmentCode) throws {
    run(Statement(Table.code.update, code.values))
  }

  func deleteUndecidedCodes(ofAccount id: String, except hash: [UInt8]?) throws {
    let values: [Value] = [.text(id), .bytes(hash ?? [])]
    run(
      Statement(
        """
        DELETE FROM proofing_session WHERE code IN (SELECT hash FROM enrolment_code
          WHERE account = $1 AND verdict IS NULL AND hash <> $2)
        """, values))
    run(
      Statement(
        "DELETE FROM enrolment_code WHERE account = $1 AND verdict IS NULL AND hash <> $2", values))
  }

  // MARK: Sessions

  func proofingSession(id: String) throws -> StoredProofingSession? {
    try row(
      lockAccount("SELECT account FROM proofing_session WHERE id = $1", .text(id)),
      Statement("\(Table.session.select) WHERE id = $1 FOR UPDATE", [.text(id)])
    ).map(StoredProofingSession.init(row:))
  }

  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession? {
    try row(
      lockAccount("SELECT account FROM enrolment_code WHERE hash = $1", .bytes(hash)),
      Statement(
        "\(Table.session.select) WHERE code = $1 AND wallet = $2 FOR UPDATE",
        [.bytes(hash), .text(wallet)])
    ).map(StoredProofingSession.init(row:))
  }

  func insert(_ session: StoredProofingSession) throws {
    run(Statement(Table.session.insert, session.values))
  }

  func update(_ session: StoredProofingSession) throws {
    run(Statement(Table.session.update, session.values))
  }

  func deleteProofingSession(id: String) throws {
    run(Statement("DELETE FROM proofing_session WHERE id = $1", [.text(id)]))
  }

  func deleteProofingSessions(ofAccount account: String, except id: String) throws {
    run(
      Statement(
        "DELETE FROM proofing_session WHERE account = $1 AND id <> $2",
        [.text(account), .text(id)]))
  }

  func deleteProofingSessions(expiredBy time: Int64) throws {
    sweep(
      Statement(
        """
        WITH ended AS (SELECT s.id, s.code FROM proofing_session s JOIN account a ON a.id = s.account
          WHERE s.expires_at <= $1 ORDER BY s.expires_at LIMIT \(Self.sweepLimit)
          FOR UPDATE OF a, s SKIP LOCKED),
        freed AS (UPDATE enrolment_code SET wallet = NULL
          WHERE verdict IS NULL AND hash IN (SELECT code FROM ended))
        DELETE FROM proofing_session WHERE id IN (SELECT id FROM ended)
        """, [.integer(time)]))
  }

  // MARK: Documents and refused claims

  func account(ofDocument digest: [UInt8]) throws -> String? {
    try row(
      Statement("SELECT account FROM proofed_document WHERE digest = $1", [.bytes(digest)])
    )?.text("account")
  }

  func noteDocument(_ digest: [UInt8], account: String) throws {
    if try self.account(ofDocument: digest) == account { return }
    run(
      Statement(
        "INSERT INTO proofed_document (digest, account) VALUES ($1, $2)",
        [.bytes(digest), .text(account)]))
  }

  func deleteDocuments(ofAccount id: String) throws {
    run(Statement("DELETE FROM proofed_document WHERE account = $1", [.text(id)]))
  }

  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [Int64] {
    try rows(
      Statement(
        """
        SELECT refused_at FROM refused_claim WHERE wallet = $1 AND refused_at > $2
        ORDER BY refused_at
        """, [.text(id), .integer(time)])
    ).map { try $0.integer("refused_at") }
  }

  func noteRefusedClaim(ofWallet id: String, at time: Int64) throws {
    run(
      Statement(
        "INSERT INTO refused_claim (wallet, refused_at) VALUES ($1, $2)",
        [.text(id), .integer(time)]))
  }

  func deleteRefusedClaims(before time: Int64) throws {
    sweep(
      Statement(
        """
        DELETE FROM refused_claim WHERE number IN (SELECT number FROM refused_claim
          WHERE refused_at <= $1 ORDER BY refused_at LIMIT \(Self.sweepLimit)
          FOR UPDATE SKIP LOCKED)
        """, [.integer(time)]))
  }

  // MARK: Pages

  func enrolmentPage(hash: [UInt8]) throws -> StoredEnrolmentPage? {
    try row(
      lockAccount("SELECT account FROM enrolment_page WHERE hash = $1", .bytes(hash)),
      Statement("\(Table.page.select) WHERE hash = $1 FOR UPDATE", [.bytes(hash)])
    ).map(StoredEnrolmentPage.init(row:))
  }

  func insert(_ page: StoredEnrolmentPage) throws {
    run(Statement(Table.page.insert, page.values))
  }

  func update(_ page: StoredEnrolmentPage) throws {
    run(Statement(Table.page.update, page.values))
  }

  func deleteEnrolmentPages(expiredBy time: Int64) throws {
    sweep(
      Statement(
        """
        DELETE FROM enrolment_page WHERE hash IN (SELECT hash FROM enrolment_page
          WHERE expires_at <= $1 ORDER BY expires_at LIMIT \(Self.sweepLimit)
          FOR UPDATE SKIP LOCKED)
        """, [.integer(time)]))
  }

  private func lockAccount(_ choice: String, _ value: Value) -> Statement {
    Statement("SELECT id FROM account WHERE id = (\(choice)) FOR UPDATE", [value])
  }
}
