import WalletProvider

// Before a code, session or page is read, its account is locked, in the same round trip. The
// tables' foreign keys define what is deleted together with a wallet. They delete rows but change
// none, because a changed row would no longer agree with its authentication.

extension PostgreSQLTransaction {
  func account(id: String) throws -> StoredAccount? {
    try first(having: ["id": .text(id)], "FOR UPDATE")
  }

  func deleteAccount(id: String) throws {
    run(Statement("SELECT id FROM account WHERE id = $1 FOR UPDATE", [.text(id)]))
    for table in ["enrolment_page", "proofing_session", "enrolment_code", "proofed_document"] {
      run(Statement("DELETE FROM \(table) WHERE account = $1", [.text(id)]))
    }
    run(Statement("DELETE FROM account WHERE id = $1", [.text(id)]))
  }

  func accounts(ofWallet id: String, locked: Bool) throws -> [StoredAccount] {
    try all(having: ["wallet": .text(id)], "ORDER BY id" + (locked ? " FOR UPDATE" : ""))
  }

  // MARK: Codes

  func enrolmentCode(hash: [UInt8], locked: Bool) throws -> StoredEnrolmentCode? {
    guard locked else { return try first(having: ["hash": .bytes(hash)], "") }
    lockAccount("SELECT account FROM enrolment_code WHERE hash = $1", .bytes(hash))
    return try first(having: ["hash": .bytes(hash)], "FOR UPDATE")
  }

  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode? {
    try first(having: ["account": .text(id)], "ORDER BY number DESC LIMIT 1")
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
    return try first(having: ["id": .text(id)], "FOR UPDATE")
  }

  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession? {
    lockAccount("SELECT account FROM enrolment_code WHERE hash = $1", .bytes(hash))
    return try first(having: ["code": .bytes(hash), "wallet": .text(wallet)], "FOR UPDATE")
  }

  func proofingSessions(ofAccount id: String) throws -> [StoredProofingSession] {
    try all(having: ["account": .text(id)], "ORDER BY id")
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
        WITH ended AS (SELECT s.id FROM proofing_session s JOIN account a ON a.id = s.account
          WHERE s.expires_at <= $1 ORDER BY s.expires_at LIMIT \(Self.sweepLimit)
          FOR UPDATE OF a, s SKIP LOCKED)
        DELETE FROM proofing_session WHERE id IN (SELECT id FROM ended)
        """, [.integer(time)]))
  }

  // MARK: Documents and refused claims

  func document(_ digest: [UInt8]) throws -> StoredDocument? {
    try first(having: ["digest": .bytes(digest)], "")
  }

  func deleteDocument(_ digest: [UInt8]) throws {
    run(Statement("DELETE FROM proofed_document WHERE digest = $1", [.bytes(digest)]))
  }

  func deleteDocuments(ofAccount id: String) throws {
    run(Statement("DELETE FROM proofed_document WHERE account = $1", [.text(id)]))
  }

  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [StoredRefusedClaim] {
    try all(
      having: ["wallet": .text(id)], "AND refused_at > $2 ORDER BY refused_at", [.integer(time)])
  }

  func deleteRefusedClaims(before time: Int64) throws {
    sweep(
      Statement(
        """
        DELETE FROM refused_claim WHERE id IN (SELECT id FROM refused_claim
          WHERE refused_at <= $1 ORDER BY refused_at LIMIT \(Self.sweepLimit)
          FOR UPDATE SKIP LOCKED)
        """, [.integer(time)]))
  }

  // MARK: Pages

  func enrolmentPage(hash: [UInt8]) throws -> StoredEnrolmentPage? {
    lockAccount("SELECT account FROM enrolment_page WHERE hash = $1", .bytes(hash))
    return try first(having: ["hash": .bytes(hash)], "FOR UPDATE")
  }

  /// If a proofing begins for an account after the query has found it and before it is locked, the
  /// foreign keys make the transaction fail.
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

  /// The condition that the page `p` has expired at the time in the first placeholder, and that
  /// nothing is in progress for its account.
  static let isEndedPage = """
    p.expires_at <= $1
      AND NOT EXISTS (SELECT FROM proofing_session s WHERE s.account = p.account
        AND s.state NOT IN ('proofed', 'declined', 'exhausted'))
      AND NOT EXISTS (SELECT FROM enrolment_code c WHERE c.account = p.account
        AND c.verdict IS NULL AND c.expires_at > $1)
    """

  /// Locks the account that `choice` selects. The statement is sent together with the read that
  /// follows.
  private func lockAccount(_ choice: String, _ value: StoredValue) {
    run(Statement("SELECT id FROM account WHERE id = (\(choice)) FOR UPDATE", [value]))
  }
}
