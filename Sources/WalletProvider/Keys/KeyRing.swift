public import WalletProtocol

/// The keys of one role, at least one. The first key signs, seals or is the one wallets seal to.
/// All keys are published, verify or open.
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
