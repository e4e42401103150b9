internal import CSodium
public import WalletProtocol

/// Ed25519 (RFC 8032) by libsodium.
public enum Ed25519 {
  /// A signing key in guarded memory, with its public half.
  ///
  /// Whoever has the public half of a PIN key or one of its signatures can check guesses of the
  /// PIN. So for a PIN key use `guardedPublicKey()` and `sign(_:)` with a `Secret`, which leave
  /// nothing in ordinary memory.
  public struct SigningKey: Signer, Sendable {
    public let keyID: String?
    public var algorithm: SignatureAlgorithm { .edDSA }
    private let expandedKey: Secret

    /// Creates the key of a 32-byte seed.
    public init(seed: Secret, keyID: String? = nil) throws {
      guard seed.count == Int(crypto_sign_SEEDBYTES) else { throw CryptoError.wrongLength }
      expandedKey = try Secret.filled(count: Int(crypto_sign_SECRETKEYBYTES)) { target in
        defer { Sodium.wipeStack() }
        _ = try Self.publicKey { publicKey in
          _ = seed.withPointer { crypto_sign_seed_keypair(publicKey, target, $0) }
        }
      }
      self.keyID = keyID
    }

    private static func publicKey(
      _ fill: (UnsafeMutablePointer<UInt8>) -> Void
    ) throws -> Secret {
      try Secret.filled(count: Int(crypto_sign_PUBLICKEYBYTES), by: fill)
    }

    /// The public half, 32 bytes in ordinary memory.
    public var publicKey: [UInt8] {
      var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
      expandedKey.withPointer { _ = crypto_sign_ed25519_sk_to_pk(&publicKey, $0) }
      return publicKey
    }

    /// Returns the public half, 32 bytes in guarded memory.
    public func guardedPublicKey() throws -> Secret {
      try Self.publicKey { publicKey in
        expandedKey.withPointer { _ = crypto_sign_ed25519_sk_to_pk(publicKey, $0) }
      }
    }

    /// Signs a message that is in guarded memory. The signature is in guarded memory too.
    public func sign(_ message: Secret) throws -> Secret {
      try Secret.filled(count: Int(crypto_sign_BYTES)) { signature in
        defer { Sodium.wipeStack() }
        message.withPointer { bytes in
          expandedKey.withPointer { key in
            _ = crypto_sign_detached(signature, nil, bytes, UInt64(message.count), key)
          }
        }
      }
    }

    public func sign(_ message: [UInt8]) -> [UInt8] {
      var signature = [UInt8](repeating: 0, count: Int(crypto_sign_BYTES))
      expandedKey.withPointer { key in
        _ = crypto_sign_detached(&signature, nil, message, UInt64(message.count), key)
      }
      return signature
    }
  }

  /// A public key of 32 bytes.
  public struct VerifyingKey: Verifier {
    public let publicKey: [UInt8]
    public var algorithm: SignatureAlgorithm { .edDSA }

    public init(publicKey: [UInt8]) throws(CryptoError) {
      guard publicKey.count == Int(crypto_sign_PUBLICKEYBYTES) else { throw .wrongLength }
      self.publicKey = publicKey
    }

    public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
      signature.count == Int(crypto_sign_BYTES)
        && crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
  }
}
