import WalletAttempts
import WalletProtocol

// Wallets and their challenges as rows.

extension StoredWallet: StoredRow {
  public static let table = StoredTable.wallet

  public init(columns: some ColumnReader) throws {
    guard let sequence = UInt64(exactly: try columns.integer("sequence")) else {
      throw StoreFailure.unreadable("sequence")
    }
    var attempts = AttemptState(
      wrongAttempts: try columns.count("wrong_attempts"),
      blockedPermanently: try columns.flag("blocked_permanently"),
      failures: try columns.count("failures"), failedAt: try columns.optionalTime("failed_at"),
      openSince: try columns.optionalTime("attempt_since"))
    if let days = try columns.optionalText("failed_days") {
      guard let recent = RecentFailures(days) else { throw StoreFailure.unreadable("failed_days") }
      attempts.recent = recent
    }
    if let since = try columns.optionalTime("blocked_since"),
      let duration = try columns.optionalInteger("blocked_for")
    {
      attempts.block = AttemptBlock(
        since: since, duration: duration, restarted: try columns.optionalTime("block_restarted"))
    }
    var evaluation: StoredEvaluation?
    if let text = try columns.optionalText("evaluation") {
      guard let stored = try? StoredEvaluation(json: text) else {
        throw StoreFailure.unreadable("evaluation")
      }
      evaluation = stored
    }
    var pending: PendingPinKey?
    if let change = try columns.optionalText("pending_change") {
      pending = PendingPinKey(
        change: change, pinKeyID: try columns.text("pending_pin_key_id"),
        sealedHalf: try columns.bytes("pending_sealed_half"),
        sealedKey: try columns.optionalBytes("pending_sealed_pin_key"))
    }
    self.init(
      id: try columns.text("id"), registration: try columns.text("registration"),
      hardwareKey: try columns.bytes("hardware_key"),
      hardwareKeyHash: try columns.bytes("hardware_key_hash"),
      sealingKey: try columns.text("sealing_key"),
      sealedPinKey: try columns.bytes("sealed_pin_key"),
      pinKeyID: try columns.text("pin_key_id"), sealedHalf: try columns.bytes("sealed_half"),
      sealedShare: try columns.bytes("sealed_share"), sequence: sequence,
      confirmed: try columns.flag("confirmed"), registeredAt: try columns.time("registered_at"),
      attempts: attempts, evaluation: evaluation, pending: pending,
      committedChange: try columns.optionalText("committed_change"),
      pinProvenAt: try columns.optionalTime("pin_proven_at"))
  }

  public func values() throws -> [StoredValue] {
    guard let sequence = Int64(exactly: sequence) else {
      throw StoreFailure("a sequence number does not fit its column")
    }
    return [
      .text(registration), .bytes(hardwareKey), .bytes(hardwareKeyHash), .text(sealingKey),
      .bytes(sealedPinKey), .text(pinKeyID), .bytes(sealedHalf), .bytes(sealedShare),
      .integer(sequence), .flag(confirmed),
      .integer(registeredAt), .integer(Int64(attempts.wrongAttempts)),
      .optional(attempts.block?.since), .optional(attempts.block?.duration),
      .optional(attempts.block?.restarted), .flag(attempts.blockedPermanently),
      .integer(Int64(attempts.failures)), .optional(attempts.failedAt),
      .optional(attempts.recent.text), .optional(attempts.openSince),
      .optional(try evaluation?.json),
      .optional(pending?.change), .optional(pending?.pinKeyID), .optional(pending?.sealedHalf),
      .optional(pending?.sealedKey), .optional(committedChange), .optional(pinProvenAt),
    ]
  }

  public var key: StoredValue { .text(id) }
}

extension StoredChallenge: StoredRow {
  public static let table = StoredTable.challenge

  public init(columns: some ColumnReader) throws {
    self.init(
      challenge: try columns.bytes("challenge"), purpose: try columns.text("purpose"),
      wallet: try columns.optionalText("wallet"), expiresAt: try columns.time("expires_at"))
    if let hash = try columns.optionalBytes("request_hash"),
      let answer = try columns.optionalText("answer")
    {
      use = Use(requestHash: hash, answer: answer)
    }
  }

  public func values() -> [StoredValue] {
    [
      .text(purpose), .optional(wallet), .integer(expiresAt), .optional(use?.requestHash),
      .optional(use?.answer),
    ]
  }

  public var key: StoredValue { .bytes(challenge) }
}
