public import WalletProtocol

/// A key that the provider signs with. Its private half may be anywhere: in this process, or in a
/// device that is only asked for signatures.
public protocol SigningKey: Signer, Sendable {
  /// The id that clients know the key by.
  var id: String { get }
  /// The form in which it is published.
  var published: PublishedKey { get }
}

extension Ed25519Signer: SigningKey {}

/// The signing keys of one role. It signs with the current one.
public typealias SigningKeyRing = KeyRing<any SigningKey>

extension KeyRing: Signer where Key == any SigningKey {
  public var algorithm: SignatureAlgorithm { current.algorithm }
  public var keyID: String? { current.keyID }

  public func sign(_ message: [UInt8]) throws -> [UInt8] { try current.sign(message) }

  /// All of them, the current one first.
  var published: [PublishedKey] { all.map(\.published) }
}
