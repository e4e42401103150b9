public import WalletCrypto
public import WalletModel

extension SealedStore {
  /// Reads values during `read` or `transaction`. Later use throws `internalDefect`.
  public class Reader {
    let connection: SQLiteConnection
    fileprivate(set) var hasEnded = false

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Called when the transaction is over. The caller may have kept the object, and must not use
    /// it any more.
    func end() { hasEnded = true }

    /// Returns an unsealed value: a wrapped key or the identifier of a platform key.
    public func keyring(_ name: String) throws(WalletError) -> [UInt8]? {
      try blob("keyring", name)
    }

    /// Returns an unsealed number, for what must be known before any key is available.
    public func marker(_ name: String) throws(WalletError) -> Int64? {
      try check()
      return try connection.run(
        "SELECT value FROM marker WHERE name = ?", "read marker", with: [.text(name)],
        read: SQLiteColumn.integer
      ).first
    }

    /// Returns a value sealed with the account key. Throws `storageCorrupt` if it does not open.
    public func account(_ name: String, key: Secret) throws(WalletError) -> Secret? {
      try sealed("account", name, key)
    }

    /// Returns a value sealed with the vault key. Throws `storageCorrupt` if it does not open.
    public func vault(_ name: String, key: Secret) throws(WalletError) -> Secret? {
      try sealed("vault", name, key)
    }

    /// Opens several values that are sealed with the account key, a number of them at a time in one
    /// block of guarded memory, and calls `body` with each, in order; with nil for one that is absent
    /// or does not open. The bytes are valid only during the call.
    public func account(
      _ names: [String], key: Secret, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
    ) throws { try sealed("account", names, key, body) }

    /// Opens several values that are sealed with the vault key, as `account` does.
    public func vault(
      _ names: [String], key: Secret, _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
    ) throws { try sealed("vault", names, key, body) }

    /// Returns sealed values of the vault, in order; nil for one that is absent or damaged.
    public func sealedVault(_ names: [String]) throws -> [SealedVaultValue?] {
      try check()
      var values: [SealedVaultValue?] = []
      values.reserveCapacity(names.count)
      try connection.forEach(names, Self.reading("vault"), "read vault") { index, box in
        values.append(box.map { SealedVaultValue(name: names[index], box: Array($0)) })
      }
      return values
    }

    /// Returns a sealed value of the vault, to be opened when the key is available.
    public func sealedVault(_ name: String) throws(WalletError) -> SealedVaultValue? {
      try blob("vault", name).map { SealedVaultValue(name: name, box: $0) }
    }

    /// Returns a value that was sealed before it was stored.
    public func slot(_ name: String) throws(WalletError) -> [UInt8]? { try blob("slot", name) }

    /// Returns the names of all values in the vault, sorted. Names are not sealed, because they
    /// reveal nothing about the values.
    public func vaultNames() throws(WalletError) -> [String] { try names("vault") }

    /// Returns the names of all values that are sealed with the account key, sorted.
    public func accountNames() throws(WalletError) -> [String] { try names("account") }

    /// Returns the names of all values that were sealed before they were stored, sorted.
    public func slotNames() throws(WalletError) -> [String] { try names("slot") }

    private func names(_ table: String) throws(WalletError) -> [String] {
      try check()
      return try connection.run(
        "SELECT name FROM \(table) ORDER BY name", "list \(table)", read: SQLiteColumn.text)
    }

    private func sealed(
      _ table: String, _ name: String, _ key: Secret
    ) throws(WalletError) -> Secret? {
      guard let box = try blob(table, name) else { return nil }
      return try SealedValue.open(box, key: key, table: table, name: name)
    }

    private func sealed(
      _ table: String, _ names: [String], _ key: Secret,
      _ body: (Int, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
      try check()
      let batch = SecretBatch()
      var first = 0
      func takeBatch() throws {
        try batch.forEach { index, bytes in try body(first + index, bytes) }
        first += batch.count
      }
      try connection.forEach(names, Self.reading(table), "read \(table)") { index, box in
        guard let box else { return batch.appendMissing() }
        // Values of one reading are of one kind, and so about equally long.
        if index == 0 { batch.expect(box.count.multipliedReportingOverflow(by: names.count).0) }
        func open() throws(WalletError) -> Bool {
          try SealedValue.open(box, key: key, table: table, name: names[index], into: batch)
        }
        if try open() { return }
        try takeBatch()
        batch.clear()
        _ = try open()
      }
      try takeBatch()
    }

    private func blob(_ table: String, _ name: String) throws(WalletError) -> [UInt8]? {
      try check()
      return try connection.run(
        Self.reading(table), "read \(table)", with: [.text(name)], read: SQLiteColumn.blob
      ).first
    }

    private static func reading(_ table: String) -> String {
      "SELECT value FROM \(table) WHERE name = ?"
    }

    fileprivate func check() throws(WalletError) {
      guard !hasEnded else {
        throw WalletError(.internalDefect, "A storage transaction was used after its end.")
      }
    }
  }

  /// Reads and changes values inside `transaction`.
  public final class Transaction: Reader {
    /// Sets an unsealed value: a wrapped key or the identifier of a platform key, but never a
    /// secret.
    public func setKeyring(_ name: String, _ value: [UInt8]) throws(WalletError) {
      try set("keyring", name, .blob(value))
    }

    /// Sets an unsealed number.
    public func setMarker(_ name: String, _ value: Int64) throws(WalletError) {
      try set("marker", name, .integer(value))
    }

    /// Seals `value` with the account key and sets it.
    public func setAccount(_ name: String, _ value: Secret, key: Secret) throws(WalletError) {
      let box = try SealedValue.seal(value, key: key, table: "account", name: name)
      try set("account", name, .blob(box))
    }

    /// Seals `value` with the vault key and sets it.
    public func setVault(_ name: String, _ value: Secret, key: Secret) throws(WalletError) {
      let box = try SealedValue.seal(value, key: key, table: "vault", name: name)
      try set("vault", name, .blob(box))
    }

    /// Sets a sealed value.
    public func setVault(_ sealed: SealedVaultValue) throws(WalletError) {
      try set("vault", sealed.name, .blob(sealed.box))
    }

    /// Sets a value that is sealed already.
    public func setSlot(_ name: String, _ value: [UInt8]) throws(WalletError) {
      try set("slot", name, .blob(value))
    }

    /// Deletes a value; an absent one is not an error. This applies to the other deletions too.
    public func deleteKeyring(_ name: String) throws(WalletError) { try delete("keyring", name) }

    public func deleteMarker(_ name: String) throws(WalletError) { try delete("marker", name) }

    public func deleteAccount(_ name: String) throws(WalletError) { try delete("account", name) }

    public func deleteVault(_ name: String) throws(WalletError) { try delete("vault", name) }

    public func deleteSlot(_ name: String) throws(WalletError) { try delete("slot", name) }

    private func set(
      _ table: String, _ name: String, _ value: SQLiteConnection.Value
    ) throws(WalletError) {
      try check()
      try connection.run(
        """
        INSERT INTO \(table)(name, value) VALUES(?, ?)
        ON CONFLICT(name) DO UPDATE SET value = excluded.value
        """, "write \(table)", with: [.text(name), value], read: SQLiteColumn.nothing)
    }

    private func delete(_ table: String, _ name: String) throws(WalletError) {
      try check()
      try connection.run(
        "DELETE FROM \(table) WHERE name = ?", "delete from \(table)", with: [.text(name)],
        read: SQLiteColumn.nothing)
    }
  }
}
