import CSQLite
import Foundation

/// The rows that a wallet stores for biometric unlock, read from and written to the storage
/// directory of a wallet that does not run.
struct BiometricRows {
  private static let names = ["biometrics.identifier", "biometrics.secret", "vault.biometrics"]
  private var values: [String: [UInt8]] = [:]

  /// Invented rows, for which there is no platform key.
  init() {
    values = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, Array("made up".utf8)) })
  }

  init(in storage: URL) throws {
    for name in Self.names {
      try Self.run("SELECT value FROM keyring WHERE name = ?1", name, nil, storage) { row in
        let bytes = sqlite3_column_blob(row, 0)
        values[name] = Array(
          UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(row, 0))))
      }
    }
    guard values.count == Self.names.count else { throw TestFailure("\(values.keys)") }
  }

  func write(into storage: URL) throws {
    for (name, value) in values {
      try Self.run("INSERT OR REPLACE INTO keyring VALUES(?1, ?2)", name, value, storage) { _ in }
    }
    let marker = "INSERT OR REPLACE INTO marker VALUES(?1, 1)"
    try Self.run(marker, "biometrics.enabled", nil, storage) { _ in }
  }

  private static func run(
    _ statement: String, _ name: String, _ value: [UInt8]?, _ storage: URL,
    _ read: (OpaquePointer?) -> Void
  ) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    // SQLITE_TRANSIENT: SQLite copies what is bound.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    guard sqlite3_open(storage.appendingPathComponent("wallet.db").path, &database) == SQLITE_OK,
      sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK,
      sqlite3_bind_text(prepared, 1, name, -1, copied) == SQLITE_OK
    else { throw TestFailure("The database cannot be read.") }
    if let value { sqlite3_bind_blob(prepared, 2, value, Int32(value.count), copied) }
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: read(prepared)
      case SQLITE_DONE: return
      default: throw TestFailure("\(statement): \(String(cString: sqlite3_errmsg(database)))")
      }
    }
  }
}
