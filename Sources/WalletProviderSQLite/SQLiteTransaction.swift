import GRDB
import WalletProvider

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rows through one open transaction.
struct SQLiteTransaction: ProviderTransaction {
  let database: Database
  let now: Int64

  func wallet(id: String) throws -> StoredWallet? {
    try row("SELECT * FROM wallet WHERE id = ?", [id]).map(StoredWallet.init(row:))
  }

  func wallet(hardwareKeyHash: [UInt8]) throws -> StoredWallet? {
    try row("SELECT * FROM wallet WHERE hardware_key_hash = ?", [blob(hardwareKeyHash)])
      .map(StoredWallet.init(row:))
  }

  func insert(_ wallet: StoredWallet) throws {
    try run(
      """
      INSERT INTO wallet (registration, hardware_key, hardware_key_hash, sealing_key,
        sealed_pin_key, sealed_share, sequence, confirmed, registered_at, wrong_attempts,
        blocked_since, blocked_for, block_restarted, blocked_permanently, pending_change,
        pending_sealed_pin_key, committed_change, id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, try arguments(wallet))
  }

  func update(_ wallet: StoredWallet) throws {
    try run(
      """
      UPDATE wallet SET registration = ?, hardware_key = ?, hardware_key_hash = ?, sealing_key = ?,
        sealed_pin_key = ?, sealed_share = ?, sequence = ?, confirmed = ?, registered_at = ?,
        wrong_attempts = ?, blocked_since = ?, blocked_for = ?, block_restarted = ?,
        blocked_permanently = ?, pending_change = ?, pending_sealed_pin_key = ?,
        committed_change = ?
      WHERE id = ?
      """, try arguments(wallet))
    guard database.changesCount == 1 else { throw StoreFailure("an account to change is gone") }
  }

  func deleteWallet(id: String) throws {
    try run("DELETE FROM challenge WHERE wallet = ?", [id])
    try run("DELETE FROM wallet WHERE id = ?", [id])
  }

  func deleteUnconfirmedWallets(registeredBy time: Int64) throws {
    try run(
      """
      DELETE FROM challenge WHERE wallet IN
        (SELECT id FROM wallet WHERE confirmed = 0 AND registered_at <= ?)
      """, [time])
    try run("DELETE FROM wallet WHERE confirmed = 0 AND registered_at <= ?", [time])
  }

  func challenge(_ challenge: [UInt8]) throws -> StoredChallenge? {
    try row("SELECT * FROM challenge WHERE challenge = ?", [blob(challenge)])
      .map(StoredChallenge.init(row:))
  }

  func insert(_ challenge: StoredChallenge) throws {
    try run(
      """
      INSERT INTO challenge (purpose, wallet, expires_at, request_hash, answer, challenge)
      VALUES (?, ?, ?, ?, ?, ?)
      """, arguments(challenge))
  }

  func update(_ challenge: StoredChallenge) throws {
    try run(
      """
      UPDATE challenge SET purpose = ?, wallet = ?, expires_at = ?, request_hash = ?, answer = ?
      WHERE challenge = ?
      """, arguments(challenge))
    guard database.changesCount == 1 else { throw StoreFailure("a challenge to change is gone") }
  }

  func deleteChallenges(expiredBy time: Int64) throws {
    try run("DELETE FROM challenge WHERE expires_at <= ?", [time])
  }

  func unusedEnrolmentChallenges(at time: Int64, upTo limit: Int) throws -> Int {
    let row = try row(
      """
      SELECT count(*) AS number FROM (SELECT 1 FROM challenge
        WHERE wallet IS NULL AND expires_at > ? LIMIT ?)
      """, [time, limit])
    return Int(clamping: try row?.integer("number") ?? 0)
  }

  func hasEndedRows(by time: Int64) throws -> Bool {
    let row = try row(
      """
      SELECT EXISTS (SELECT 1 FROM challenge WHERE expires_at <= ?1)
        OR EXISTS (SELECT 1 FROM proofing_session WHERE expires_at <= ?1)
        OR EXISTS (SELECT 1 FROM enrolment_page WHERE expires_at <= ?1) AS found
      """, [time])
    return try row?.integer("found") == 1
  }

  func keepLatestChallenges(_ count: Int, ofWallet id: String) throws {
    try run(
      """
      DELETE FROM challenge WHERE wallet = ? AND number <=
        (SELECT number FROM challenge WHERE wallet = ? ORDER BY number DESC LIMIT 1 OFFSET ?)
      """, [id, id, count])
  }

  func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql), arguments: arguments)
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql).execute(arguments: arguments)
  }

  private func cachedStatement(_ sql: String) throws -> Statement {
    try database.cachedStatement(sql: sql)
  }

  private func arguments(_ wallet: StoredWallet) throws -> StatementArguments {
    guard let sequence = Int64(exactly: wallet.sequence) else {
      throw StoreFailure("a sequence number does not fit its column")
    }
    return [
      wallet.registration, blob(wallet.hardwareKey), blob(wallet.hardwareKeyHash),
      wallet.sealingKey, blob(wallet.sealedPinKey), blob(wallet.sealedShare), sequence,
      wallet.confirmed, wallet.registeredAt, wallet.attempts.wrongAttempts,
      wallet.attempts.block?.since, wallet.attempts.block?.duration,
      wallet.attempts.block?.restarted, wallet.attempts.blockedPermanently, wallet.pending?.change,
      wallet.pending.map { blob($0.sealedKey) }, wallet.committedChange, wallet.id,
    ]
  }

  private func arguments(_ challenge: StoredChallenge) -> StatementArguments {
    [
      challenge.purpose, challenge.wallet, challenge.expiresAt,
      challenge.use.map { blob($0.requestHash) }, challenge.use?.answer, blob(challenge.challenge),
    ]
  }

  func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }
}
