import WalletProvider

// Codes, sessions and pages are read after their account is locked, in the same round trip. What is
// deleted together with a wallet is defined by the tables' foreign keys.

extension PostgreSQLTransaction {
  func account(id: String) throws -> StoredAccount? {
    try first(where: "id = $1 FOR UPDATE", [.text(id)])
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
    lockAccount("SELECT account FROM enrolment_code WHERE hash = $1", .bytes(hash))
    return try first(where: "hash = $1 FOR UPDATE", [.bytes(hash)])
  }

  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode? {
    try first(where: "account = $1 ORDER BY number DESC LIMIT 1", [.text(id)])
  }

  func deleteUndecidedCodes(ofAccount id: String, except hash: [UInt8]?) throws {
    let values: [StoredValue] = [.text(id), .bytes(hash ?? [])]
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
    lockAccount("SELECT account FROM proofing_session WHERE id = $1", .text(id))
    return try first(where: "id = $1 FOR UPDATE", [.text(id)])
  }

  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession? {
    lockAccount("SELECT account FROM enrolment_code WHERE hash = $1", .bytes(hash))
    return try first(
      where: "code = $1 AND wallet = $2 FOR UPDATE", [.bytes(hash), .text(wallet)])
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

  func documents() throws -> [(digest: [UInt8], account: String)] {
    try rows(Statement("SELECT digest, account FROM proofed_document ORDER BY digest"))
      .map { (try $0.bytes("digest"), try $0.text("account")) }
  }

  func deleteDocument(_ digest: [UInt8]) throws {
    run(Statement("DELETE FROM proofed_document WHERE digest = $1", [.bytes(digest)]))
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
    ).map { try $0.time("refused_at") }
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
    lockAccount("SELECT account FROM enrolment_page WHERE hash = $1", .bytes(hash))
    return try first(where: "hash = $1 FOR UPDATE", [.bytes(hash)])
  }

  /// If something is started for an account between the query and its lock, the foreign keys make
  /// the transaction fail.
  func deleteEnrolmentPages(expiredBy time: Int64) throws {
    sweep(
      Statement(
        """
        WITH ended AS (SELECT p.hash, a.id, a.proofed_at IS NULL AND NOT EXISTS (SELECT
            FROM enrolment_code c WHERE c.account = a.id AND c.verdict IS NOT NULL) AS unused
          FROM enrolment_page p JOIN account a ON a.id = p.account
          WHERE \(Self.isEndedPage) ORDER BY p.expires_at LIMIT \(Self.sweepLimit)
          FOR UPDATE OF a, p SKIP LOCKED),
        pages AS (DELETE FROM enrolment_page WHERE hash IN (SELECT hash FROM ended)),
        codes AS (DELETE FROM enrolment_code
          WHERE account IN (SELECT id FROM ended WHERE unused))
        DELETE FROM account WHERE id IN (SELECT id FROM ended WHERE unused)
        """, [.integer(time)]))
  }

  /// The condition that the page `p` expired by the first value and nothing is in progress for its
  /// account.
  static let isEndedPage = """
    p.expires_at <= $1
      AND NOT EXISTS (SELECT FROM proofing_session s WHERE s.account = p.account
        AND s.state NOT IN ('proofed', 'declined', 'exhausted'))
      AND NOT EXISTS (SELECT FROM enrolment_code c WHERE c.account = p.account
        AND c.verdict IS NULL AND c.expires_at > $1)
    """

  /// Locks the account; sent together with the read that follows.
  private func lockAccount(_ choice: String, _ value: StoredValue) {
    run(Statement("SELECT id FROM account WHERE id = (\(choice)) FOR UPDATE", [value]))
  }
}
