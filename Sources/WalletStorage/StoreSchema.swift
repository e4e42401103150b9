internal import WalletModel

/// The tables of wallet.db and their version, which only grows.
enum StoreSchema {
  /// The version that this core writes and reads (`PRAGMA user_version`). Since version 4 there are
  /// slots for the copies of cards. No wallet of an earlier version was ever in use.
  static let version: Int64 = 4
  /// Marks the file as a wallet's ("WCor", `PRAGMA application_id`).
  static let applicationID: Int64 = 0x5743_6F72

  /// Creates the tables and sets the version in one transaction.
  static let creation = """
    BEGIN IMMEDIATE;
    CREATE TABLE keyring(name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE account(name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE vault(name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE slot(name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE marker(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    COMMIT;
    """

  /// The settings of every connection. In exclusive mode SQLite keeps the index of its log in
  /// ordinary memory, where a full disk does not affect it.
  static let connection = """
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA mmap_size = 0;
    """

  /// Turns the write-ahead log on. The file keeps this setting.
  static func useWriteAheadLog(_ connection: SQLiteConnection) throws(WalletError) {
    let mode = try connection.run(
      "PRAGMA journal_mode = WAL", "turn the log on", read: SQLiteColumn.text)
    guard mode.first == "wal" else {
      throw WalletError(
        .storageUnavailable,
        "The file system of the storage path does not support a write-ahead log.")
    }
  }

  /// Checks the database. Reads the whole file once, which is small.
  ///
  /// - Throws: `storageCorrupt` if it is damaged, not a wallet's database or of an earlier schema,
  ///   `storageUnavailable` if a newer core wrote it.
  static func check(_ connection: SQLiteConnection) throws(WalletError) {
    let versions = try connection.run(
      "PRAGMA user_version", "read the schema version", read: SQLiteColumn.integer)
    let applications = try connection.run(
      "PRAGMA application_id", "read the application id", read: SQLiteColumn.integer)
    guard applications.first == applicationID, let found = versions.first, found > 0 else {
      throw StorageFailure.corrupt("wallet.db is not a wallet's database")
    }
    guard found <= version else {
      throw WalletError(
        .storageUnavailable,
        "A newer version of the app wrote this wallet (schema \(found), known up to \(version)). "
          + "Update the app.",
        data: ["schema": .number(found)])
    }
    guard found == version else {
      throw WalletError(
        .storageCorrupt,
        "An earlier version of the app wrote this wallet (schema \(found)), which this version "
          + "cannot read. It was left unchanged; wipe to start over.",
        data: ["schema": .number(found)])
    }
    let findings = try connection.run(
      "PRAGMA quick_check(1)", "check the database", read: SQLiteColumn.text)
    guard findings == ["ok"] else { throw connection.damage("wallet.db fails its check") }
    let tables = try connection.run(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name", "read the schema",
      read: SQLiteColumn.text)
    guard Set(tables).isSuperset(of: ["account", "keyring", "marker", "slot", "vault"]) else {
      throw StorageFailure.corrupt("wallet.db lacks a table")
    }
  }
}
