import CSodium
import WalletCrypto
import WalletProtocol

/// The keys and values of the worked examples. Each seed is the SHA-256 of a text in the article,
/// so that a reader can make the same bytes.
struct ExampleParties {
  static let providerID = "provider.example"
  static let evaluatorID = "ZXZhbHVhdG9yLmV4YW1wbA"
  static let walletID = "wallet-1"
  static let session = "session-1"
  /// Seconds since 1970: 2026-01-01T12:00:00Z.
  static let now: Int64 = 1_767_268_800

  let hardwareKey: Ed25519.SigningKey
  let pin: ExamplePin
  let newPin: ExamplePin
  let signing: [Ed25519.SigningKey]
  let result: Ed25519.SigningKey
  let certificate: Ed25519.SigningKey
  let evaluator: Ed25519.SigningKey
  let encryption: BoxKey
  let use: BoxKey
  let recipient: BoxKey

  init() throws {
    hardwareKey = try Self.signer("hardware key")
    pin = try ExamplePin("246813", prefix: "")
    newPin = try ExamplePin("135792", prefix: "new ")
    signing = try ["configuration-signing key 1", "configuration-signing key 2"].map {
      try Self.publishedSigner($0)
    }
    result = try Self.publishedSigner("result key")
    certificate = try Self.publishedSigner("certificate key")
    evaluator = try Self.publishedSigner("evaluator key")
    encryption = try BoxKey(secret: Self.seed("encryption key"))
    use = try BoxKey(secret: Self.seed("use key"))
    recipient = try BoxKey(secret: Self.seed("recipient"))
  }

  /// The SHA-256 of "wallet_core example: NAME".
  static func seed(_ name: String) -> [UInt8] {
    Hash.sha256(Array("wallet_core example: \(name)".utf8))
  }

  /// A challenge, id or salt of that name, `count` bytes.
  static func bytes(_ name: String, count: Int = 32) -> String {
    Base64URL.encode(seed(name).prefix(count))
  }

  /// The id of a provider's key.
  static func id(_ publicKey: [UInt8]) -> String {
    Base64URL.encode(Hash.sha256(publicKey).prefix(9))
  }

  /// The SubjectPublicKeyInfo of a key, as text.
  static func subjectKey(_ key: Ed25519.SigningKey) throws -> String {
    Base64URL.encode(try SubjectPublicKey(ed25519: key.publicKey).der)
  }

  static func published(_ key: Ed25519.SigningKey) -> PublishedKey {
    PublishedKey(id: id(key.publicKey), key: Base64URL.encode(key.publicKey))
  }

  private static func signer(_ name: String) throws -> Ed25519.SigningKey {
    try Ed25519.SigningKey(seed: Secret(copying: seed(name)))
  }

  private static func publishedSigner(_ name: String) throws -> Ed25519.SigningKey {
    let key = try signer(name)
    return try Ed25519.SigningKey(
      seed: Secret(copying: seed(name)), keyID: id(key.publicKey))
  }
}

/// An X25519 key that something is sealed to.
struct BoxKey {
  let publicKey: [UInt8]
  let secretKey: [UInt8]

  init(secret: [UInt8]) throws {
    var publicKey = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
    guard sodium_init() >= 0, crypto_scalarmult_base(&publicKey, secret) == 0 else {
      throw WireError.encodingRefused
    }
    self.publicKey = publicKey
    secretKey = secret
  }

  var published: PublishedKey {
    PublishedKey(id: ExampleParties.id(publicKey), key: Base64URL.encode(publicKey))
  }

  /// Seals like `crypto_box_seal`, with the ephemeral key of `name`, so that the bytes are always
  /// the same.
  func seal(_ message: [UInt8], ephemeral name: String) throws -> [UInt8] {
    let ephemeral = try BoxKey(secret: ExampleParties.seed(name))
    var nonce = [UInt8](repeating: 0, count: Int(crypto_box_NONCEBYTES))
    let both = ephemeral.publicKey + publicKey
    var box = [UInt8](repeating: 0, count: message.count + Int(crypto_box_MACBYTES))
    guard
      crypto_generichash(&nonce, nonce.count, both, UInt64(both.count), nil, 0) == 0,
      crypto_box_easy(
        &box, message, UInt64(message.count), nonce, publicKey, ephemeral.secretKey) == 0
    else { throw WireError.encodingRefused }
    return ephemeral.publicKey + box
  }

  /// Opens a box by libsodium's own function.
  func open(_ box: [UInt8]) throws -> [UInt8] {
    var message = [UInt8](repeating: 0, count: max(0, box.count - crypto_box_sealbytes()))
    guard
      crypto_box_seal_open(&message, box, UInt64(box.count), publicKey, secretKey) == 0
    else { throw WireError.encodingRefused }
    return message
  }
}
