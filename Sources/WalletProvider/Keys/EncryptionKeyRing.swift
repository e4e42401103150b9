import WalletProtocol

/// The keys that wallets seal to. Wallets use the first published one.
public typealias EncryptionKeyRing = KeyRing<EncryptionKey>

extension KeyRing where Key == EncryptionKey {
  /// All keys, the current one first.
  var published: [PublishedKey] { all.map(\.published) }

  /// Opens a sealed box with the key that has this id; nil if there is no such key or the box does
  /// not open.
  func open(_ box: [UInt8], keyID: String?) -> [UInt8]? {
    all.first { $0.id == keyID }?.open(box)
  }
}
