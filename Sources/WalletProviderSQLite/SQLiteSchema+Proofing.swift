extension SQLiteSchema {
  /// Accounts, enrolment codes and proofing results. Personal data is sealed or a keyed hash.
  ///
  /// A wallet is deleted only once no account refers to it. A code may name a wallet that no longer
  /// exists.
  static let proofingTables = """
    CREATE TABLE account (
      id TEXT PRIMARY KEY NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed_person BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
      locked_until INTEGER,
      failed_attempts INTEGER NOT NULL,
      failed_at INTEGER,
      proofed_at INTEGER,
      replacement_refused_at INTEGER,
      wallet TEXT REFERENCES wallet (id),
      \(authentication)
    ) STRICT;
    CREATE INDEX account_wallet ON account (wallet);

    CREATE TABLE enrolment_code (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      hash BLOB NOT NULL UNIQUE,
      account TEXT NOT NULL REFERENCES account (id),
      expires_at INTEGER NOT NULL,
      wallet TEXT,
      verdict TEXT CHECK (verdict IN ('proofed', 'declined', 'exhausted')),
      attempts_left INTEGER NOT NULL CHECK (attempts_left >= 0),
      \(authentication)
    ) STRICT;
    CREATE INDEX enrolment_code_account ON enrolment_code (account, number);

    CREATE TABLE proofing_session (
      id TEXT PRIMARY KEY NOT NULL,
      code BLOB NOT NULL REFERENCES enrolment_code (hash),
      account TEXT NOT NULL REFERENCES account (id),
      wallet TEXT NOT NULL REFERENCES wallet (id) ON DELETE CASCADE,
      expires_at INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN
        ('open', 'pending', 'proofed', 'resubmit', 'source_unavailable', 'declined', 'exhausted')),
      reason TEXT,
      reference TEXT,
      idempotency_key BLOB,
      evidence_digest BLOB,
      sealing_key TEXT,
      sealed_record BLOB,
      decided_at INTEGER,
      source_matched INTEGER NOT NULL CHECK (source_matched IN (0, 1)),
      pid_key BLOB,
      replaces_at INTEGER,
      waits_since INTEGER,
      \(authentication),
      UNIQUE (code, wallet),
      CHECK ((idempotency_key IS NULL) = (evidence_digest IS NULL)),
      CHECK ((sealing_key IS NULL) = (sealed_record IS NULL))
    ) STRICT;
    CREATE INDEX proofing_session_expiry ON proofing_session (expires_at);
    CREATE INDEX proofing_session_account ON proofing_session (account);
    CREATE INDEX proofing_session_wallet ON proofing_session (wallet);

    CREATE TABLE proofed_document (
      digest BLOB PRIMARY KEY NOT NULL,
      account TEXT NOT NULL REFERENCES account (id),
      \(authentication)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX proofed_document_account ON proofed_document (account);

    CREATE TABLE refused_claim (
      id TEXT PRIMARY KEY NOT NULL,
      wallet TEXT NOT NULL REFERENCES wallet (id) ON DELETE CASCADE,
      refused_at INTEGER NOT NULL,
      \(authentication)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refused_claim_wallet ON refused_claim (wallet, refused_at);
    CREATE INDEX refused_claim_time ON refused_claim (refused_at);

    CREATE TABLE enrolment_page (
      hash BLOB PRIMARY KEY NOT NULL,
      account TEXT NOT NULL REFERENCES account (id),
      code BLOB NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed_secret BLOB NOT NULL,
      expires_at INTEGER NOT NULL,
      \(authentication)
    ) STRICT;
    CREATE INDEX enrolment_page_expiry ON enrolment_page (expires_at);

    """
}
