import WalletSignatures
import CSodium
public import WalletProtocol

// `crypto_box_seal` is X25519 with XSalsa20-Poly1305, which swift-crypto lacks; therefore this one
// file of the provider uses libsodium.

/// The key to which wallets seal what nobody in transit may read: PIN instructions, codes,
/// evidence.
public struct EncryptionKey: Sendable, RedactedDescription {
  /// The raw X25519 public key, 32 bytes.
  public let publicKey: [UInt8]
  /// The id by which messages refer to the key.
  public let id: String

  private let secretKey: [UInt8]

  /// - Parameter secretKey: 32 bytes. Nil for any other length.
  public init?(secretKey: [UInt8]) {
    guard SodiumStart.isReady, secretKey.count == Int(crypto_box_SECRETKEYBYTES) else { return nil }
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
    guard crypto_scalarmult_base(&publicKey, secretKey) == 0 else { return nil }
    self.secretKey = secretKey
    self.publicKey = publicKey
    id = Digest.keyID(publicKey)
  }

  /// Opens a sealed box for this key; nil if it does not open.
  func open(_ box: [UInt8]) -> [UInt8]? {
    let overhead = crypto_box_sealbytes()
    guard box.count >= overhead else { return nil }
    var message = [UInt8](repeating: 0, count: box.count - overhead)
    let status = crypto_box_seal_open(
      &message, box, UInt64(box.count), publicKey, secretKey)
    return status == 0 ? message : nil
  }

  /// The form in which the configuration publishes the key.
  public var published: PublishedKey { PublishedKey(id: id, key: Base64URL.encode(publicKey)) }
}

/// A key that a wallet made for one request. An unlock share or a PID is sealed to it.
struct ShareRecipient: Sendable {
  private let publicKey: [UInt8]

  /// Nil unless `publicKey` is an X25519 key of 32 bytes that can be sealed to. The few that cannot
  /// (points of low order) are refused here; otherwise sealing would fail only after the PIN was
  /// checked.
  init?(_ publicKey: [UInt8]) {
    guard SodiumStart.isReady, publicKey.count == Int(crypto_box_PUBLICKEYBYTES) else { return nil }
    let anyScalar = [UInt8](repeating: 1, count: Int(crypto_scalarmult_SCALARBYTES))
    var shared = [UInt8](repeating: 0, count: Int(crypto_scalarmult_BYTES))
    guard crypto_scalarmult(&shared, anyScalar, publicKey) == 0 else { return nil }
    self.publicKey = publicKey
  }

  /// Seals `message`; nil if libsodium fails.
  func seal(_ message: [UInt8]) -> [UInt8]? {
    var box = [UInt8](repeating: 0, count: message.count + crypto_box_sealbytes())
    return crypto_box_seal(&box, message, UInt64(message.count), publicKey) == 0 ? box : nil
  }
}

private enum SodiumStart {
  static let isReady = sodium_init() >= 0
}
