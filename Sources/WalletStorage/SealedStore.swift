internal import Synchronization
internal import WalletCrypto
public import WalletModel
internal import WalletPlatform

/// The wallet's database: SQLite with a write-ahead log. Every secret value is sealed.
///
/// Five tables map names to values: `keyring` and `marker` are not sealed, `account` is sealed with
/// the account key and `vault` with the vault key. What is in `slot` was sealed before
/// it came here; the provider has the key. Keys are passed with each call and not kept.
public final class SealedStore: @unchecked Sendable {
  // Sendable: the connection and the directory are used only between `enter` and `leave`, and
  // `enter` admits one thread at a time and refuses a second one.
  private let connection: SQLiteConnection
  let directory: StorageDirectory
  private let isEntered = Atomic(false)

  /// The files of the database, in the order in which they are deleted. Once wallet.db is deleted
  /// there is no wallet, so an interrupted deletion never leaves half a wallet.
  private static let files = ["wallet.db", "wallet.db-wal", "wallet.db-shm", "wallet.db-journal"]
  /// The name of the database while it is created.
  private static let draft = "wallet.db.new"
  private static let drafts = [draft, draft + "-wal", draft + "-journal"]

  private init(_ connection: SQLiteConnection, in directory: StorageDirectory) {
    self.connection = connection
    self.directory = directory
  }

  /// Whether there is a database, intact or not. True if that cannot be determined; `open` then
  /// reports the cause.
  public static func exists(in directory: StorageDirectory) -> Bool {
    (try? directory.length(of: "wallet.db") != nil) ?? true
  }

  /// Opens the database and creates it if there is none. Reads the whole file once.
  ///
  /// - Throws: `storageCorrupt` for a damaged file, which is left unchanged; `storageUnavailable`
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

  /// Throws if the file ends within a page, which SQLite would read as if it ended in zeros. If
  /// there is a log, a crash may have left the file like that, and the log repairs it. Without a
  /// log, the file was truncated.
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

  /// Creates the database under another name and renames it once it is complete. So an empty or
  /// half-written wallet.db always counts as damaged and never as a new wallet.
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
      // A failure here is ignored: the next attempt cleans up too, and the first error matters
      // more.
      try? directory.deleteFiles(drafts)
      throw error
    }
    // While there is no database, all noted keys are read as orphans. They are saved as orphans
    // before the new wallet exists, because they do not belong to it.
    try PlatformKeyNotes.load(from: directory).save(in: directory)
    directory.environment.passCrashPoint("storage.create.before-commit")
    try directory.renameFile(draft, to: "wallet.db")
    directory.environment.passCrashPoint("storage.create.after-commit")
  }

  /// Runs `body` as one transaction. When this returns, all changes of `body` are on disk. After an
  /// error, or a crash before the commit, none of them is.
  ///
  /// - Parameter label: The label in the crash points `storage.<label>.before-commit` and
  ///   `.after-commit`.
  /// - Throws: What `body` throws, as a `WalletError`; `storageFull`, `storageUnavailable`,
  ///   `storageCorrupt`; `internalDefect` if called inside another transaction or while a second
  ///   thread uses the store.
  public func transaction<Result>(
    label: String, _ body: (Transaction) throws -> Result
  ) throws(WalletError) -> Result {
    try enter()
    defer { leave() }
    let transaction = Transaction(connection)
    let result = try inTransaction("BEGIN IMMEDIATE", transaction) { () throws(WalletError) in
      let result = try Self.typed { try body(transaction) }
      directory.environment.passCrashPoint("storage.\(label).before-commit")
      return result
    }
    directory.environment.passCrashPoint("storage.\(label).after-commit")
    return result
  }

  /// Runs `body` on a consistent snapshot of the database.
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

  /// Closes the database; every later call throws `storageUnavailable`. Closing again does nothing,
  /// and so does closing inside a transaction.
  public func close() {
    guard (try? enter()) != nil else { return }
    defer { leave() }
    connection.close()
  }

  /// Deletes the database permanently. Close it first. May be repeated after a failure; absent
  /// files are not an error.
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
      // After some failures SQLite has rolled back already; this then does nothing.
      try? connection.execute("ROLLBACK", "roll back")
      throw error
    }
  }

  /// Converts the errors of a body to `WalletError`.
  private static func typed<Result>(_ body: () throws -> Result) throws(WalletError) -> Result {
    do {
      return try body()
    } catch let error as WalletError {
      throw error
    } catch let error as CryptoError {
      throw SealedValue.failure(error)
    } catch {
      throw WalletError(.internalDefect, "A storage transaction ended with an unexpected error.")
    }
  }

  private func enter() throws(WalletError) {
    guard !isEntered.exchange(true, ordering: .acquiring) else {
      throw WalletError(
        .internalDefect,
        "The wallet's database was used inside a transaction or by a second thread.")
    }
  }

  private func leave() { isEntered.store(false, ordering: .releasing) }
}
