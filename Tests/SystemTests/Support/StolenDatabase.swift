import CSQLite
import CSodium
import Foundation
import WalletCrypto
import WalletProtocol
import XCTest

/// A copy of the provider's database in the hands of an attacker: every file and every value.
struct StolenDatabase {
  typealias Row = [String: [UInt8]]

  /// The files, byte by byte.
  private(set) var files: [[UInt8]] = []
  /// Every row by table; texts and numbers as their characters.
  private(set) var tables: [String: [Row]] = [:]

  /// Copies the database while the provider runs.
  init(of provider: TestProvider) throws {
    let copy = try Scratch.directory("dump")
    defer { try? FileManager.default.removeItem(at: copy) }
    let prefix = "wallet-provider.sqlite"
    for name in try FileManager.default.contentsOfDirectory(atPath: provider.data.path)
    where name.hasPrefix(prefix) {
      let place = copy.appendingPathComponent(name)
      try FileManager.default.copyItem(
        at: provider.data.appendingPathComponent(name), to: place)
      files.append(Array(try Data(contentsOf: place)))
    }
    let path = copy.appendingPathComponent(prefix).path
    for table in try Self.rows("SELECT name FROM sqlite_master WHERE type = 'table'", in: path) {
      let name = String(decoding: table["name"] ?? [], as: UTF8.self)
      tables[name] = try Self.rows("SELECT * FROM \"\(name)\"", in: path)
    }
  }

  var values: [[UInt8]] { tables.values.flatMap { $0 }.flatMap { $0.values } }

  static func rows(_ sql: String, in path: String) throws -> [Row] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK
    else { throw TestFailure("the dump cannot be read") }
    var rows: [Row] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      var row: Row = [:]
      for column in 0..<sqlite3_column_count(statement) {
        let bytes = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        row[String(cString: sqlite3_column_name(statement, column))] = Array(
          UnsafeRawBufferPointer(start: bytes, count: count))
      }
      rows.append(row)
    }
    return rows
  }
}

/// A column that the provider sealed: ChaCha20-Poly1305 (RFC 8439), nonce first, tag last.
enum SealedColumn {
  /// The PIN public key in a wallet's row; nil if `key` does not open it.
  static func pinKey(_ row: StolenDatabase.Row, key: [UInt8]) -> [UInt8]? {
    open(row["sealed_pin_key"] ?? [], key: key, purpose: "pin-public-key", row)
  }

  /// The unlock share in a wallet's row; nil if `key` does not open it.
  static func share(_ row: StolenDatabase.Row, key: [UInt8]) -> [UInt8]? {
    open(row["sealed_share"] ?? [], key: key, purpose: "unlock-share", row)
  }

  /// The provider's half of the PIN key in a wallet's row; nil if `key` does not open it.
  static func half(_ row: StolenDatabase.Row, key: [UInt8]) -> [UInt8]? {
    open(row["sealed_half"] ?? [], key: key, purpose: "pin-key-half", row)
  }

  private static func open(
    _ sealed: [UInt8], key: [UInt8], purpose: String, _ row: StolenDatabase.Row
  ) -> [UInt8]? {
    let parts = [
      Array(purpose.utf8), row["id"] ?? [], row["hardware_key_hash"] ?? [],
      row["sealing_key"] ?? [],
    ]
    let bound = parts.flatMap { part in
      withUnsafeBytes(of: UInt64(part.count).bigEndian, Array.init) + part
    }
    return open(sealed, key: key, bound: bound)
  }

  fileprivate static func open(_ sealed: [UInt8], key: [UInt8], bound: [UInt8]) -> [UInt8]? {
    guard key.count == 32, sealed.count > 28 else { return nil }
    var value = [UInt8](repeating: 0, count: sealed.count - 28)
    let (nonce, box) = (Array(sealed.prefix(12)), Array(sealed.dropFirst(12)))
    let status = crypto_aead_chacha20poly1305_ietf_decrypt(
      &value, nil, nil, box, UInt64(box.count), bound, UInt64(bound.count), nonce, key)
    return status == 0 ? value : nil
  }
}

/// The evaluator of the only wallet, with its key file and its database, in the hands of an attacker.
struct StolenEvaluator {
  /// The secret of the key file.
  let secret: [UInt8]
  /// The rows as they are stored.
  let rows: [StolenDatabase.Row]

  init(of provider: TestProvider) throws {
    let directory = provider.data.appendingPathComponent("evaluator")
    let text = try String(
      contentsOf: directory.appendingPathComponent("evaluator.key"), encoding: .utf8)
    secret = try XCTUnwrap(Base64URL.decode(text.trimmingCharacters(in: .newlines)))
    rows = try StolenDatabase.rows(
      "SELECT * FROM evaluated_wallet",
      in: directory.appendingPathComponent("evaluator.sqlite").path)
  }

  /// The evaluator's half of the PIN key.
  var half: [UInt8] {
    get throws {
      XCTAssertEqual(rows.count, 1)
      return try XCTUnwrap(Self.halves(Self.content(XCTUnwrap(rows.first), secret)).first)
    }
  }

  /// All that the evaluator sealed in the wallet's row.
  var content: [UInt8] {
    get throws { try XCTUnwrap(Self.content(XCTUnwrap(rows.first), secret)) }
  }

  /// The PIN public key in force.
  var publicKey: [UInt8] {
    get throws {
      let wallet = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any]
      let current = wallet?["current"] as? [String: Any]
      return try XCTUnwrap(Base64URL.decode(XCTUnwrap(current?["publicKey"] as? String)))
    }
  }

  /// The attempts that the evaluator has counted for the wallet with this PIN key.
  func attempts(_ key: String) throws -> Int {
    let row = try XCTUnwrap(rows.first { $0["key"] == Array(key.utf8) })
    let content = try XCTUnwrap(Self.content(row, secret))
    let wallet = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any]
    return try XCTUnwrap((wallet?["attempts"] as? [String: Any])?["wrongAttempts"] as? Int)
  }

  /// The content of a row; nil if the secret does not open it.
  static func content(_ row: StolenDatabase.Row, _ secret: [UInt8]) -> [UInt8]? {
    // HKDF-SHA256 (RFC 5869) without a salt, for one block.
    let key = hmac(
      hmac([UInt8](repeating: 0, count: 32), secret), Array("wallet-evaluator rows".utf8) + [1])
    let bound = ["id", "key", "pending_key", "expires_at", "version"].reduce(
      Array("wallet-evaluator row".utf8)
    ) { $0 + Array("\n".utf8) + (row[$1] ?? []) }
    return SealedColumn.open(row["content"] ?? [], key: key, bound: bound)
  }

  /// The halves of keys in the content of a row.
  static func halves(_ content: [UInt8]?) -> [[UInt8]] {
    let wallet = content.flatMap {
      try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
    }
    return ["current", "pending"].compactMap { name in
      ((wallet?[name] as? [String: Any])?["half"] as? String).flatMap { Base64URL.decode($0) }
    }
  }

  private static func hmac(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: 32)
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }
}
