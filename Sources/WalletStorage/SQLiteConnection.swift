internal import CSQLite
internal import WalletModel

/// One connection to one database file, closed with the object. Used by one thread at a time.
final class SQLiteConnection {
  /// A value that is bound to a parameter of a statement.
  enum Value {
    case text(String)
    case blob([UInt8])
    case integer(Int64)
  }

  private var handle: OpaquePointer?
  /// Prepared statements with parameters, by their SQL. They are kept for reuse, without values,
  /// because preparing a statement costs as much as a read.
  private var kept: [String: OpaquePointer] = [:]

  /// Opens the file at `path`, which must exist unless `mayCreate`.
  init(path: String, mayCreate: Bool) throws(WalletError) {
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
      | (mayCreate ? SQLITE_OPEN_CREATE : 0)
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(path, &opened, flags, nil)
    // SQLite returns a handle with the reason even if it could not open the file.
    handle = opened
    guard status == SQLITE_OK, opened != nil else {
      let error = failure(status, "open wallet.db")
      sqlite3_close_v2(opened)
      handle = nil
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    // The directory is locked, so nothing else uses the file. If the file is busy all the same,
    // waiting long seldom helps.
    sqlite3_busy_timeout(handle, 250)
    wallet_sqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    wallet_sqlite_set_option(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
  }

  deinit { close() }

  /// Closes the file. Later calls do nothing.
  func close() {
    guard let handle else { return }
    for statement in kept.values { sqlite3_finalize(statement) }
    kept = [:]
    sqlite3_close_v2(handle)
    self.handle = nil
  }

  /// Sets whether SQLite moves the log into the database file when it closes. `SealedStore.open`
  /// turns this on only after the file was found to be intact, so that opening a damaged file
  /// changes nothing.
  func setCheckpointOnClose(_ wanted: Bool) {
    wallet_sqlite_set_option(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, wanted ? 0 : 1)
  }

  /// Runs statements without parameters or results.
  func execute(_ sql: String, _ purpose: String) throws(WalletError) {
    let handle = try openHandle()
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status, purpose) }
  }

  /// Runs one statement; `read` reads the first column of each row.
  @discardableResult
  func run<Column>(
    _ sql: String, _ purpose: String, with values: [Value] = [],
    read: (OpaquePointer) -> Column?
  ) throws(WalletError) -> [Column] {
    let statement = try take(sql, purpose)
    defer { release(statement, sql, isKept: !values.isEmpty) }
    for (index, value) in values.enumerated() {
      let status = Self.bind(value, at: Int32(index + 1), to: statement)
      guard status == SQLITE_OK else { throw failure(status, purpose) }
    }
    var columns: [Column] = []
    while true {
      let status = sqlite3_step(statement)
      guard status == SQLITE_ROW else {
        guard status == SQLITE_DONE else { throw failure(status, purpose) }
        return columns
      }
      guard let column = read(statement) else {
        throw StorageFailure.corrupt("a value of another type than its table has")
      }
      columns.append(column)
    }
  }

  /// Runs one statement with each of `names` in turn and calls `read` with the first column of its
  /// first row: bytes that are valid only during the call, or nil if there is none or it is damaged.
  func forEach(
    _ names: [String], _ sql: String, _ purpose: String,
    read: (Int, UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard !names.isEmpty else { return }
    let statement = try take(sql, purpose)
    defer { release(statement, sql, isKept: true) }
    for (index, name) in names.enumerated() {
      let bound = Self.bind(.text(name), at: 1, to: statement)
      guard bound == SQLITE_OK else { throw failure(bound, purpose) }
      let status = sqlite3_step(statement)
      switch status {
      case SQLITE_ROW:
        try read(index, SQLiteColumn.borrowedBlob(statement))
      case SQLITE_DONE: try read(index, nil)
      default:
        let error = failure(status, purpose)
        guard error.kind == .storageCorrupt else { throw error }
        try read(index, nil)
      }
      sqlite3_reset(statement)
    }
  }

  /// Returns the statement of `sql` for exclusive use until `release`.
  private func take(_ sql: String, _ purpose: String) throws(WalletError) -> OpaquePointer {
    let handle = try openHandle()
    if let statement = kept.removeValue(forKey: sql) { return statement }
    var prepared: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
    guard status == SQLITE_OK, let statement = prepared else { throw failure(status, purpose) }
    return statement
  }

  /// Ends the use of a statement. One that failed is not used again.
  private func release(_ statement: OpaquePointer, _ sql: String, isKept: Bool) {
    let hasFailed = sqlite3_reset(statement) != SQLITE_OK
    guard isKept, !hasFailed, kept[sql] == nil else {
      sqlite3_finalize(statement)
      return
    }
    sqlite3_clear_bindings(statement)
    kept[sql] = statement
  }

  private static func bind(
    _ value: Value, at index: Int32, to statement: OpaquePointer
  ) -> Int32 {
    switch value {
    case .text(let text):
      let bytes = Array(text.utf8)
      guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      return bytes.withUnsafeBytes {
        wallet_sqlite_bind_text(
          statement, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self), length)
      }
    case .blob(let bytes):
      guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      return bytes.withUnsafeBytes {
        wallet_sqlite_bind_blob(statement, index, $0.baseAddress, length)
      }
    case .integer(let number):
      return sqlite3_bind_int64(statement, index, number)
    }
  }

  private func openHandle() throws(WalletError) -> OpaquePointer {
    guard let handle else {
      throw WalletError(.storageUnavailable, "The wallet's database is closed.")
    }
    return handle
  }

  private func failure(_ status: Int32, _ purpose: String) -> WalletError {
    StorageFailure.sqlite(status, systemCode: systemCode, purpose)
  }

  /// Returns the error of data that was read and is invalid.
  func damage(_ what: String) -> WalletError {
    StorageFailure.damage(what, systemCode: systemCode)
  }

  private var systemCode: Int32 { handle.map { wallet_sqlite_system_errno($0) } ?? 0 }
}

/// Functions that read the first column of a row. They return nil if the column has another type.
enum SQLiteColumn {
  static func blob(_ statement: OpaquePointer) -> [UInt8]? {
    borrowedBlob(statement).map { Array($0) }
  }

  /// The bytes as SQLite holds them until the statement is used again.
  static func borrowedBlob(_ statement: OpaquePointer) -> UnsafeRawBufferPointer? {
    guard sqlite3_column_type(statement, 0) == SQLITE_BLOB else { return nil }
    let bytes = sqlite3_column_blob(statement, 0)
    let count = Int(sqlite3_column_bytes(statement, 0))
    return UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
  }

  static func integer(_ statement: OpaquePointer) -> Int64? {
    guard sqlite3_column_type(statement, 0) == SQLITE_INTEGER else { return nil }
    return sqlite3_column_int64(statement, 0)
  }

  static func text(_ statement: OpaquePointer) -> String? {
    guard sqlite3_column_type(statement, 0) == SQLITE_TEXT,
      let text = sqlite3_column_text(statement, 0)
    else { return nil }
    return String(cString: text)
  }

  /// For statements whose rows are not needed.
  static func nothing(_: OpaquePointer) -> Void? { () }
}
