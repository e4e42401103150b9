public import WalletCrypto
public import WalletModel
public import WalletStorage

/// What is stored so that biometrics can open the vault: a secret encrypted by the platform's
/// biometric key, and the vault key wrapped under that secret. Only the platform key can decrypt
/// the secret, so these bytes need not be kept secret as long as that key stays in the device.
public struct SealedBiometricSecret: Sendable {
  /// The identifier of the platform key.
  public let keyIdentifier: String
  /// The secret, encrypted by the platform key.
  public let ciphertext: [UInt8]
  /// The vault key, wrapped under the secret.
  let vaultKey: [UInt8]

  public init(keyIdentifier: String, ciphertext: [UInt8], vaultKey: [UInt8]) {
    self.keyIdentifier = keyIdentifier
    self.ciphertext = ciphertext
    self.vaultKey = vaultKey
  }
}

/// Wraps one wallet's vault key under a secret that the platform's biometric key protects.
public struct BiometricWrapping: Sendable {
  /// The length of the secret in bytes.
  public static let secretLength = AuthenticatedBox.keyLength

  let walletID: String

  /// Wraps `vaultKey`; does not touch the storage.
  public func wrap(_ vaultKey: Secret, under secret: Secret) throws(WalletError) -> [UInt8] {
    do {
      return try VaultKey.wrap(vaultKey, under: secret, purpose: .biometrics, walletID: walletID)
    } catch { throw WalletError(.outOfResources, "Not enough memory for guarded memory.") }
  }

  /// Returns the vault key; nil if `secret` does not open it.
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
  /// Returns whether biometric unlock is enabled; needs no key.
  public static func isBiometricUnlockEnabled(in store: SealedStore) throws(WalletError) -> Bool {
    try store.read { transaction in
      try transaction.marker(AccountRecords.registeredMarker) == 1
        && transaction.marker(AccountRecords.biometricsMarker) == 1
    }
  }

  /// Returns what is stored for biometric unlock; nil if that is not enabled. Needs no key.
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

  /// Returns how this wallet's vault key is wrapped for biometrics.
  public func biometricWrapping() throws(WalletError) -> BiometricWrapping {
    guard let walletID = try storedRegistration()?.walletID else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    return BiometricWrapping(walletID: walletID)
  }

  /// Stores `sealed` in place of an earlier one. From now on biometrics can open the wallet.
  public func enableBiometricUnlock(with sealed: SealedBiometricSecret) throws(WalletError) {
    try store.transaction(label: "biometrics.enable") { transaction in
      try transaction.setKeyring(
        AccountRecords.biometricKeyIdentifier, Array(sealed.keyIdentifier.utf8))
      try transaction.setKeyring(AccountRecords.biometricSecret, sealed.ciphertext)
      try transaction.setKeyring(AccountRecords.vaultUnderBiometrics, sealed.vaultKey)
      try transaction.setMarker(AccountRecords.biometricsMarker, 1)
    }
  }

  /// Deletes what is stored for biometric unlock, if that is enabled; needs no key.
  public static func disableBiometricUnlock(in store: SealedStore) throws(WalletError) {
    try store.transaction(label: "biometrics.disable") { transaction in
      try AccountRecords.deleteBiometrics(transaction)
    }
  }
}
