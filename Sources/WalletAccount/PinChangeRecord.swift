internal import WalletCrypto
internal import WalletStorage

/// A change of the PIN that the provider has not yet been heard to have ended, sealed under the account
/// key. Like the registration it holds nothing that verifies a guess: not the new PIN, nor its key.
struct PinChangeRecord: Codable, Equatable {
  /// How far the change has come, and so which PIN the wallet works with.
  enum Phase: String, Codable {
    /// May have been prepared at the provider, which accepts the former PIN in any case.
    case preparing
    /// Was prepared at the provider, which accepts the new PIN in any case.
    case committing
  }

  /// The id of the change, random.
  var change: String
  /// Of the new PIN key, as in `RegistrationRecord`.
  var salt: String
  var passes: UInt32
  var memoryBytes: UInt64
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
    try transaction.deleteMarker(marker)
  }
}
