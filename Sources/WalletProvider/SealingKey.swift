import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Seals what the database must not hold in the clear (ChaCha20-Poly1305). A sealed value is bound
/// to its account and its place: it opens nowhere else.
public struct SealingKey: Sendable {
  /// What is sealed.
  enum Place: String, Sendable {
    case pinKey = "pin-public-key"
    case share = "unlock-share"
  }

  /// Stored beside what was sealed, so that a later key can take over row by row.
  public let id: String
  private let key: SymmetricKey

  /// - Parameter bytes: 32 random bytes. Nil for any other length.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    key = SymmetricKey(data: bytes)
    // The hash of a secret key under a domain of its own says nothing about it.
    id = Digest.keyID(Array("wallet-provider sealing key".utf8) + bytes)
  }

  func seal(
    _ value: [UInt8], place: Place, wallet: String, hardwareKeyHash: [UInt8]
  ) throws -> [UInt8] {
    let data = associatedData(place: place, wallet: wallet, hardwareKeyHash: hardwareKeyHash)
    return Array(try ChaChaPoly.seal(value, using: key, authenticating: data).combined)
  }

  /// - Throws: `StoreFailure` when the value was changed or moved, or another key sealed it.
  func open(_ place: Place, of wallet: StoredWallet) throws(StoreFailure) -> [UInt8] {
    let sealed = place == .pinKey ? wallet.sealedPinKey : wallet.sealedShare
    let data = associatedData(
      place: place, wallet: wallet.id, hardwareKeyHash: wallet.hardwareKeyHash)
    guard wallet.sealingKey == id, let box = try? ChaChaPoly.SealedBox(combined: sealed),
      let value = try? ChaChaPoly.open(box, using: key, authenticating: data)
    else { throw StoreFailure("a sealed value does not open under the sealing key") }
    return Array(value)
  }

  private func associatedData(place: Place, wallet: String, hardwareKeyHash: [UInt8]) -> [UInt8] {
    // Each part is preceded by its length: no two different lists of parts give the same bytes.
    let parts = [Array(place.rawValue.utf8), Array(wallet.utf8), hardwareKeyHash, Array(id.utf8)]
    return parts.flatMap { part in
      withUnsafeBytes(of: UInt64(part.count).bigEndian, Array.init) + part
    }
  }
}
