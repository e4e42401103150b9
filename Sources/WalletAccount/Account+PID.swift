internal import WalletCrypto
public import WalletModel
internal import WalletPlatform
public import WalletProtocol
public import WalletStorage

/// A key of the signing bridge that a PID is bound to.
public struct PIDKey: Equatable, Sendable {
  public let identifier: String
  public let subjectKey: SubjectPublicKey

  public init(identifier: String, subjectKey: SubjectPublicKey) {
    self.identifier = identifier
    self.subjectKey = subjectKey
  }
}

extension Account {
  /// The name of the PID in the vault.
  public static var pidName: String { "pid" }

  /// Returns whether there is a PID. The stored value is sealed under the account key, so a thief
  /// of the storage cannot read it, but the wallet can read it even while it is locked.
  public func hasPID() throws(WalletError) -> Bool {
    try store.read { try $0.account(AccountRecords.hasPID, key: accountKey) }?.disclosed() == [1]
  }

  /// Returns when the PID expires, in seconds since 1970; nil if there is no PID, or if an earlier
  /// version of this library stored the PID. The stored time is sealed like the value of
  /// `hasPID()`.
  public func pidExpiry() throws(WalletError) -> Int64? {
    let stored = try store.read { try $0.account(AccountRecords.pidExpiry, key: accountKey) }
    guard let bytes = stored?.disclosed(), bytes.count == 8 else { return nil }
    return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Stores a PID in place of an earlier one and deletes the record of the proofing that led to the
  /// new PID, in one transaction. Then deletes the key of the earlier PID.
  ///
  /// - Parameters:
  ///   - sealed: the PID under the vault key, named `pidName`.
  ///   - expiry: in seconds since 1970.
  public func storePID(
    _ sealed: SealedVaultValue, key: PIDKey, expiry: Int64
  ) throws(WalletError) {
    let expiry = withUnsafeBytes(of: expiry.bigEndian) { Array($0) }
    let earlier = try store.read { try $0.keyring(AccountRecords.pidKeyIdentifier) }
    try store.transaction(label: "pid.stored") { transaction in
      try transaction.setVault(sealed)
      try transaction.setKeyring(AccountRecords.pidKeyIdentifier, Array(key.identifier.utf8))
      try transaction.deleteKeyring(AccountRecords.nextPIDKeyIdentifier)
      try transaction.setAccount(AccountRecords.hasPID, Secret(copying: [1]), key: accountKey)
      try transaction.setAccount(
        AccountRecords.pidExpiry, Secret(copying: expiry), key: accountKey)
      try transaction.deleteAccount(AccountRecords.proofing)
    }
    let identifier = earlier.map { String(decoding: $0, as: UTF8.self) }
    if let identifier, identifier != key.identifier { forgetPIDKey(identifier) }
  }

  /// Returns the stored PID, sealed; nil if there is none.
  public func sealedPID() throws(WalletError) -> SealedVaultValue? {
    try store.read { try $0.sealedVault(Self.pidName) }
  }

  /// Returns the identifier of the stored PID's key; nil if there is no PID.
  public func pidKeyIdentifier() throws(WalletError) -> String? {
    try store.read { try $0.keyring(AccountRecords.pidKeyIdentifier) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the key prepared for the next PID, or makes one. The identifier is stored before the
  /// key is made. If the process is killed in between, the key is therefore still known.
  func preparePIDKey() throws(WalletError) -> PIDKey {
    let waiting = try store.read { try $0.keyring(AccountRecords.nextPIDKeyIdentifier) }
    let identifier =
      waiting.map { String(decoding: $0, as: UTF8.self) } ?? Self.newKeyIdentifier("pid")
    try store.notePlatformKey(identifier)
    if waiting == nil {
      try store.transaction(label: "pid.key") { transaction in
        try transaction.setKeyring(AccountRecords.nextPIDKeyIdentifier, Array(identifier.utf8))
      }
    }
    let key = try HardwareKey.fetch(
      identifier: identifier, platform: platform, cancellation: cancellation)
    return PIDKey(identifier: identifier, subjectKey: key.subjectKey)
  }

  /// Returns a signer with the key of a PID. If the platform has lost the key, the signer throws
  /// `cardKeyLost`: only the PID is lost, not the wallet.
  public func signer(of key: PIDKey) -> some Signer {
    PIDSigner(
      key: HardwareKey(
        identifier: key.identifier, subjectKey: key.subjectKey, platform: platform,
        cancellation: cancellation))
  }

  private struct PIDSigner: Signer {
    let key: HardwareKey

    var algorithm: SignatureAlgorithm { key.algorithm }
    var keyID: String? { nil }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
      do {
        return try key.sign(message)
      } catch let error as WalletError where error.kind == .storageKeyLost {
        throw WalletError(.cardKeyLost, "The key of this card is gone; obtain a new card.")
      }
    }
  }

  /// Forgets the key prepared for the next PID, so that the next try makes another.
  func forgetWaitingPIDKey() throws(WalletError) {
    try store.transaction(label: "pid.key-lost") { transaction in
      try transaction.deleteKeyring(AccountRecords.nextPIDKeyIdentifier)
    }
  }

  /// Returns which identifiers in `noted` are of PID keys that are not used any more. A PID key is
  /// used if the stored PID is bound to it or if it is prepared for the next PID.
  public static func unusedPIDKeys(
    among noted: [String], in store: SealedStore
  ) throws(WalletError) -> [String] {
    let used = try store.read { reader in
      [
        try reader.keyring(AccountRecords.pidKeyIdentifier),
        try reader.keyring(AccountRecords.nextPIDKeyIdentifier),
      ]
    }
    return noted.filter { identifier in
      identifier.hasPrefix(keyIdentifierPrefix("pid")) && !used.contains(Array(identifier.utf8))
    }
  }

  /// Deletes the key of an earlier PID. A failure is only logged: the key is then listed as an
  /// orphan, and the next start tries to delete it.
  private func forgetPIDKey(_ identifier: String) {
    do {
      _ = try platform.perform(
        .deleteSigningKey(identifier: identifier), cancellation: cancellation)
      try store.forgetPlatformKey(identifier)
    } catch {
      log(.info, "account", "The key of an earlier PID could not be deleted yet.")
      // If the key cannot be listed as an orphan either, the next start finds it among the unused
      // keys.
      try? store.orphanPlatformKeys([identifier])
    }
  }
}
