/// The tables, as migration steps. A published step is never changed. A step must not break
/// replicas of the previous version, because replicas are replaced one by one.
enum PostgreSQLSchema {
  /// The statements of each step; the first step makes version 1.
  static let steps: [[String]] = [
    walletTables + proofingTables + sharedTables,
    replacements,
    // Challenges of registrations are no longer stored, so nothing counts them.
    ["DROP INDEX IF EXISTS challenge_enrolment"],
    failures,
  ]

  /// The wrong PINs since the registration, the time of the last one, and those of the last days.
  private static let failures = [
    "ALTER TABLE wallet ADD COLUMN failures BIGINT NOT NULL DEFAULT 0 CHECK (failures >= 0)",
    "ALTER TABLE wallet ADD COLUMN failed_at BIGINT",
    "ALTER TABLE wallet ADD COLUMN failed_days TEXT",
  ]

  private static let walletTables = [
    // Free space on each page, so that frequently changed columns are updated in place.
    """
    CREATE TABLE wallet (
      id TEXT COLLATE "C" PRIMARY KEY,
      registration TEXT NOT NULL,
      hardware_key BYTEA NOT NULL,
      hardware_key_hash BYTEA NOT NULL UNIQUE,
      sealing_key TEXT NOT NULL,
      sealed_pin_key BYTEA NOT NULL,
      sealed_share BYTEA NOT NULL,
      sequence BIGINT NOT NULL CHECK (sequence >= 0),
      confirmed BOOLEAN NOT NULL,
      registered_at BIGINT NOT NULL,
      wrong_attempts BIGINT NOT NULL CHECK (wrong_attempts >= 0),
      blocked_since BIGINT,
      blocked_for BIGINT,
      block_restarted BIGINT,
      blocked_permanently BOOLEAN NOT NULL,
      pending_change TEXT,
      pending_sealed_pin_key BYTEA,
      committed_change TEXT,
      CHECK ((pending_change IS NULL) = (pending_sealed_pin_key IS NULL)),
      CHECK ((blocked_since IS NULL) = (blocked_for IS NULL))
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX wallet_unconfirmed ON wallet (registered_at) WHERE NOT confirmed",
    """
    CREATE TABLE challenge (
      number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      challenge BYTEA NOT NULL UNIQUE,
      purpose TEXT NOT NULL,
      wallet TEXT,
      expires_at BIGINT NOT NULL,
      request_hash BYTEA,
      answer TEXT,
      CHECK ((request_hash IS NULL) = (answer IS NULL))
    )
    """,
    "CREATE INDEX challenge_expiry ON challenge (expires_at)",
    "CREATE INDEX challenge_wallet ON challenge (wallet, number)",
    "CREATE INDEX challenge_enrolment ON challenge (expires_at) WHERE wallet IS NULL",
  ]

  /// Accounts, enrolment codes and proofing results. Personal data is sealed or a keyed hash.
  private static let proofingTables = [
    """
    CREATE TABLE account (
      id TEXT COLLATE "C" PRIMARY KEY,
      sealing_key TEXT NOT NULL,
      sealed_person BYTEA NOT NULL,
      created_at BIGINT NOT NULL,
      closed BOOLEAN NOT NULL,
      locked_until BIGINT,
      failed_attempts BIGINT NOT NULL,
      failed_at BIGINT,
      proofed_at BIGINT,
      wallet TEXT REFERENCES wallet (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX account_wallet ON account (wallet)",
    """
    CREATE TABLE enrolment_code (
      number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hash BYTEA NOT NULL UNIQUE,
      account TEXT NOT NULL REFERENCES account (id),
      expires_at BIGINT NOT NULL,
      wallet TEXT REFERENCES wallet (id) ON DELETE SET NULL,
      verdict TEXT CHECK (verdict IN ('proofed', 'declined', 'exhausted')),
      attempts_left BIGINT NOT NULL CHECK (attempts_left >= 0)
    )
    """,
    "CREATE INDEX enrolment_code_account ON enrolment_code (account, number)",
    "CREATE INDEX enrolment_code_wallet ON enrolment_code (wallet)",
    """
    CREATE TABLE proofing_session (
      id TEXT COLLATE "C" PRIMARY KEY,
      code BYTEA NOT NULL REFERENCES enrolment_code (hash),
      account TEXT NOT NULL REFERENCES account (id),
      wallet TEXT NOT NULL REFERENCES wallet (id) ON DELETE CASCADE,
      expires_at BIGINT NOT NULL,
      state TEXT NOT NULL CHECK (state IN
        ('open', 'pending', 'proofed', 'resubmit', 'source_unavailable', 'declined', 'exhausted')),
      reason TEXT,
      reference TEXT,
      idempotency_key BYTEA,
      evidence_digest BYTEA,
      sealing_key TEXT,
      sealed_record BYTEA,
      decided_at BIGINT,
      source_matched BOOLEAN NOT NULL,
      pid_key BYTEA,
      UNIQUE (code, wallet),
      CHECK ((idempotency_key IS NULL) = (evidence_digest IS NULL)),
      CHECK ((sealing_key IS NULL) = (sealed_record IS NULL))
    )
    """,
    "CREATE INDEX proofing_session_expiry ON proofing_session (expires_at)",
    "CREATE INDEX proofing_session_account ON proofing_session (account)",
    "CREATE INDEX proofing_session_wallet ON proofing_session (wallet)",
    """
    CREATE TABLE proofed_document (
      digest BYTEA PRIMARY KEY,
      account TEXT NOT NULL REFERENCES account (id)
    )
    """,
    "CREATE INDEX proofed_document_account ON proofed_document (account)",
    """
    CREATE TABLE refused_claim (
      number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      wallet TEXT NOT NULL REFERENCES wallet (id) ON DELETE CASCADE,
      refused_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX refused_claim_wallet ON refused_claim (wallet, refused_at)",
    "CREATE INDEX refused_claim_time ON refused_claim (refused_at)",
    """
    CREATE TABLE enrolment_page (
      hash BYTEA PRIMARY KEY,
      account TEXT NOT NULL REFERENCES account (id),
      code BYTEA NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed_secret BYTEA NOT NULL,
      expires_at BIGINT NOT NULL
    )
    """,
    "CREATE INDEX enrolment_page_expiry ON enrolment_page (expires_at)",
    "CREATE INDEX enrolment_page_account ON enrolment_page (account)",
  ]

  /// When a session takes the place of a proofed wallet, and when that was last refused.
  private static let replacements = [
    "ALTER TABLE proofing_session ADD COLUMN replaces_at BIGINT",
    "ALTER TABLE account ADD COLUMN replacement_refused_at BIGINT",
  ]

  /// What replicas share besides their keys: one row, and sealed secrets.
  private static let sharedTables = [
    """
    CREATE TABLE provider (
      only_row BOOLEAN PRIMARY KEY DEFAULT true CHECK (only_row),
      id TEXT NOT NULL,
      configuration TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE provider_secret (
      name TEXT PRIMARY KEY,
      sealing_key TEXT NOT NULL,
      sealed BYTEA NOT NULL
    )
    """,
  ]
}
