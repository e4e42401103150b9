import WalletProtocol

/// Why a sealed box was not opened with a use key.
package enum UseKeyProblem: Error, Equatable {
  /// There is no use key of this id, so it was lost, deleted or never here. What is sealed to it
  /// stays closed.
  case unknownKey
  /// The box was not sealed to this key, or was changed.
  case doesNotOpen
}

/// The keys that wallets seal to what they need to use a copy of a card. A wallet keeps the sealed
/// box for as long as it has the copy, so a key opens after its retirement too.
package struct UseKeys: Sendable, RedactedDescription {
  /// The published keys. Wallets use the first one.
  let ring: EncryptionKeyRing
  /// Keys that are not published any more.
  let retired: [EncryptionKey]

  /// The published keys, the current one first.
  var published: [PublishedKey] { ring.published }

  /// Opens a sealed box with the key that has this id, retired or not.
  package func open(_ box: [UInt8], keyID: String) throws(UseKeyProblem) -> [UInt8] {
    guard let key = (ring.all + retired).first(where: { $0.id == keyID }) else {
      throw .unknownKey
    }
    guard let content = key.open(box) else { throw .doesNotOpen }
    return content
  }
}
