// The records of identity proofing as rows.

extension StoredAccount: StoredRow {
  public static let table = StoredTable.account

  public init(columns: some ColumnReader) throws {
    self.init(
      id: try columns.text("id"), sealingKey: try columns.text("sealing_key"),
      sealedPerson: try columns.bytes("sealed_person"), createdAt: try columns.time("created_at"),
      closed: try columns.flag("closed"), lockedUntil: try columns.optionalTime("locked_until"),
      failedAttempts: try columns.count("failed_attempts"),
      failedAt: try columns.optionalTime("failed_at"),
      proofedAt: try columns.optionalTime("proofed_at"),
      wallet: try columns.optionalText("wallet"),
      replacementRefusedAt: try columns.optionalTime("replacement_refused_at"))
  }

  public func values() -> [StoredValue] {
    [
      .text(sealingKey), .bytes(sealedPerson), .integer(createdAt), .flag(closed),
      .optional(lockedUntil), .integer(Int64(failedAttempts)), .optional(failedAt),
      .optional(proofedAt), .optional(wallet), .optional(replacementRefusedAt),
    ]
  }

  public var key: StoredValue { .text(id) }
}

extension StoredEnrolmentCode: StoredRow {
  public static let table = StoredTable.code

  public init(columns: some ColumnReader) throws {
    let verdict = try columns.optionalText("verdict")
      .map { StoredProofingSession.State(rawValue: $0) }
    // An unknown verdict is not the same as no verdict.
    guard verdict != .some(nil) else { throw StoreFailure.unreadable("verdict") }
    self.init(
      hash: try columns.bytes("hash"), account: try columns.text("account"),
      expiresAt: try columns.time("expires_at"), wallet: try columns.optionalText("wallet"),
      verdict: verdict ?? nil, attemptsLeft: try columns.count("attempts_left"))
  }

  public func values() -> [StoredValue] {
    [
      .text(account), .integer(expiresAt), .optional(wallet), .optional(verdict?.rawValue),
      .integer(Int64(attemptsLeft)),
    ]
  }

  public var key: StoredValue { .bytes(hash) }
}

extension StoredProofingSession: StoredRow {
  public static let table = StoredTable.session

  public init(columns: some ColumnReader) throws {
    guard let state = State(rawValue: try columns.text("state")) else {
      throw StoreFailure.unreadable("state")
    }
    self.init(
      id: try columns.text("id"), code: try columns.bytes("code"),
      account: try columns.text("account"), wallet: try columns.text("wallet"),
      expiresAt: try columns.time("expires_at"), state: state,
      reason: try columns.optionalText("reason"), reference: try columns.optionalText("reference"),
      decidedAt: try columns.optionalTime("decided_at"),
      sourceMatched: try columns.flag("source_matched"),
      pidKeys: try columns.optionalBytes("pid_key"),
      replacesAt: try columns.optionalTime("replaces_at"),
      waitsSince: try columns.optionalTime("waits_since"))
    if let key = try columns.optionalBytes("idempotency_key"),
      let digest = try columns.optionalBytes("evidence_digest")
    {
      submission = Submission(idempotencyKey: key, digest: digest)
    }
    if let key = try columns.optionalText("sealing_key"),
      let content = try columns.optionalBytes("sealed_record")
    {
      record = SealedRecord(key: key, content: content)
    }
  }

  public func values() -> [StoredValue] {
    [
      .bytes(code), .text(account), .text(wallet), .integer(expiresAt), .text(state.rawValue),
      .optional(reason), .optional(reference), .optional(submission?.idempotencyKey),
      .optional(submission?.digest), .optional(record?.key), .optional(record?.content),
      .optional(decidedAt), .flag(sourceMatched), .optional(pidKeys), .optional(replacesAt),
      .optional(waitsSince),
    ]
  }

  public var key: StoredValue { .text(id) }
}

extension StoredEnrolmentPage: StoredRow {
  public static let table = StoredTable.page

  public init(columns: some ColumnReader) throws {
    self.init(
      hash: try columns.bytes("hash"), account: try columns.text("account"),
      code: try columns.bytes("code"), sealingKey: try columns.text("sealing_key"),
      sealedSecret: try columns.bytes("sealed_secret"), expiresAt: try columns.time("expires_at"))
  }

  public func values() -> [StoredValue] {
    [
      .text(account), .bytes(code), .text(sealingKey), .bytes(sealedSecret), .integer(expiresAt),
    ]
  }

  public var key: StoredValue { .bytes(hash) }
}
