internal import WalletCrypto
internal import WalletStorage

/// A change of the PIN whose end the provider has not confirmed yet, sealed under the account key.
/// Like `RegistrationRecord`, it has nothing that a guess of the PIN can be checked against:
/// neither the new PIN nor its key. The new salt is stored separately, as `PinSalt.ofChange`.
struct PinChangeRecord: Codable, Equatable {
  /// The state of the change, which decides which PIN the wallet uses.
  enum Phase: String, Codable {
    /// The provider may have prepared the change and accepts the former PIN in any case.
    case preparing
    /// The provider has prepared the change and accepts the new PIN in any case.
    case committing
  }

  /// The id of the change, random.
  var change: String
  var passes: UInt32
  var memoryBytes: UInt64
  /// The new PIN key.
  var pinKey: PinKeyRecord
  var phase: Phase
}

extension PinChangeRecord {
  private static let name = "pin-change"
  /// Plain marker, so that "is a change to be ended?" needs no key: 1 while there is a record.
  private static let marker = "pin-change.open"

  static func isOpen(_ reader: SealedStore.Reader) throws -> Bool {
    try reader.marker(marker) == 1
  }

  static func load(_ reader: SealedStore.Reader, key: Secret) throws -> PinChangeRecord? {
    guard let bytes = try reader.account(name, key: key) else { return nil }
    return try bytes.record(PinChangeRecord.self)
  }

  func save(_ transaction: SealedStore.Transaction, key: Secret) throws {
    try transaction.setAccount(Self.name, Secret(encoding: self), key: key)
    try transaction.setMarker(Self.marker, 1)
  }

  static func delete(_ transaction: SealedStore.Transaction) throws {
    try transaction.deleteAccount(name)
    try PinSalt.ofChange.delete(transaction)
    try transaction.deleteKeyring(AccountRecords.vaultUnderNewPin)
    try transaction.deleteMarker(marker)
  }
}
