import GRDB
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What a wallet takes along when it goes is in the foreign keys of the tables.

extension SQLiteTransaction {
  func account(id: String) throws -> StoredAccount? {
    try row("SELECT * FROM account WHERE id = ?", [id]).map(StoredAccount.init(row:))
  }

  func insert(_ account: StoredAccount) throws {
    try run(
      """
      INSERT INTO account (sealing_key, sealed_person, created_at, closed, locked_until,
        failed_attempts, failed_at, proofed_at, wallet, id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, arguments(account))
  }

  func update(_ account: StoredAccount) throws {
    try change(
      """
      UPDATE account SET sealing_key = ?, sealed_person = ?, created_at = ?, closed = ?,
        locked_until = ?, failed_attempts = ?, failed_at = ?, proofed_at = ?, wallet = ?
      WHERE id = ?
      """, arguments(account))
  }

  func deleteAccount(id: String) throws {
    for table in ["enrolment_page", "proofing_session", "enrolment_code", "proofed_document"] {
      try run("DELETE FROM \(table) WHERE account = ?", [id])
    }
    try run("DELETE FROM account WHERE id = ?", [id])
  }

  func forgetWallet(_ wallet: String, exceptByAccount id: String) throws {
    try run("UPDATE account SET wallet = NULL WHERE wallet = ? AND id <> ?", [wallet, id])
  }

  func enrolmentCode(hash: [UInt8]) throws -> StoredEnrolmentCode? {
    try row("SELECT * FROM enrolment_code WHERE hash = ?", [blob(hash)])
      .map(StoredEnrolmentCode.init(row:))
  }

  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode? {
    try row("SELECT * FROM enrolment_code WHERE account = ? ORDER BY number DESC LIMIT 1", [id])
      .map(StoredEnrolmentCode.init(row:))
  }

  func insert(_ code: StoredEnrolmentCode) throws {
    try run(
      """
      INSERT INTO enrolment_code (account, expires_at, wallet, verdict, attempts_left, hash)
      VALUES (?, ?, ?, ?, ?, ?)
      """, arguments(code))
  }

  func update(_ code: StoredEnrolmentCode) throws {
    try change(
      """
      UPDATE enrolment_code SET account = ?, expires_at = ?, wallet = ?, verdict = ?,
        attempts_left = ?
      WHERE hash = ?
      """, arguments(code))
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
    try row("SELECT * FROM proofing_session WHERE id = ?", [id])
      .map(StoredProofingSession.init(row:))
  }

  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession? {
    try row("SELECT * FROM proofing_session WHERE code = ? AND wallet = ?", [blob(hash), wallet])
      .map(StoredProofingSession.init(row:))
  }

  func insert(_ session: StoredProofingSession) throws {
    try run(
      """
      INSERT INTO proofing_session (code, account, wallet, expires_at, state, reason, reference,
        idempotency_key, evidence_digest, sealing_key, sealed_record, decided_at, source_matched,
        pid_key, id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, arguments(session))
  }

  func update(_ session: StoredProofingSession) throws {
    try change(
      """
      UPDATE proofing_session SET code = ?, account = ?, wallet = ?, expires_at = ?, state = ?,
        reason = ?, reference = ?, idempotency_key = ?, evidence_digest = ?, sealing_key = ?,
        sealed_record = ?, decided_at = ?, source_matched = ?, pid_key = ?
      WHERE id = ?
      """, arguments(session))
  }

  func deleteProofingSession(id: String) throws {
    try run("DELETE FROM proofing_session WHERE id = ?", [id])
  }

  func deleteProofingSessions(ofAccount account: String, except id: String) throws {
    try run("DELETE FROM proofing_session WHERE account = ? AND id <> ?", [account, id])
  }

  func deleteProofingSessions(expiredBy time: Int64) throws {
    try run(
      """
      UPDATE enrolment_code SET wallet = NULL WHERE verdict IS NULL AND hash IN
        (SELECT code FROM proofing_session WHERE expires_at <= ?)
      """, [time])
    try run("DELETE FROM proofing_session WHERE expires_at <= ?", [time])
  }

  func account(ofDocument digest: [UInt8]) throws -> String? {
    try row("SELECT account FROM proofed_document WHERE digest = ?", [blob(digest)])?
      .text("account")
  }

  func noteDocument(_ digest: [UInt8], account: String) throws {
    if try self.account(ofDocument: digest) == account { return }
    try run(
      "INSERT INTO proofed_document (digest, account) VALUES (?, ?)", [blob(digest), account])
  }

  func deleteDocuments(ofAccount id: String) throws {
    try run("DELETE FROM proofed_document WHERE account = ?", [id])
  }

  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [Int64] {
    try rows(
      "SELECT refused_at FROM refused_claim WHERE wallet = ? AND refused_at > ? ORDER BY refused_at",
      [id, time]
    ).map { try $0.integer("refused_at") }
  }

  func noteRefusedClaim(ofWallet id: String, at time: Int64) throws {
    try run("INSERT INTO refused_claim (wallet, refused_at) VALUES (?, ?)", [id, time])
  }

  func deleteRefusedClaims(before time: Int64) throws {
    try run("DELETE FROM refused_claim WHERE refused_at <= ?", [time])
  }

  func enrolmentPage(hash: [UInt8]) throws -> StoredEnrolmentPage? {
    try row("SELECT * FROM enrolment_page WHERE hash = ?", [blob(hash)])
      .map(StoredEnrolmentPage.init(row:))
  }

  func insert(_ page: StoredEnrolmentPage) throws {
    try run(
      """
      INSERT INTO enrolment_page (account, code, sealing_key, sealed_secret, expires_at, hash)
      VALUES (?, ?, ?, ?, ?, ?)
      """, arguments(page))
  }

  func update(_ page: StoredEnrolmentPage) throws {
    try change(
      """
      UPDATE enrolment_page SET account = ?, code = ?, sealing_key = ?, sealed_secret = ?,
        expires_at = ?
      WHERE hash = ?
      """, arguments(page))
  }

  func deleteEnrolmentPages(expiredBy time: Int64) throws {
    try run("DELETE FROM enrolment_page WHERE expires_at <= ?", [time])
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(database, sql: sql, arguments: arguments)
  }

  func change(_ sql: String, _ arguments: StatementArguments) throws {
    try run(sql, arguments)
    guard database.changesCount == 1 else { throw StoreFailure("a row to change is gone") }
  }

  private func arguments(_ account: StoredAccount) -> StatementArguments {
    [
      account.sealingKey, blob(account.sealedPerson), account.createdAt, account.closed,
      account.lockedUntil, account.failedAttempts, account.failedAt, account.proofedAt,
      account.wallet, account.id,
    ]
  }

  private func arguments(_ code: StoredEnrolmentCode) -> StatementArguments {
    [
      code.account, code.expiresAt, code.wallet, code.verdict?.rawValue, code.attemptsLeft,
      blob(code.hash),
    ]
  }

  private func arguments(_ session: StoredProofingSession) -> StatementArguments {
    [
      blob(session.code), session.account, session.wallet, session.expiresAt,
      session.state.rawValue, session.reason, session.reference,
      session.submission.map { blob($0.idempotencyKey) },
      session.submission.map { blob($0.digest) }, session.record?.key,
      session.record.map { blob($0.content) }, session.decidedAt, session.sourceMatched,
      session.pidKey.map { blob($0) }, session.id,
    ]
  }

  private func arguments(_ page: StoredEnrolmentPage) -> StatementArguments {
    [
      page.account, blob(page.code), page.sealingKey, blob(page.sealedSecret), page.expiresAt,
      blob(page.hash),
    ]
  }
}
