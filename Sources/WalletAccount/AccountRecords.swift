#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import WalletCrypto
internal import WalletModel
internal import WalletProtocol
internal import WalletStorage

/// What the device stores of a registration, sealed under the account key. The PIN, the PIN public
/// key, a PIN signature or a request must never be stored, because anyone who has one of them can
/// check guesses of the PIN offline. The salt is stored separately, see `PinSalt`.
struct RegistrationRecord: Codable, Equatable {
  /// Chosen by the wallet. The provider finds a pending registration by this id and the hardware
  /// key.
  var registrationID: String
  /// The identifier of the hardware key at the signing-key bridge.
  var keyIdentifier: String
  var passes: UInt32
  var memoryBytes: UInt64
  /// Base64url of the hardware key's SubjectPublicKeyInfo.
  var hardwareKey: String?
  /// From the certificate; nil while the provider has not answered.
  var walletID: String?
  /// The wallet certificate, compact JWS.
  var certificate: String?
  /// Whether the provider has confirmed that the wallet has the certificate.
  var isConfirmed: Bool
  /// The PIN key in force; nil while the provider has not answered.
  var pinKey: PinKeyRecord?
}

extension RegistrationRecord {
  /// The parameters of the PIN key in force.
  var parameters: PinKey.Parameters {
    PinKey.Parameters(storedPasses: passes, storedMemoryBytes: memoryBytes)
  }

  /// Stretches `pin`. Takes the time and memory that `parameters` demand.
  ///
  /// - Throws: `outOfResources`.
  func stretched(_ pin: Pin, salt: Secret) throws -> StretchedPin {
    try PinKey.stretch(pin, salt: salt, parameters: parameters)
  }

  /// Puts the new PIN key of `change` in force.
  mutating func adopt(_ change: PinChangeRecord) {
    passes = change.passes
    memoryBytes = change.memoryBytes
    pinKey = change.pinKey
  }
}

/// The names of the account's values in the store, and how they are read and written.
enum AccountRecords {
  static let registration = "registration"
  static let sequence = "sequence"
  /// The identity proofing in progress.
  static let proofing = "proofing"
  /// Plain marker without a meaning: each test whether the storage can be written changes it.
  static let proofingChecks = "proofing.checks"
  /// Plain marker, so that "is there a wallet?" needs no key: 1 once the certificate is on disk.
  static let registeredMarker = "registered"
  /// Plain marker: 1 once the provider knows that the wallet has the certificate.
  static let confirmedMarker = "confirmed"
  /// Plain marker, so that a block can be shown before any key is available: the time at which the
  /// provider told of the last known block of the PIN.
  static let pinBlockToldMarker = "pin-block.told"
  /// Plain marker: the duration of that block; absent if it is permanent.
  static let pinBlockDurationMarker = "pin-block.duration"
  /// How many wrong PINs the owner has been told of.
  static let failures = "pin-failures"
  /// Keyring: the vault key under the PIN and the provider's share.
  static let vaultUnderPin = "vault.pin"
  /// Keyring: the vault key under the new PIN and the share, while a change of the PIN has not ended.
  static let vaultUnderNewPin = "pin-change.vault"
  /// Plain marker, so that "is biometric unlock enabled?" needs no key: 1 while it is.
  static let biometricsMarker = "biometrics.enabled"
  /// Keyring, plain: the identifier of the platform's biometric key.
  static let biometricKeyIdentifier = "biometrics.identifier"
  /// Keyring: a secret under the platform's biometric key.
  static let biometricSecret = "biometrics.secret"
  /// Keyring: the vault key under that secret.
  static let vaultUnderBiometrics = "vault.biometrics"
  /// Keyring, plain: the hardware key's identifier, so that a wipe can delete it without any key.
  static let signingKeyIdentifier = "signing.identifier"

  static func load(
    _ reader: SealedStore.Reader, key: Secret
  ) throws -> RegistrationRecord? {
    guard let bytes = try reader.account(registration, key: key) else { return nil }
    return try bytes.record(RegistrationRecord.self)
  }

  static func save(
    _ record: RegistrationRecord, _ transaction: SealedStore.Transaction, key: Secret
  ) throws {
    try transaction.setAccount(registration, Secret(encoding: record), key: key)
  }

  /// Deletes everything that opens the wallet by biometrics.
  static func deleteBiometrics(_ transaction: SealedStore.Transaction) throws {
    try transaction.deleteKeyring(biometricKeyIdentifier)
    try transaction.deleteKeyring(biometricSecret)
    try transaction.deleteKeyring(vaultUnderBiometrics)
    try transaction.deleteMarker(biometricsMarker)
  }

  static func deletePinBlock(_ transaction: SealedStore.Transaction) throws {
    try transaction.deleteMarker(pinBlockToldMarker)
    try transaction.deleteMarker(pinBlockDurationMarker)
  }

  /// Spends `count` sequence numbers and returns the first of them.
  static func reserveSequence(
    _ count: UInt64, _ transaction: SealedStore.Transaction, key: Secret
  ) throws -> UInt64 {
    let last = try lastSequence(transaction, key: key)
    let (next, overflow) = last.addingReportingOverflow(count)
    guard !overflow, next < SequenceNumber.limit else {
      throw WalletError(.accountDiverged, "The sequence numbers are used up; wipe to start over.")
    }
    try setLastSequence(next, transaction, key: key)
    return next - count + 1
  }

  static func lastSequence(
    _ reader: SealedStore.Reader, key: Secret
  ) throws -> UInt64 {
    try number(sequence, reader, key: key)
  }

  static func setLastSequence(
    _ value: UInt64, _ transaction: SealedStore.Transaction, key: Secret
  ) throws {
    try setNumber(value, sequence, transaction, key: key)
  }

  static func toldFailures(_ reader: SealedStore.Reader, key: Secret) throws -> UInt64 {
    try number(failures, reader, key: key)
  }

  static func setToldFailures(
    _ value: UInt64, _ transaction: SealedStore.Transaction, key: Secret
  ) throws {
    try setNumber(value, failures, transaction, key: key)
  }

  private static func number(
    _ name: String, _ reader: SealedStore.Reader, key: Secret
  ) throws -> UInt64 {
    guard let bytes = try reader.account(name, key: key) else { return 0 }
    return bytes.disclosed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func setNumber(
    _ value: UInt64, _ name: String, _ transaction: SealedStore.Transaction, key: Secret
  ) throws {
    let bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }
    try transaction.setAccount(name, Secret(copying: bytes), key: key)
  }
}
