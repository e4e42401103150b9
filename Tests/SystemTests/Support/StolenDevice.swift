import CSQLite
import Foundation
import TestSupport
import WalletCrypto
import WalletProtocol

/// A device in the hands of an attacker who has a copy of the storage directory and can use the key
/// store: every file, every row, and the plaintext of everything that can be decrypted.
struct StolenDevice {
  /// Everything readable, and the contents of encodings in it.
  private(set) var readable: [[UInt8]] = []
  /// Every stored value that may be an encrypted box.
  private(set) var boxes: [[UInt8]] = []
  /// The registration with its salt, which is a value of its own; nil before there is one.
  private(set) var registration: [String: Any]?
  /// A change of the PIN that has not ended; nil if there is none.
  private(set) var pinChange: [String: Any]?
  /// Whether biometrics opened the vault key.
  private(set) var hasVaultKey = false
  /// The hardware key, which the attacker can use through its bridge.
  private(set) var hardwareKey: Ed25519.SigningKey?

  /// No device.
  init() {}

  init(of host: KillHost) throws {
    let image = try host.image()
    defer { try? FileManager.default.removeItem(at: image.deletingLastPathComponent()) }
    for name in try FileManager.default.contentsOfDirectory(atPath: image.path) {
      take(Array(try Data(contentsOf: image.appendingPathComponent(name))))
    }
    take(Array(try Data(contentsOf: host.configuration)))
    let keys = SoftwareKeys.seeds(in: host.keys)
    for (name, seed) in keys where name.hasPrefix("signing-") {
      hardwareKey = try Ed25519.SigningKey(seed: Secret(copying: seed))
    }
    let database = image.appendingPathComponent("wallet.db").path
    guard FileManager.default.fileExists(atPath: database) else { return }
    let tables = try Dictionary(
      uniqueKeysWithValues: ["keyring", "account", "vault", "marker"].map {
        ($0, try Self.rows(of: $0, in: database))
      })
    for row in tables.values.flatMap({ $0 }) {
      take(row.value)
      boxes.append(row.value)
    }
    try openAccount(tables, keys)
  }

  private mutating func openAccount(
    _ tables: [String: [(name: String, value: [UInt8])]], _ keys: [String: [UInt8]]
  ) throws {
    let keyring = Dictionary(uniqueKeysWithValues: tables["keyring"] ?? [])
    guard let identifier = keyring["account.identifier"], let wrapped = keyring["account.wrapped"],
      let seed = keys["encryption-" + String(decoding: identifier, as: UTF8.self)]
    else { return }
    let accountKey = try AuthenticatedBox.open(
      wrapped, key: Secret(copying: seed), associatedData: [])
    take(accountKey.disclosed())
    var salts: [String: String] = [:]
    for row in tables["account"] ?? [] {
      let plaintext = try AuthenticatedBox.open(
        row.value, key: accountKey, associatedData: Self.place("account", row.name)
      ).disclosed()
      take(plaintext)
      salts[row.name] = Base64URL.encode(plaintext)
      guard ["registration", "pin-change"].contains(row.name) else { continue }
      let record = try JSONSerialization.jsonObject(with: Data(plaintext)) as? [String: Any]
      if row.name == "registration" { registration = record } else { pinChange = record }
    }
    registration?["salt"] = salts["pin-salt"]
    pinChange?["salt"] = salts["pin-change.salt"]
    try openVaultKey(keyring, keys)
  }

  /// Opens the vault key as an attacker does who can also make the platform recognise the user.
  private mutating func openVaultKey(
    _ keyring: [String: [UInt8]], _ keys: [String: [UInt8]]
  ) throws {
    guard let identifier = keyring["biometrics.identifier"],
      let seed = keys["encryption-" + String(decoding: identifier, as: UTF8.self)]
    else { return }
    let secret = try AuthenticatedBox.open(
      keyring["biometrics.secret"] ?? [], key: Secret(copying: seed), associatedData: [])
    let wallet = registration?["walletID"] as? String ?? ""
    let vaultKey = try AuthenticatedBox.open(
      keyring["vault.biometrics"] ?? [], key: secret,
      associatedData: Array("wallet_core/2/vault-key/biometrics/\(wallet)".utf8))
    take(secret.disclosed())
    take(vaultKey.disclosed())
    hasVaultKey = true
  }

  /// The associated data with which the core binds a value to its table and name.
  private static func place(_ table: String, _ name: String) -> [UInt8] {
    ["wallet_core.storage.1", table, name].flatMap { part in
      withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { Array($0) } + Array(part.utf8)
    }
  }

  private static func rows(
    of table: String, in path: String
  ) throws -> [(name: String, value: [UInt8])] {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_prepare_v2(database, "SELECT name, value FROM \(table)", -1, &statement, nil)
        == SQLITE_OK
    else { throw TestFailure("\(table) cannot be read") }
    var rows: [(name: String, value: [UInt8])] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let name = String(cString: sqlite3_column_text(statement, 0))
      let bytes = sqlite3_column_blob(statement, 1)
      let count = Int(sqlite3_column_bytes(statement, 1))
      rows.append((name, Array(UnsafeRawBufferPointer(start: bytes, count: count))))
    }
    return rows
  }

  /// Adds bytes and the contents of encodings in them: members of JSON, parts of signed messages,
  /// base64url.
  mutating func take(_ bytes: [UInt8], depth: Int = 0) {
    readable.append(bytes)
    guard depth < 6 else { return }
    if let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    {
      for text in Self.texts(in: value) {
        take(Array(text.utf8), depth: depth + 1)
        for part in text.split(separator: ".") {
          if let decoded = Base64URL.decode(part), decoded.count > 3 {
            take(decoded, depth: depth + 1)
          }
        }
      }
    }
  }

  private static func texts(in value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let list as [Any]: list.flatMap(texts)
    case let members as [String: Any]: members.values.flatMap(texts)
    default: []
    }
  }

  /// Whether `key` opens any stored value, whatever table and name it is bound to.
  func opens(with key: [UInt8]) throws -> Bool {
    let wallet = registration?["walletID"] as? String ?? ""
    let places = [
      [], Array("wallet_core/2/vault-key/pin/\(wallet)".utf8),
      Array("wallet_core/2/vault-key/biometrics/\(wallet)".utf8),
      Self.place("account", "registration"), Self.place("account", "sequence"),
    ]
    let key = try Secret(copying: key)
    return boxes.contains { box in
      places.contains {
        (try? AuthenticatedBox.open(box, key: key, associatedData: $0)) != nil
      }
    }
  }

  func contains(_ needle: [UInt8]) -> Bool {
    readable.contains { $0.holds(needle) }
  }
}
