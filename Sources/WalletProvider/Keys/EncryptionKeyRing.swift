import WalletProtocol

/// The keys that wallets seal to. They take the first that is published.
public typealias EncryptionKeyRing = KeyRing<EncryptionKey>

extension KeyRing where Key == EncryptionKey {
  /// All of them, the current one first.
  var published: [PublishedKey] { all.map(\.published) }

  /// The message in a sealed box for the key with this id; nil when there is no such key or box.
  func open(_ box: [UInt8], keyID: String?) -> [UInt8]? {
    all.first { $0.id == keyID }?.open(box)
  }
}
