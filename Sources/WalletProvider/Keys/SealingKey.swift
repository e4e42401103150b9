import WalletSignatures
import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A key for authenticated encryption of what the database must not hold in the clear. It may be in
/// this process, or in a device that seals, opens and derives on request.
public protocol SealingKey: Sendable {
  /// The key's id. It is stored next to each sealed value, so that a later key can take over row by
  /// row.
  var id: String { get }
  /// Seals `value`, which then opens only together with `data`.
  func seal(_ value: [UInt8], authenticating data: [UInt8]) throws -> [UInt8]
  /// Returns the value. Throws if it was changed, or sealed with another key or other data.
  func open(_ sealed: [UInt8], authenticating data: [UInt8]) throws -> [UInt8]
  /// Returns 32 bytes for `purpose` that only the holder of the key can compute, always the same.
  /// Called when a store is opened and for the challenge of each registration, but not for each
  /// row.
  func derivedSecret(purpose: String) throws -> [UInt8]
}

/// A sealing key in the memory of this process (ChaCha20-Poly1305).
public struct SoftwareSealingKey: SealingKey, RedactedDescription {
  public let id: String
  private let key: SymmetricKey

  /// - Parameter bytes: 32 random bytes. Nil for any other length.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = SymmetricKey(data: bytes)
    // The id is a hash of the secret key, which reveals nothing about the key. The text in front of
    // the key keeps this hash apart from all other uses of the key.
    id = Digest.keyID(Array("wallet-provider sealing key".utf8) + bytes)
  }

  public func seal(_ value: [UInt8], authenticating data: [UInt8]) throws -> [UInt8] {
    Array(try ChaChaPoly.seal(value, using: key, authenticating: data).combined)
  }

  public func open(_ sealed: [UInt8], authenticating data: [UInt8]) throws -> [UInt8] {
    Array(try ChaChaPoly.open(.init(combined: sealed), using: key, authenticating: data))
  }

  /// HKDF (RFC 5869).
  public func derivedSecret(purpose: String) -> [UInt8] {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, info: Array(purpose.utf8), outputByteCount: 32
    ).withUnsafeBytes(Array.init)
  }
}
