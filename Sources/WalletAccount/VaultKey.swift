internal import WalletCrypto
internal import WalletModel

/// The key of cards and PID, and its wrapping under the provider's share (DESIGN section 7).
enum VaultKey {
  /// A new random key.
  static func make() throws -> Secret { try .random(count: AuthenticatedBox.keyLength) }

  /// `key` sealed under `share`, for the wallet `walletID`.
  static func wrap(_ key: Secret, under share: Secret, walletID: String) throws -> [UInt8] {
    try AuthenticatedBox.seal(key, key: share, associatedData: purpose(walletID))
  }

  /// Opens what `wrap` made.
  static func unwrap(_ box: [UInt8], under share: Secret, walletID: String) throws -> Secret {
    do {
      return try AuthenticatedBox.open(box, key: share, associatedData: purpose(walletID))
    } catch CryptoError.notAuthentic {
      throw WalletError(
        .storageCorrupt, "The stored vault key does not open; wipe to start over.")
    }
  }

  private static func purpose(_ walletID: String) -> [UInt8] {
    Array("wallet_core/1/vault-key/share/".utf8) + Array(walletID.utf8)
  }
}
