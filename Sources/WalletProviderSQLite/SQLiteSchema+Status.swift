extension SQLiteSchema {
  /// Status lists and their assigned entries. An entry outlives its wallet and its account, because
  /// its list goes on to show that it is revoked.
  static let statusTables = """
    CREATE TABLE status_list (
      id TEXT PRIMARY KEY NOT NULL,
      uri TEXT NOT NULL,
      size INTEGER NOT NULL CHECK (size > 0),
      created_at INTEGER NOT NULL,
      assigned INTEGER NOT NULL CHECK (assigned BETWEEN 0 AND size),
      closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
      \(authentication)
    ) STRICT;
    CREATE UNIQUE INDEX status_list_open ON status_list (closed) WHERE closed = 0;

    CREATE TABLE status_entry (
      id TEXT PRIMARY KEY NOT NULL,
      list TEXT NOT NULL,
      list_index INTEGER NOT NULL CHECK (list_index >= 0),
      issuance TEXT NOT NULL,
      copy INTEGER NOT NULL CHECK (copy >= 0),
      wallet TEXT NOT NULL,
      account TEXT NOT NULL,
      expires_at INTEGER NOT NULL,
      revoked_at INTEGER,
      \(authentication),
      UNIQUE (list, list_index),
      UNIQUE (issuance, copy)
    ) STRICT;
    CREATE INDEX status_entry_revoked ON status_entry (list, list_index)
      WHERE revoked_at IS NOT NULL;
    CREATE INDEX status_entry_expiry ON status_entry (list, expires_at);
    CREATE INDEX status_entry_wallet ON status_entry (wallet);
    CREATE INDEX status_entry_account ON status_entry (account);
    """
}
