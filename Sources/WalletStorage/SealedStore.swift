internal import Synchronization
internal import WalletCrypto
public import WalletModel
internal import WalletPlatform

/// The wallet's database: SQLite with a write-ahead log, every secret value sealed.
///
/// Four tables, each from a name to a value: `keyring` and `marker` plain, `account` sealed under the
/// account key, `vault` under the vault key. Keys are given with each call and not kept.
public final class SealedStore: @unchecked Sendable {
  // Sendable: the connection and the directory are touched only between `enter` and `leave`, and
  // `enter` lets one thread in at a time and refuses a second one.
  private let connection: SQLiteConnection
  let directory: StorageDirectory
  private let isEntered = Atomic(false)

  /// The database and what SQLite keeps beside it, in the order of deletion: without its first file
  /// a wallet is gone, so a deletion that was cut short never leaves half of one.
  private static let files = ["wallet.db", "wallet.db-wal", "wallet.db-shm", "wallet.db-journal"]
  /// The database while it is made.
  private static let draft = "wallet.db.new"
  private static let drafts = [draft, draft + "-wal", draft + "-journal"]

  private init(_ connection: SQLiteConnection, in directory: StorageDirectory) {
    self.connection = connection
    self.directory = directory
  }

  /// Whether there is a database, sound or not. True also where that cannot be told; `open` then
  /// says why.
  public static func exists(in directory: StorageDirectory) -> Bool {
    (try? directory.length(of: "wallet.db") != nil) ?? true
  }

  /// Opens the database, and makes it where there is none. Reads it once as a whole.
  ///
  /// - Throws: `storageCorrupt` for a damaged file, which is left untouched; `storageUnavailable`
  ///   for one that cannot be read or that a newer core wrote; `storageFull`.
  public static func open(in directory: StorageDirectory) throws(WalletError) -> SealedStore {
    if !exists(in: directory) { try create(in: directory) }
    let connection = try SQLiteConnection(path: directory.path + "/wallet.db", mayCreate: false)
    connection.setCheckpointOnClose(false)
    try connection.execute(StoreSchema.connection, "set the connection up")
    try StoreSchema.check(connection)
    try checkLength(connection, in: directory)
    try StoreSchema.useWriteAheadLog(connection)
    connection.setCheckpointOnClose(true)
    return SealedStore(connection, in: directory)
  }

  /// SQLite reads a last page that is cut short as if it ended in zeros. Beside a log that is how a
  /// crash may leave the file, and the log mends it; without one the file was cut.
  private static func checkLength(
    _ connection: SQLiteConnection, in directory: StorageDirectory
  ) throws(WalletError) {
    let pageSize = try connection.run(
      "PRAGMA page_size", "read the page size", read: SQLiteColumn.integer)
    let length = try directory.length(of: "wallet.db") ?? 0
    guard try directory.length(of: "wallet.db-wal") ?? 0 == 0, let pageSize = pageSize.first,
      pageSize > 0
    else {
      return
    }
    guard length % pageSize == 0 else { throw StorageFailure.corrupt("wallet.db was cut short") }
  }

  /// Makes a whole database under another name first, so that an empty or half-written wallet.db is
  /// always damage and never taken for a new wallet.
  private static func create(in directory: StorageDirectory) throws(WalletError) {
    try directory.deleteFiles(files.dropFirst() + drafts)
    do throws(WalletError) {
      try directory.createEmptyFile(draft)
      let connection = try SQLiteConnection(path: directory.path + "/" + draft, mayCreate: false)
      defer { connection.close() }
      try connection.execute(StoreSchema.connection, "set the connection up")
      try StoreSchema.useWriteAheadLog(connection)
      try connection.execute(StoreSchema.creation, "make the tables")
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)", "write the database")
    } catch {
      // Best effort: the next attempt cleans up too, and the reason is worth more.
      try? directory.deleteFiles(drafts)
      throw error
    }
    // Before there is a wallet again, whose keys these are not.
    try PlatformKeyNotes.load(from: directory).save(in: directory)
    directory.world.passCrashPoint("storage.create.before-commit")
    try directory.renameFile(draft, to: "wallet.db")
    directory.world.passCrashPoint("storage.create.after-commit")
  }

  /// Runs `body` as one transaction: all of its changes are on disk when this returns, and none of
  /// them after a throw or a crash before that.
  ///
  /// - Parameter label: Names the crash points `storage.<label>.before-commit` and `.after-commit`.
  /// - Throws: what `body` throws, as a `WalletError`; `storageFull`, `storageUnavailable`,
  ///   `storageCorrupt`; `internalDefect` inside another transaction or on a second thread.
  public func transaction<Result>(
    label: String, _ body: (Transaction) throws -> Result
  ) throws(WalletError) -> Result {
    try enter()
    defer { leave() }
    let transaction = Transaction(connection)
    let result = try inTransaction("BEGIN IMMEDIATE", transaction) { () throws(WalletError) in
      let result = try Self.typed { try body(transaction) }
      directory.world.passCrashPoint("storage.\(label).before-commit")
      return result
    }
    directory.world.passCrashPoint("storage.\(label).after-commit")
    return result
  }

  /// Runs `body` on one unchanging state of the database.
  public func read<Result>(
    _ body: (Reader) throws -> Result
  ) throws(WalletError) -> Result {
    try enter()
    defer { leave() }
    let reader = Reader(connection)
    return try inTransaction("BEGIN", reader) { () throws(WalletError) in
      try Self.typed { try body(reader) }
    }
  }

  /// Closes the database; every later call throws `storageUnavailable`. Once is enough. Not inside a
  /// transaction, where it does nothing.
  public func close() {
    guard (try? enter()) != nil else { return }
    defer { leave() }
    connection.close()
  }

  /// Deletes the database for good. Close it first. Can be repeated after a failure; files that are
  /// absent are fine.
  public static func destroy(in directory: StorageDirectory) throws(WalletError) {
    try directory.deleteFiles(files + drafts)
  }

  private func inTransaction<Result>(
    _ begin: String, _ access: Reader, _ body: () throws(WalletError) -> Result
  ) throws(WalletError) -> Result {
    try connection.execute(begin, "begin a transaction")
    defer { access.end() }
    do throws(WalletError) {
      let result = try body()
      try connection.execute("COMMIT", "commit")
      return result
    } catch {
      // SQLite has already rolled back after some failures; then this has nothing to do.
      try? connection.execute("ROLLBACK", "roll back")
      throw error
    }
  }

  /// The errors of a body as the one error type of the rooms.
  private static func typed<Result>(_ body: () throws -> Result) throws(WalletError) -> Result {
    do {
      return try body()
    } catch let error as WalletError {
      throw error
    } catch let error as CryptoError {
      throw SealedValue.failure(error)
    } catch {
      throw WalletError(.internalDefect, "A storage transaction ended with a foreign error.")
    }
  }

  private func enter() throws(WalletError) {
    guard !isEntered.exchange(true, ordering: .acquiring) else {
      throw WalletError(
        .internalDefect, "The wallet's database was used inside or beside a transaction.")
    }
  }

  private func leave() { isEntered.store(false, ordering: .releasing) }
}
