internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

/// The key that encrypts everything that the wallet needs while it is locked. The encryption-key
/// bridge wraps this key.
enum AccountKey {
  static let identifierName = "account.identifier"
  private static let wrappedName = "account.wrapped"

  /// Opens the stored key, or makes and stores a new one if there is none.
  static func open(
    in store: SealedStore, platform: any PlatformBridges, cancellation: Cancellation
  ) throws(WalletError) -> Secret {
    let (name, wrapped) = try store.read { transaction in
      (try transaction.keyring(identifierName), try transaction.keyring(wrappedName))
    }
    let identifier = name.map { String(decoding: $0, as: UTF8.self) }
    guard let identifier, let wrapped else {
      return try make(identifier, in: store, platform: platform, cancellation: cancellation)
    }
    let key: Secret
    do {
      key = try platform.perform(
        .decrypt(identifier: identifier, protection: .none, ciphertext: wrapped),
        cancellation: cancellation)
    } catch .refused(.keyMissing, _), .refused(.keyInvalidated, _) {
      throw WalletError(
        .storageKeyLost,
        "The platform key that opens the stored wallet is gone; wipe to start over.")
    } catch { throw error.walletError("decrypt the account key") }
    guard key.count == AuthenticatedBox.keyLength else {
      throw WalletError(
        .bridgeFailed, "encryption_key_bridge.decrypt replied a key of another length.")
    }
    return key
  }

  /// - Parameter noted: The identifier that an interrupted attempt has stored; nil if there was
  ///   none.
  private static func make(
    _ noted: String?, in store: SealedStore, platform: any PlatformBridges,
    cancellation: Cancellation
  ) throws(WalletError) -> Secret {
    guard let key = try? Secret.random(count: AuthenticatedBox.keyLength) else {
      throw WalletError(.outOfResources, "Not enough memory for guarded memory.")
    }
    let identifier: String
    if let noted { identifier = noted } else { identifier = try noteIdentifier(in: store) }
    try store.notePlatformKey(identifier)
    let wrapped = try platform.ask(
      .encrypt(identifier: identifier, protection: .none, plaintext: key),
      to: "encrypt the account key", cancellation: cancellation)
    guard (1...4096).contains(wrapped.count) else {
      throw WalletError(
        .bridgeFailed, "encryption_key_bridge.encrypt replied an empty or too long ciphertext.")
    }
    try store.transaction(label: "account-key.stored") { transaction in
      try transaction.setKeyring(wrappedName, wrapped.disclosed())
    }
    return key
  }

  /// Stores a new identifier before the platform makes the key. If this attempt is interrupted, the
  /// next one continues with the same identifier.
  private static func noteIdentifier(in store: SealedStore) throws(WalletError) -> String {
    let identifier = PlatformKeyKind.account.newIdentifier()
    try store.transaction(label: "account-key.noted") { transaction in
      try transaction.setKeyring(identifierName, Array(identifier.utf8))
    }
    return identifier
  }
}
