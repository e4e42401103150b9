extension SQLiteSchema {
  /// Accounts, enrolment codes and proofing results. Personal data is sealed or a keyed hash.
  static let proofing = """
    CREATE TABLE account (
      id TEXT PRIMARY KEY NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed_person BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
      locked_until INTEGER,
      proofed_at INTEGER,
      wallet TEXT REFERENCES wallet (id) ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX account_wallet ON account (wallet);

    CREATE TABLE enrolment_code (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      hash BLOB NOT NULL UNIQUE,
      account TEXT NOT NULL REFERENCES account (id),
      expires_at INTEGER NOT NULL,
      wallet TEXT REFERENCES wallet (id) ON DELETE SET NULL,
      verdict TEXT CHECK (verdict IN ('proofed', 'declined', 'exhausted')),
      attempts_left INTEGER NOT NULL CHECK (attempts_left >= 0)
    ) STRICT;
    CREATE INDEX enrolment_code_account ON enrolment_code (account, number);
    CREATE INDEX enrolment_code_wallet ON enrolment_code (wallet);

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
      UNIQUE (code, wallet),
      CHECK ((idempotency_key IS NULL) = (evidence_digest IS NULL)),
      CHECK ((sealing_key IS NULL) = (sealed_record IS NULL))
    ) STRICT;
    CREATE INDEX proofing_session_expiry ON proofing_session (expires_at);
    CREATE INDEX proofing_session_account ON proofing_session (account);
    CREATE INDEX proofing_session_wallet ON proofing_session (wallet);

    CREATE TABLE proofed_document (
      digest BLOB PRIMARY KEY NOT NULL,
      account TEXT NOT NULL REFERENCES account (id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE refused_claim (
      number INTEGER PRIMARY KEY,
      wallet TEXT NOT NULL REFERENCES wallet (id) ON DELETE CASCADE,
      refused_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX refused_claim_wallet ON refused_claim (wallet, refused_at);
    CREATE INDEX refused_claim_time ON refused_claim (refused_at);

    CREATE TABLE enrolment_page (
      hash BLOB PRIMARY KEY NOT NULL,
      account TEXT NOT NULL REFERENCES account (id),
      code BLOB NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed_secret BLOB NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX enrolment_page_expiry ON enrolment_page (expires_at);
    """

  /// Attempts belong to the account, and a proofed session to one PID key. Codes that stayed
  /// claimed after their session had ended are released.
  static let accountAttempts = """
    ALTER TABLE account ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE account ADD COLUMN failed_at INTEGER;
    ALTER TABLE proofing_session ADD COLUMN pid_key BLOB;
    UPDATE enrolment_code SET wallet = NULL WHERE verdict IS NULL
      AND hash NOT IN (SELECT code FROM proofing_session);
    """

  /// When a session takes the place of a proofed wallet, and when that was last refused.
  static let replacements = """
    ALTER TABLE proofing_session ADD COLUMN replaces_at INTEGER;
    ALTER TABLE account ADD COLUMN replacement_refused_at INTEGER;
    """
}
