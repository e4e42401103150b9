import GRDB
import WalletProvider

// The tables' foreign keys define what is deleted together with a wallet. They delete rows but
// change none, because a changed row would no longer agree with its authentication.

extension SQLiteTransaction {
  func account(id: String) throws -> StoredAccount? { try first(having: ["id": .text(id)]) }

  func deleteAccount(id: String) throws {
    for table in ["enrolment_page", "proofing_session", "enrolment_code", "proofed_document"] {
      try run("DELETE FROM \(table) WHERE account = ?", [id])
    }
    try run("DELETE FROM account WHERE id = ?", [id])
  }

  func accounts(ofWallet id: String, locked: Bool) throws -> [StoredAccount] {
    try all(having: ["wallet": .text(id)], "ORDER BY id")
  }

  func enrolmentCode(hash: [UInt8], locked: Bool) throws -> StoredEnrolmentCode? {
    try first(having: ["hash": .bytes(hash)])
  }

  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode? {
    try first(having: ["account": .text(id)], "ORDER BY number DESC LIMIT 1")
  }

  func deleteUndecidedCodes(ofAccount id: String, except hash: [UInt8]?) throws {
    let kept = blob(hash ?? [])
    try run(
      """
      DELETE FROM proofing_session WHERE code IN (SELECT hash FROM enrolment_code
        WHERE account = ? AND verdict IS NULL AND hash <> ?)
      """, [id, kept])
    try run(
      "DELETE FROM enrolment_code WHERE account = ? AND verdict IS NULL AND hash <> ?", [id, kept])
  }

  func proofingSession(id: String) throws -> StoredProofingSession? {
    try first(having: ["id": .text(id)])
  }

  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession? {
    try first(having: ["code": .bytes(hash), "wallet": .text(wallet)])
  }

  func proofingSessions(ofAccount id: String) throws -> [StoredProofingSession] {
    try all(having: ["account": .text(id)], "ORDER BY id")
  }

  func deleteProofingSession(id: String) throws {
    try run("DELETE FROM proofing_session WHERE id = ?", [id])
  }

  func deleteProofingSessions(ofAccount account: String, except id: String) throws {
    try run("DELETE FROM proofing_session WHERE account = ? AND id <> ?", [account, id])
  }

  func deleteProofingSessions(expiredBy time: Int64) throws {
    try run("DELETE FROM proofing_session WHERE expires_at <= ?", [time])
  }

  func document(_ digest: [UInt8]) throws -> StoredDocument? {
    try first(having: ["digest": .bytes(digest)])
  }

  func deleteDocument(_ digest: [UInt8]) throws {
    try run("DELETE FROM proofed_document WHERE digest = ?", [blob(digest)])
  }

  func deleteDocuments(ofAccount id: String) throws {
    try run("DELETE FROM proofed_document WHERE account = ?", [id])
  }

  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [StoredRefusedClaim] {
    try all(
      having: ["wallet": .text(id)], "AND refused_at > ?2 ORDER BY refused_at", [.integer(time)])
  }

  func deleteRefusedClaims(before time: Int64) throws {
    try run("DELETE FROM refused_claim WHERE refused_at <= ?", [time])
  }

  func enrolmentPage(hash: [UInt8]) throws -> StoredEnrolmentPage? {
    try first(having: ["hash": .bytes(hash)])
  }

  func deleteEnrolmentPages(expiredBy time: Int64) throws {
    let ended = try all(
      """
      SELECT p.hash, p.account, a.proofed_at IS NULL AND NOT EXISTS (SELECT 1 FROM enrolment_code c
        WHERE c.account = a.id AND c.verdict IS NOT NULL) AS unused
      FROM enrolment_page p JOIN account a ON a.id = p.account
      WHERE \(Self.isEndedPage) ORDER BY p.expires_at LIMIT \(Self.pagesAtOnce)
      """, [time]
    ) { (try $0.bytes("hash"), try $0.text("account"), try $0.flag("unused")) }
    for (hash, account, isUnused) in ended {
      guard !isUnused else {
        try deleteAccount(id: account)
        continue
      }
      try run("DELETE FROM enrolment_page WHERE hash = ?", [blob(hash)])
    }
  }

  /// The number of pages that one call deletes. It is small because deleting their accounts takes
  /// long. The periodic sweep repeats until none is left.
  private static let pagesAtOnce = 50

  /// The condition that the page `p` has expired at the time in the first placeholder, and that
  /// nothing is in progress for its account.
  static let isEndedPage = """
    p.expires_at <= ?1
      AND NOT EXISTS (SELECT 1 FROM proofing_session s WHERE s.account = p.account
        AND s.state NOT IN ('proofed', 'declined', 'exhausted'))
      AND NOT EXISTS (SELECT 1 FROM enrolment_code c WHERE c.account = p.account
        AND c.verdict IS NULL AND c.expires_at > ?1)
    """
}
