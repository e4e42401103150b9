import GRDB

/// The tables, and the migrations of older databases.
enum SQLiteSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: accounts and challenges") { database in
      // STRICT: values in a column have the type that the code reads.
      try database.execute(
        sql: """
          CREATE TABLE wallet (
            id TEXT PRIMARY KEY NOT NULL,
            registration TEXT NOT NULL,
            hardware_key BLOB NOT NULL,
            hardware_key_hash BLOB NOT NULL UNIQUE,
            sealing_key TEXT NOT NULL,
            sealed_pin_key BLOB NOT NULL,
            sealed_share BLOB NOT NULL,
            sequence INTEGER NOT NULL CHECK (sequence >= 0),
            confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
            registered_at INTEGER NOT NULL,
            wrong_attempts INTEGER NOT NULL CHECK (wrong_attempts >= 0),
            blocked_since INTEGER,
            blocked_for INTEGER,
            blocked_permanently INTEGER NOT NULL CHECK (blocked_permanently IN (0, 1)),
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
            CHECK ((request_hash IS NULL) = (answer IS NULL))
          ) STRICT;
          CREATE INDEX challenge_expiry ON challenge (expires_at);
          CREATE INDEX challenge_wallet ON challenge (wallet, number);
          """)
    }
    migrator.registerMigration("2: blocks of a clock that went back") { database in
      try database.execute(sql: "ALTER TABLE wallet ADD COLUMN block_restarted INTEGER")
    }
    migrator.registerMigration("3: identity proofing") { database in
      try database.execute(sql: proofing)
    }
    migrator.registerMigration("4: attempts of accounts, one key per PID") { database in
      try database.execute(sql: accountAttempts)
    }
    migrator.registerMigration("5: changes of the PIN") { database in
      try database.execute(sql: pinChange)
    }
    migrator.registerMigration("6: secrets of the provider") { database in
      try database.execute(sql: secrets)
    }
    migrator.registerMigration("7: wallets that replace others") { database in
      try database.execute(sql: replacements)
    }
    migrator.registerMigration("8: failures of the PIN") { database in
      try database.execute(sql: failures)
    }
    return migrator
  }
}
