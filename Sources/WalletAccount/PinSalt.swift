internal import WalletCrypto
internal import WalletModel
internal import WalletStorage

/// The salts of PIN keys, each a sealed value of its own and not a member of a record: a record is
/// decoded in ordinary memory, and with the salt PINs can be tried against whatever a PIN key has
/// signed.
enum PinSalt: String {
  /// The salt of the key in force.
  case inForce = "pin-salt"
  /// The salt of the new key, during a change of the PIN.
  case ofChange = "pin-change.salt"

  /// - Throws: `storageCorrupt` if there is none or it has another length.
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
