public import WalletProtocol

/// The keys of one role, at least one. The first one signs, seals or is handed to wallets; all of
/// them are published, verify or open.
public struct KeyRing<Key: Sendable>: Sendable, RedactedDescription {
  /// The first key.
  public let current: Key
  /// The others: keys that are announced, and former ones.
  public let others: [Key]

  /// Current first.
  public var all: [Key] { [current] + others }

  /// Nil without a key.
  init?(_ keys: [Key]) {
    guard let first = keys.first else { return nil }
    current = first
    others = Array(keys.dropFirst())
  }
}
