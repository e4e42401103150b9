internal import CSodium

/// Anonymous public-key encryption (libsodium `crypto_box_seal`, X25519).
public enum SealedBox {
  /// The length of public and secret keys in bytes.
  public static let keyLength = Int(crypto_box_PUBLICKEYBYTES)

  /// Seals `plaintext` so that only the holder of the secret key of `recipient` can open it.
  public static func seal(_ plaintext: Secret, to recipient: [UInt8]) throws(CryptoError) -> [UInt8]
  {
    guard recipient.count == keyLength else { throw .wrongLength }
    var box = [UInt8](repeating: 0, count: plaintext.count + crypto_box_sealbytes())
    defer { Sodium.wipeStack() }
    let status = plaintext.withPointer { bytes in
      crypto_box_seal(&box, bytes, UInt64(plaintext.count), recipient)
    }
    // libsodium refuses a recipient's public key of low order.
    guard status == 0 else { throw .notAuthentic }
    return box
  }

  /// A key pair for a single answer, which is sealed to its public key.
  public struct Recipient: Sendable {
    public let publicKey: [UInt8]
    private let secretKey: Secret

    /// Creates a random key pair.
    public init() throws {
      var publicKey = [UInt8](repeating: 0, count: SealedBox.keyLength)
      secretKey = try Secret.filled(count: Int(crypto_box_SECRETKEYBYTES)) { target in
        crypto_box_keypair(&publicKey, target)
      }
      self.publicKey = publicKey
    }

    /// Opens a box that was sealed to `publicKey`.
    public func open(_ box: [UInt8]) throws -> Secret {
      guard box.count >= crypto_box_sealbytes() else { throw CryptoError.notAuthentic }
      return try Secret.filled(count: box.count - crypto_box_sealbytes()) { plaintext in
        let status = secretKey.withPointer { secretKey in
          crypto_box_seal_open(plaintext, box, UInt64(box.count), publicKey, secretKey)
        }
        guard status == 0 else { throw CryptoError.notAuthentic }
      }
    }
  }
}
