/// The tables, as migration steps. A published step is never changed. A step must not break
/// replicas that still run the previous version, because replicas are updated one by one. A new
/// column breaks them as soon as a row has a value in it, because the previous version does not
/// know the column: it takes such a row for a forged one, and does not write all of it. While
/// replicas of both versions may run, leave a new column NULL.
enum PostgreSQLSchema {
  /// The statements of each step; the first step makes version 1. The steps up to `firstVersion`
  /// are performed together.
  static let steps: [[String]] = [
    [], [], [], walletTables + proofingTables + sharedTables,
    statusTables + ["ALTER TABLE wallet ADD COLUMN pin_proven_at BIGINT"],
  ]

  /// The first version whose wallets have a PIN key that an evaluator knows. Older databases are
  /// refused. Authenticating rows of before version 2 now would also accept rows that an attacker
  /// wrote before resetting the version.
  static let firstVersion = 4

  /// Whether a database of this version is refused.
  static func isTooOld(_ version: Int) -> Bool { (1..<firstVersion).contains(version) }

  /// The columns that authenticate a row; see `RowAuthentication`.
  static let authentication =
    "authentication_key TEXT NOT NULL, authentication BYTEA NOT NULL"

  private static let walletTables = [
    // The fill factor leaves free space on each page, so that a row that changes often can stay on
    // its page.
    """
    CREATE TABLE wallet (
      id TEXT COLLATE "C" PRIMARY KEY,
      registration TEXT NOT NULL,
      hardware_key BYTEA NOT NULL,
      hardware_key_hash BYTEA NOT NULL UNIQUE,
      sealing_key TEXT NOT NULL,
      sealed_pin_key BYTEA NOT NULL,
      pin_key_id TEXT NOT NULL,
      sealed_half BYTEA NOT NULL,
      sealed_share BYTEA NOT NULL,
      sequence BIGINT NOT NULL CHECK (sequence >= 0),
      confirmed BOOLEAN NOT NULL,
      registered_at BIGINT NOT NULL,
      wrong_attempts BIGINT NOT NULL CHECK (wrong_attempts >= 0),
      failures BIGINT NOT NULL CHECK (failures >= 0),
      failed_at BIGINT,
      failed_days TEXT,
      blocked_since BIGINT,
      blocked_for BIGINT,
      block_restarted BIGINT,
      blocked_permanently BOOLEAN NOT NULL,
      pending_change TEXT,
      attempt_since BIGINT,
      evaluation TEXT,
      pending_pin_key_id TEXT,
      pending_sealed_half BYTEA,
      pending_sealed_pin_key BYTEA,
      committed_change TEXT,
      \(authentication),
      CHECK ((pending_change IS NULL) = (pending_pin_key_id IS NULL)),
      CHECK ((pending_change IS NULL) = (pending_sealed_half IS NULL)),
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
      \(authentication),
      CHECK ((request_hash IS NULL) = (answer IS NULL))
    )
    """,
    "CREATE INDEX challenge_expiry ON challenge (expires_at)",
    "CREATE INDEX challenge_wallet ON challenge (wallet, number)",
  ]

  /// Accounts, enrolment codes and proofing results. Personal data is sealed or a keyed hash.
  ///
  /// A wallet is deleted only once no account refers to it. A code may name a wallet that no longer
  /// exists.
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
      replacement_refused_at BIGINT,
      wallet TEXT REFERENCES wallet (id),
      \(authentication)
    )
    """,
    "CREATE INDEX account_wallet ON account (wallet)",
    """
    CREATE TABLE enrolment_code (
      number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hash BYTEA NOT NULL UNIQUE,
      account TEXT NOT NULL REFERENCES account (id),
      expires_at BIGINT NOT NULL,
      wallet TEXT,
      verdict TEXT CHECK (verdict IN ('proofed', 'declined', 'exhausted')),
      attempts_left BIGINT NOT NULL CHECK (attempts_left >= 0),
      \(authentication)
    )
    """,
    "CREATE INDEX enrolment_code_account ON enrolment_code (account, number)",
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
      replaces_at BIGINT,
      waits_since BIGINT,
      \(authentication),
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
      account TEXT NOT NULL REFERENCES account (id),
      \(authentication)
    )
    """,
    "CREATE INDEX proofed_document_account ON proofed_document (account)",
    """
    CREATE TABLE refused_claim (
      id TEXT COLLATE "C" PRIMARY KEY,
      wallet TEXT NOT NULL REFERENCES wallet (id) ON DELETE CASCADE,
      refused_at BIGINT NOT NULL,
      \(authentication)
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
      expires_at BIGINT NOT NULL,
      \(authentication)
    )
    """,
    "CREATE INDEX enrolment_page_expiry ON enrolment_page (expires_at)",
    "CREATE INDEX enrolment_page_account ON enrolment_page (account)",
  ]

  /// What replicas share besides the rows above: the provider's id and configuration in one row,
  /// and sealed secrets.
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
      name TEXT COLLATE "C" PRIMARY KEY,
      sealing_key TEXT NOT NULL,
      sealed BYTEA NOT NULL,
      \(authentication)
    )
    """,
  ]
}
