public import WalletCrypto
public import WalletModel

/// A sealed value of the vault. Sealing and opening need the vault key but no I/O; reading and
/// writing need I/O but no key. So the key is needed only for a moment.
public struct SealedVaultValue: Sendable {
  /// The value's name in the vault.
  public let name: String
  let box: [UInt8]

  init(name: String, box: [UInt8]) {
    self.name = name
    self.box = box
  }

  /// Seals `value` for the vault under `name`.
  public init(sealing value: Secret, name: String, key: Secret) throws(WalletError) {
    self.name = name
    box = try SealedValue.seal(value, key: key, table: "vault", name: name)
  }

  /// Returns the value. Throws `storageCorrupt` if it does not open.
  public func open(key: Secret) throws(WalletError) -> Secret {
    try SealedValue.open(box, key: key, table: "vault", name: name)
  }

  /// Opens values, several at a time in one block of guarded memory, and calls `body` with each in
  /// order; with nil for one that is nil or does not open. The bytes are valid only during the call.
  ///
  /// - Parameter withKey: Calls its argument with the key of the vault, which is needed only for that
  ///   moment. Called once for each block.
  public static func openEach(
    _ values: [SealedVaultValue?],
    withKey: ((Secret) throws(WalletError) -> Void) throws(WalletError) -> Void,
    _ body: (Int, UnsafeRawBufferPointer?) throws(WalletError) -> Void
  ) throws(WalletError) {
    let batch = SecretBatch()
    batch.expect(values.reduce(0) { $0 + ($1?.box.count ?? 0) })
    var first = 0
    while first < values.count {
      try withKey { key throws(WalletError) in
        for value in values[first...] {
          guard let value else {
            batch.appendMissing()
            continue
          }
          guard try value.open(key: key, into: batch) else { break }
        }
      }
      guard batch.count > 0 else {
        throw WalletError(.internalDefect, "The key of the vault was not used.")
      }
      try batch.forEach { index, bytes throws(WalletError) in try body(first + index, bytes) }
      first += batch.count
      batch.clear()
    }
  }

  private func open(key: Secret, into batch: SecretBatch) throws(WalletError) -> Bool {
    try box.withUnsafeBytes { bytes in
      Result { () throws(WalletError) in
        try SealedValue.open(bytes, key: key, table: "vault", name: name, into: batch)
      }
    }.get()
  }
}
