extension SQLiteSchema {
  /// What the servers of a provider share and nobody else may know, sealed.
  static let secrets = """
    CREATE TABLE provider_secret (
      name TEXT PRIMARY KEY NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed BLOB NOT NULL
    ) STRICT;
    """
}
