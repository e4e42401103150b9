internal import WalletCrypto
internal import WalletModel
internal import WalletStorage

/// The salts of PIN keys. Each is stored as a sealed value of its own and not as a member of a
/// record, because a record is decoded in ordinary memory. Whoever finds a salt there can try PINs
/// against anything that the PIN key has signed.
enum PinSalt: String {
  /// The salt of the key in force.
  case inForce = "pin-salt"
  /// The salt of the new key, while a change of the PIN has not ended.
  case ofChange = "pin-change.salt"

  /// - Throws: `storageCorrupt` if there is no salt or its length is wrong.
  func load(_ reader: SealedStore.Reader, key: Secret) throws(WalletError) -> Secret {
    guard let salt = try reader.account(rawValue, key: key), salt.count == PinKey.saltLength else {
      throw WalletError(.storageCorrupt, "The stored salt is not readable; wipe to start over.")
    }
    return salt
  }

  func save(
    _ salt: Secret, _ transaction: SealedStore.Transaction, key: Secret
  ) throws(WalletError) {
    try transaction.setAccount(rawValue, salt, key: key)
  }

  func delete(_ transaction: SealedStore.Transaction) throws(WalletError) {
    try transaction.deleteAccount(rawValue)
  }
}
