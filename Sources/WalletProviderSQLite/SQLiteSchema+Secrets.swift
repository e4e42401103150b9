extension SQLiteSchema {
  /// Sealed secrets that the servers of a provider share.
  static let secrets = """
    CREATE TABLE provider_secret (
      name TEXT PRIMARY KEY NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed BLOB NOT NULL
    ) STRICT;
    """
}
