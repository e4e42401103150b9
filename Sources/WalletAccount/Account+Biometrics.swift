public import WalletCrypto
public import WalletModel
public import WalletStorage

/// What opens the vault by biometrics: a secret that the platform's biometric key has encrypted, and
/// the vault key under that secret. No secret itself, without the platform key.
public struct SealedBiometricSecret: Sendable {
  /// The identifier of the platform key.
  public let keyIdentifier: String
  /// The secret, encrypted by the platform key.
  public let ciphertext: [UInt8]
  /// The vault key under the secret.
  let vaultKey: [UInt8]

  public init(keyIdentifier: String, ciphertext: [UInt8], vaultKey: [UInt8]) {
    self.keyIdentifier = keyIdentifier
    self.ciphertext = ciphertext
    self.vaultKey = vaultKey
  }
}

/// The wrapping of one wallet's vault key under a secret that the platform's biometric key keeps.
public struct BiometricWrapping: Sendable {
  /// The length of the secret.
  public static let secretLength = AuthenticatedBox.keyLength

  let walletID: String

  /// Wraps `vaultKey`; reads and writes nothing.
  public func wrap(_ vaultKey: Secret, under secret: Secret) throws(WalletError) -> [UInt8] {
    do {
      return try VaultKey.wrap(vaultKey, under: secret, purpose: .biometrics, walletID: walletID)
    } catch { throw WalletError(.outOfResources, "Not enough memory for guarded memory.") }
  }

  /// The vault key; nil where `secret` does not open it.
  public func open(_ sealed: SealedBiometricSecret, with secret: Secret) throws(WalletError)
    -> Secret?
  {
    do {
      return try VaultKey.open(
        sealed.vaultKey, under: secret, purpose: .biometrics, walletID: walletID)
    } catch CryptoError.outOfMemory {
      throw WalletError(.outOfResources, "Not enough memory for guarded memory.")
    } catch { return nil }
  }
}

extension Account {
  /// Whether biometrics open the wallet; needs no key.
  public static func isBiometricUnlockEnabled(in store: SealedStore) throws(WalletError) -> Bool {
    try store.read { transaction in
      try transaction.marker(AccountRecords.registeredMarker) == 1
        && transaction.marker(AccountRecords.biometricsMarker) == 1
    }
  }

  /// What is stored to open the wallet by biometrics; nil where that is not enabled. Needs no key.
  public static func biometricSecret(
    in store: SealedStore
  ) throws(WalletError) -> SealedBiometricSecret? {
    try store.read { transaction in
      guard try transaction.marker(AccountRecords.biometricsMarker) == 1,
        let identifier = try transaction.keyring(AccountRecords.biometricKeyIdentifier),
        let ciphertext = try transaction.keyring(AccountRecords.biometricSecret),
        let vaultKey = try transaction.keyring(AccountRecords.vaultUnderBiometrics)
      else { return nil }
      return SealedBiometricSecret(
        keyIdentifier: String(decoding: identifier, as: UTF8.self), ciphertext: ciphertext,
        vaultKey: vaultKey)
    }
  }

  /// How this wallet's vault key is wrapped for biometrics.
  public func biometricWrapping() throws(WalletError) -> BiometricWrapping {
    guard let walletID = try storedRegistration()?.walletID else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    return BiometricWrapping(walletID: walletID)
  }

  /// Stores `sealed` in the place of what was there; from here on it opens the wallet.
  public func enableBiometricUnlock(with sealed: SealedBiometricSecret) throws(WalletError) {
    try store.transaction(label: "biometrics.enable") { transaction in
      try transaction.setKeyring(
        AccountRecords.biometricKeyIdentifier, Array(sealed.keyIdentifier.utf8))
      try transaction.setKeyring(AccountRecords.biometricSecret, sealed.ciphertext)
      try transaction.setKeyring(AccountRecords.vaultUnderBiometrics, sealed.vaultKey)
      try transaction.setMarker(AccountRecords.biometricsMarker, 1)
    }
  }

  /// Takes this way in away; needs no key. Nothing to take is fine.
  public static func disableBiometricUnlock(in store: SealedStore) throws(WalletError) {
    try store.transaction(label: "biometrics.disable") { transaction in
      try AccountRecords.deleteBiometrics(transaction)
    }
  }
}
