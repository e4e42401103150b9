import Crypto
public import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A key that seals what the database must not hold in the clear, with authenticated encryption. It
/// may be anywhere: in this process, or in a device that is asked to seal and open.
public protocol SealingKey: Sendable {
  /// Stored beside what was sealed, so that a later key can take over row by row.
  var id: String { get }
  /// Seals `value`; it opens only together with `data`.
  func seal(_ value: [UInt8], authenticating data: [UInt8]) throws -> [UInt8]
  /// The value. Throws when it was changed, or another key or other data sealed it.
  func open(_ sealed: [UInt8], authenticating data: [UInt8]) throws -> [UInt8]
}

/// A sealing key in this process's memory (ChaCha20-Poly1305).
public struct SoftwareSealingKey: SealingKey, RedactedDescription {
  public let id: String
  private let key: SymmetricKey

  /// - Parameter bytes: 32 random bytes. Nil for any other length.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = SymmetricKey(data: bytes)
    // The hash of a secret key under a domain of its own says nothing about it.
    id = Digest.keyID(Array("wallet-provider sealing key".utf8) + bytes)
  }

  public func seal(_ value: [UInt8], authenticating data: [UInt8]) throws -> [UInt8] {
    Array(try ChaChaPoly.seal(value, using: key, authenticating: data).combined)
  }

  public func open(_ sealed: [UInt8], authenticating data: [UInt8]) throws -> [UInt8] {
    Array(try ChaChaPoly.open(.init(combined: sealed), using: key, authenticating: data))
  }

  /// 32 bytes for `purpose` that only who has the key can compute (HKDF, RFC 5869).
  func derivedSecret(purpose: String) -> [UInt8] {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, info: Array(purpose.utf8), outputByteCount: 32
    ).withUnsafeBytes(Array.init)
  }
}
