import WalletSignatures
import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes and recognises the challenges of registrations. None is stored, because anyone can ask for
/// one.
///
/// A challenge is 32 bytes: when it expires (8 bytes, milliseconds since 1970), 8 random bytes, and
/// the first 16 bytes of the HMAC-SHA256 of these two. The HMAC's key is derived from the sealing
/// key, which all servers of the provider have and the database does not. A challenge is accepted
/// if any sealing key of the ring made it, so that a rotation of keys refuses none.
struct RegistrationChallenges {
  private static let purpose = "wallet-provider registration challenge"
  private static let randomLength = 8
  private static let codeLength = 16

  let sealing: SealingKeyRing

  /// A challenge that expires at this time, in milliseconds since 1970.
  func make(expiresAt: Int64) throws -> [UInt8] {
    let content =
      withUnsafeBytes(of: expiresAt.bigEndian, Array.init) + SecureRandom.bytes(Self.randomLength)
    return content + (try code(content, sealing.current))
  }

  /// When `challenge` expires, in milliseconds since 1970; nil if this provider did not make it.
  func expiry(of challenge: [UInt8]) throws -> Int64? {
    let timeLength = MemoryLayout<Int64>.size
    guard challenge.count == timeLength + Self.randomLength + Self.codeLength else { return nil }
    let content = Array(challenge.dropLast(Self.codeLength))
    let isOurs = try sealing.all.contains {
      Self.areEqual(try code(content, $0), challenge.suffix(Self.codeLength))
    }
    guard isOurs else { return nil }
    return Int64(bitPattern: content.prefix(timeLength).reduce(0) { $0 << 8 | UInt64($1) })
  }

  private func code(_ content: [UInt8], _ sealingKey: any SealingKey) throws -> [UInt8] {
    let key = SymmetricKey(data: try sealingKey.derivedSecret(purpose: Self.purpose))
    return Array(HMAC<SHA256>.authenticationCode(for: content, using: key).prefix(Self.codeLength))
  }

  /// Compares all bytes, wherever the first difference is.
  private static func areEqual(_ left: [UInt8], _ right: ArraySlice<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
