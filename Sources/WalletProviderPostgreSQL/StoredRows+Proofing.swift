import WalletProvider

// The same for the rows of the identity proofing.

extension StoredAccount {
  init(row: Row) throws {
    self.init(
      id: try row.text("id"), sealingKey: try row.text("sealing_key"),
      sealedPerson: try row.bytes("sealed_person"), createdAt: try row.integer("created_at"),
      closed: try row.flag("closed"), lockedUntil: try row.optionalInteger("locked_until"),
      failedAttempts: Int(clamping: try row.integer("failed_attempts")),
      failedAt: try row.optionalInteger("failed_at"),
      proofedAt: try row.optionalInteger("proofed_at"), wallet: try row.optionalText("wallet"))
  }

  var values: [Value] {
    [
      .text(sealingKey), .bytes(sealedPerson), .integer(createdAt), .flag(closed),
      .optional(lockedUntil), .integer(Int64(failedAttempts)), .optional(failedAt),
      .optional(proofedAt), .optional(wallet), .text(id),
    ]
  }
}

extension StoredEnrolmentCode {
  init(row: Row) throws {
    let verdict = try row.optionalText("verdict")
      .map { StoredProofingSession.State(rawValue: $0) }
    // A text that is no verdict is not the same as none.
    guard verdict != .some(nil) else { throw StoreFailure.unreadable("verdict") }
    self.init(
      hash: try row.bytes("hash"), account: try row.text("account"),
      expiresAt: try row.integer("expires_at"), wallet: try row.optionalText("wallet"),
      verdict: verdict ?? nil, attemptsLeft: Int(clamping: try row.integer("attempts_left")))
  }

  var values: [Value] {
    [
      .text(account), .integer(expiresAt), .optional(wallet), .optional(verdict?.rawValue),
      .integer(Int64(attemptsLeft)), .bytes(hash),
    ]
  }
}

extension StoredProofingSession {
  init(row: Row) throws {
    guard let state = State(rawValue: try row.text("state")) else {
      throw StoreFailure.unreadable("state")
    }
    self.init(
      id: try row.text("id"), code: try row.bytes("code"), account: try row.text("account"),
      wallet: try row.text("wallet"), expiresAt: try row.integer("expires_at"), state: state,
      reason: try row.optionalText("reason"), reference: try row.optionalText("reference"),
      decidedAt: try row.optionalInteger("decided_at"),
      sourceMatched: try row.flag("source_matched"), pidKey: try row.optionalBytes("pid_key"))
    if let key = try row.optionalBytes("idempotency_key"),
      let digest = try row.optionalBytes("evidence_digest")
    {
      submission = Submission(idempotencyKey: key, digest: digest)
    }
    if let key = try row.optionalText("sealing_key"),
      let content = try row.optionalBytes("sealed_record")
    {
      record = SealedRecord(key: key, content: content)
    }
  }

  var values: [Value] {
    [
      .bytes(code), .text(account), .text(wallet), .integer(expiresAt), .text(state.rawValue),
      .optional(reason), .optional(reference), .optional(submission?.idempotencyKey),
      .optional(submission?.digest), .optional(record?.key), .optional(record?.content),
      .optional(decidedAt), .flag(sourceMatched), .optional(pidKey), .text(id),
    ]
  }
}

extension StoredEnrolmentPage {
  init(row: Row) throws {
    self.init(
      hash: try row.bytes("hash"), account: try row.text("account"), code: try row.bytes("code"),
      sealingKey: try row.text("sealing_key"), sealedSecret: try row.bytes("sealed_secret"),
      expiresAt: try row.integer("expires_at"))
  }

  var values: [Value] {
    [
      .text(account), .bytes(code), .text(sealingKey), .bytes(sealedSecret), .integer(expiresAt),
      .bytes(hash),
    ]
  }
}
