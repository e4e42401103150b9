import WalletSignatures
public import WalletProtocol

/// A key that the provider signs with. Its private half may be in this process, or in a device that
/// only returns signatures.
public protocol SigningKey: Signer, Sendable {
  /// The id by which clients know the key.
  var id: String { get }
  /// The published form of the key.
  var published: PublishedKey { get }
}

extension Ed25519Signer: SigningKey {}
extension P256Signer: SigningKey {}

/// The signing keys of one role. The current one signs.
public typealias SigningKeyRing = KeyRing<any SigningKey>

extension KeyRing: Signer where Key == any SigningKey {
  public var algorithm: SignatureAlgorithm { current.algorithm }
  public var keyID: String? { current.keyID }

  public func sign(_ message: [UInt8]) throws -> [UInt8] { try current.sign(message) }

  /// All keys, the current one first.
  var published: [PublishedKey] { all.map(\.published) }
}
