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
}
