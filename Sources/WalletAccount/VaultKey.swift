internal import WalletCrypto
internal import WalletModel
internal import WalletProtocol

/// The key that seals the cards and the PID, and how this key itself is wrapped.
enum VaultKey {
  /// The purpose of a wrapped vault key. It is part of the associated data, so that a key wrapped
  /// for one purpose does not open in place of one for the other purpose.
  enum Purpose: String {
    /// Wrapped under the PIN and the provider's share, which the provider sends only for a valid PIN.
    case pin
    /// Wrapped under the secret that the platform's biometric key encrypts.
    case biometrics
  }

  /// Returns a new random key.
  static func make() throws -> Secret { try .random(count: AuthenticatedBox.keyLength) }

  /// Returns `key` sealed under `secret`, for the wallet `walletID`.
  static func wrap(
    _ key: Secret, under secret: Secret, purpose: Purpose, walletID: String
  ) throws -> [UInt8] {
    try AuthenticatedBox.seal(key, key: secret, associatedData: context(purpose, walletID))
  }

  /// Opens what `wrap` made.
  ///
  /// - Throws: `CryptoError.notAuthentic`.
  static func open(
    _ box: [UInt8], under secret: Secret, purpose: Purpose, walletID: String
  ) throws -> Secret {
    try AuthenticatedBox.open(box, key: secret, associatedData: context(purpose, walletID))
  }

  private static func context(_ purpose: Purpose, _ walletID: String) -> [UInt8] {
    Array("wallet_core/2/vault-key/\(purpose.rawValue)/".utf8) + Array(walletID.utf8)
  }
}

extension SealedBox.Recipient {
  /// Opens what the provider sealed in its answer, given as base64url.
  ///
  /// - Throws: `serverRefused`, `CryptoError.outOfMemory`.
  func openAnswer(_ text: String) throws -> Secret {
    do {
      return try open(Base64URL.decode(text) ?? [])
    } catch CryptoError.notAuthentic {
      throw WalletError(
        .serverRefused, "What the provider sealed in its answer does not open; it was ignored.")
    }
  }

  /// Opens the share under which the vault key is wrapped, given as base64url.
  ///
  /// - Throws: as `openAnswer`.
  func openShare(_ text: String) throws -> Secret {
    let share = try openAnswer(text)
    guard share.count == AuthenticatedBox.keyLength else {
      throw WalletError(.serverRefused, "The provider's share has the wrong length.")
    }
    return share
  }
}
