import GRDB
import WalletProvider

/// The tables, and the steps that make them. In the name of a step, the number before the colon is
/// the version of the tables after the step.
enum SQLiteSchema {
  /// The first version whose wallets have a PIN key that an evaluator knows. Older databases are
  /// refused. Authenticating rows of before version 7 now would also accept rows that an attacker
  /// wrote before resetting the version.
  private static let firstVersion = 9

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("\(firstVersion): evaluated PINs") { database in
      try database.execute(sql: walletTables + proofingTables + secrets)
    }
    migrator.registerMigration("10: status lists, and when a PIN was proved") { database in
      try database.execute(
        sql: statusTables + "ALTER TABLE wallet ADD COLUMN pin_proven_at INTEGER;")
    }
    return migrator
  }

  /// The version of the tables that this program makes.
  static var version: Int { version(migrator.migrations) }

  /// The version of the tables after these steps; 0 if there are none.
  static func version(_ steps: some Sequence<String>) -> Int {
    steps.compactMap { Int($0.prefix { $0 != ":" }) }.max() ?? 0
  }

  /// Whether a database of this version is refused.
  static func isTooOld(_ version: Int) -> Bool { (1..<firstVersion).contains(version) }

  /// The columns that authenticate a row; see `RowAuthentication`.
  static let authentication = "authentication_key TEXT NOT NULL, authentication BLOB NOT NULL"

  // STRICT: SQLite refuses a value whose type is not the column's.
  private static let walletTables = """
    CREATE TABLE wallet (
      id TEXT PRIMARY KEY NOT NULL,
      registration TEXT NOT NULL,
      hardware_key BLOB NOT NULL,
      hardware_key_hash BLOB NOT NULL UNIQUE,
      sealing_key TEXT NOT NULL,
      sealed_pin_key BLOB NOT NULL,
      pin_key_id TEXT NOT NULL,
      sealed_half BLOB NOT NULL,
      sealed_share BLOB NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
      registered_at INTEGER NOT NULL,
      wrong_attempts INTEGER NOT NULL CHECK (wrong_attempts >= 0),
      failures INTEGER NOT NULL CHECK (failures >= 0),
      failed_at INTEGER,
      failed_days TEXT,
      blocked_since INTEGER,
      blocked_for INTEGER,
      block_restarted INTEGER,
      blocked_permanently INTEGER NOT NULL CHECK (blocked_permanently IN (0, 1)),
      pending_change TEXT,
      attempt_since INTEGER,
      evaluation TEXT,
      pending_pin_key_id TEXT,
      pending_sealed_half BLOB,
      pending_sealed_pin_key BLOB,
      committed_change TEXT,
      \(authentication),
      CHECK ((pending_change IS NULL) = (pending_pin_key_id IS NULL)),
      CHECK ((pending_change IS NULL) = (pending_sealed_half IS NULL)),
      CHECK ((blocked_since IS NULL) = (blocked_for IS NULL))
    ) STRICT;
    CREATE INDEX wallet_unconfirmed ON wallet (registered_at) WHERE confirmed = 0;

    CREATE TABLE challenge (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      challenge BLOB NOT NULL UNIQUE,
      purpose TEXT NOT NULL,
      wallet TEXT,
      expires_at INTEGER NOT NULL,
      request_hash BLOB,
      answer TEXT,
      \(authentication),
      CHECK ((request_hash IS NULL) = (answer IS NULL))
    ) STRICT;
    CREATE INDEX challenge_expiry ON challenge (expires_at);
    CREATE INDEX challenge_wallet ON challenge (wallet, number);

    """

  /// Sealed secrets that the servers of a provider share.
  private static let secrets = """
    CREATE TABLE provider_secret (
      name TEXT PRIMARY KEY NOT NULL,
      sealing_key TEXT NOT NULL,
      sealed BLOB NOT NULL,
      \(authentication)
    ) STRICT;
    """
}
