internal import WalletModel
internal import WalletPlatform
public import WalletProtocol

/// A platform key that a copy of a card is bound to, or can be.
public struct CardKey: Equatable, Sendable {
  public let identifier: String
  public let subjectKey: SubjectPublicKey

  public init(identifier: String, subjectKey: SubjectPublicKey) {
    self.identifier = identifier
    self.subjectKey = subjectKey
  }
}

extension Account {
  /// A signer with the key of a copy. If the platform has lost the key, it throws `cardKeyLost`: only
  /// the copy is lost, not the wallet.
  public func signer(of key: CardKey) -> some Signer {
    CardSigner(
      key: HardwareKey(
        identifier: key.identifier, subjectKey: key.subjectKey, platform: platform,
        cancellation: cancellation))
  }
}

private struct CardSigner: Signer {
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
