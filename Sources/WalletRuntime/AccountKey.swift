internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

/// The key of everything that is needed while locked, wrapped by the encryption-key bridge.
enum AccountKey {
  static let identifierName = "account.identifier"
  private static let wrappedName = "account.wrapped"

  /// Opens the stored key, or makes and stores a new one where there is none.
  static func open(
    in store: SealedStore, platform: any PlatformBridges, cancellation: Cancellation
  ) throws(WalletError) -> Secret {
    let stored = try store.read { transaction -> (identifier: [UInt8], wrapped: [UInt8])? in
      guard let identifier = try transaction.keyring(identifierName),
        let wrapped = try transaction.keyring(wrappedName)
      else { return nil }
      return (identifier, wrapped)
    }
    guard let stored else {
      return try make(in: store, platform: platform, cancellation: cancellation)
    }
    let key: Secret
    do {
      key = try platform.perform(
        .decrypt(
          identifier: String(decoding: stored.identifier, as: UTF8.self), protection: .none,
          ciphertext: stored.wrapped), cancellation: cancellation)
    } catch .refused(.keyMissing, _), .refused(.keyInvalidated, _) {
      throw WalletError(
        .storageKeyLost,
        "The platform key that opens the stored wallet is gone; wipe to start over.")
    } catch { throw error.walletError("decrypt the account key") }
    guard key.count == AuthenticatedBox.keyLength else {
      throw WalletError(
        .bridgeFailed, "encryption_key_bridge.decrypt replied another length than was encrypted.")
    }
    return key
  }

  private static func make(
    in store: SealedStore, platform: any PlatformBridges, cancellation: Cancellation
  ) throws(WalletError) -> Secret {
    guard let key = try? Secret.random(count: AuthenticatedBox.keyLength) else {
      throw WalletError(.outOfResources, "Not enough memory for guarded memory.")
    }
    let identifier =
      "wallet_core.account."
      + Random.bytes(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let wrapped = try platform.ask(
      .encrypt(identifier: identifier, protection: .none, plaintext: key),
      to: "encrypt the account key", cancellation: cancellation)
    guard (1...4096).contains(wrapped.count) else {
      throw WalletError(.bridgeFailed, "encryption_key_bridge.encrypt replied nothing or too much.")
    }
    try store.transaction(label: "account-key.stored") { transaction in
      try transaction.setKeyring(identifierName, Array(identifier.utf8))
      try transaction.setKeyring(wrappedName, wrapped.disclosed())
    }
    return key
  }
}
