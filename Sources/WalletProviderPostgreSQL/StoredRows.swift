import WalletProvider

// How the rows of wallets and challenges are read and written, in the order of the columns in `Table`.

extension StoredWallet {
  init(row: Row) throws {
    guard let sequence = UInt64(exactly: try row.integer("sequence")) else {
      throw StoreFailure.unreadable("sequence")
    }
    var attempts = AttemptState(
      wrongAttempts: Int(clamping: try row.integer("wrong_attempts")),
      blockedPermanently: try row.flag("blocked_permanently"))
    if let since = try row.optionalInteger("blocked_since"),
      let duration = try row.optionalInteger("blocked_for")
    {
      attempts.block = AttemptBlock(
        since: since, duration: duration, restarted: try row.optionalInteger("block_restarted"))
    }
    var pending: PendingPinKey?
    if let change = try row.optionalText("pending_change") {
      pending = PendingPinKey(
        change: change, sealedKey: try row.bytes("pending_sealed_pin_key"))
    }
    self.init(
      id: try row.text("id"), registration: try row.text("registration"),
      hardwareKey: try row.bytes("hardware_key"),
      hardwareKeyHash: try row.bytes("hardware_key_hash"),
      sealingKey: try row.text("sealing_key"), sealedPinKey: try row.bytes("sealed_pin_key"),
      sealedShare: try row.bytes("sealed_share"), sequence: sequence,
      confirmed: try row.flag("confirmed"), registeredAt: try row.integer("registered_at"),
      attempts: attempts, pending: pending,
      committedChange: try row.optionalText("committed_change"))
  }

  func values() throws -> [Value] {
    guard let sequence = Int64(exactly: sequence) else {
      throw StoreFailure("a sequence number does not fit its column")
    }
    return [
      .text(registration), .bytes(hardwareKey), .bytes(hardwareKeyHash), .text(sealingKey),
      .bytes(sealedPinKey), .bytes(sealedShare), .integer(sequence), .flag(confirmed),
      .integer(registeredAt), .integer(Int64(attempts.wrongAttempts)),
      .optional(attempts.block?.since), .optional(attempts.block?.duration),
      .optional(attempts.block?.restarted), .flag(attempts.blockedPermanently),
      .optional(pending?.change), .optional(pending?.sealedKey), .optional(committedChange),
      .text(id),
    ]
  }
}

extension StoredChallenge {
  init(row: Row) throws {
    self.init(
      challenge: try row.bytes("challenge"), purpose: try row.text("purpose"),
      wallet: try row.optionalText("wallet"), expiresAt: try row.integer("expires_at"))
    if let hash = try row.optionalBytes("request_hash"), let answer = try row.optionalText("answer")
    {
      use = StoredChallenge.Use(requestHash: hash, answer: answer)
    }
  }

  var values: [Value] {
    [
      .text(purpose), .optional(wallet), .integer(expiresAt), .optional(use?.requestHash),
      .optional(use?.answer), .bytes(challenge),
    ]
  }
}
