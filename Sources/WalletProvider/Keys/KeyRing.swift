public import WalletProtocol

/// The keys of one role, at least one. The first key is in use: it signs, it seals, or wallets seal
/// to it. The other keys are published too, and still verify or open.
public struct KeyRing<Key: Sendable>: Sendable, RedactedDescription {
  /// The first key.
  public let current: Key
  /// The other keys: announced and former ones.
  public let others: [Key]

  /// All keys, the current one first.
  public var all: [Key] { [current] + others }

  /// Nil if `keys` is empty.
  init?(_ keys: [Key]) {
    guard let first = keys.first else { return nil }
    current = first
    others = Array(keys.dropFirst())
  }
}
