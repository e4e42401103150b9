public import WalletCrypto
public import WalletModel

/// A value of the vault, sealed. Sealing and opening need the vault key and no I/O, reading and writing
/// need I/O and no key: so the key is borrowed for a moment only.
public struct SealedVaultValue: Sendable {
  /// The value's name in the vault.
  public let name: String
  let box: [UInt8]

  init(name: String, box: [UInt8]) {
    self.name = name
    self.box = box
  }

  /// Seals `value` for its place in the vault.
  public init(sealing value: Secret, name: String, key: Secret) throws(WalletError) {
    self.name = name
    box = try SealedValue.seal(value, key: key, table: "vault", name: name)
  }

  /// The value; `storageCorrupt` where it does not open.
  public func open(key: Secret) throws(WalletError) -> Secret {
    try SealedValue.open(box, key: key, table: "vault", name: name)
  }
}
