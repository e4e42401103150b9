extension PostgreSQLSchema {
  /// Status lists and their assigned entries. An entry outlives its wallet and its account, because
  /// its list goes on to show that it is revoked.
  static let statusTables = [
    """
    CREATE TABLE status_list (
      id TEXT COLLATE "C" PRIMARY KEY,
      uri TEXT NOT NULL,
      size BIGINT NOT NULL CHECK (size > 0),
      created_at BIGINT NOT NULL,
      assigned BIGINT NOT NULL CHECK (assigned BETWEEN 0 AND size),
      closed BOOLEAN NOT NULL,
      \(authentication)
    )
    """,
    "CREATE UNIQUE INDEX status_list_open ON status_list (closed) WHERE NOT closed",
    """
    CREATE TABLE status_entry (
      id TEXT COLLATE "C" PRIMARY KEY,
      list TEXT NOT NULL,
      list_index BIGINT NOT NULL CHECK (list_index >= 0),
      issuance TEXT NOT NULL,
      copy BIGINT NOT NULL CHECK (copy >= 0),
      wallet TEXT NOT NULL,
      account TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      revoked_at BIGINT,
      \(authentication),
      UNIQUE (list, list_index),
      UNIQUE (issuance, copy)
    )
    """,
    """
    CREATE INDEX status_entry_revoked ON status_entry (list, list_index)
      WHERE revoked_at IS NOT NULL
    """,
    "CREATE INDEX status_entry_expiry ON status_entry (list, expires_at)",
    "CREATE INDEX status_entry_wallet ON status_entry (wallet)",
    "CREATE INDEX status_entry_account ON status_entry (account)",
  ]
}
