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
    case pendingPinKey = "pending-pin-public-key"
    case share = "unlock-share"
    case accountPerson = "account-person"
    case evidence = "proofing-evidence"
    case pidSubject = "pid-subject"
    case pageSecret = "enrolment-page-secret"
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
    try seal(value, place: place, boundTo: [Array(wallet.utf8), hardwareKeyHash])
  }

  /// - Parameter owner: what the value belongs to; it opens for the same only.
  func seal(_ value: [UInt8], place: Place, boundTo owner: [[UInt8]]) throws -> [UInt8] {
    let data = associatedData(place: place, owner: owner)
    return Array(try ChaChaPoly.seal(value, using: key, authenticating: data).combined)
  }

  /// - Throws: `StoreFailure` when the value was changed or moved, or another key sealed it.
  func open(_ place: Place, of wallet: StoredWallet) throws(StoreFailure) -> [UInt8] {
    let sealed = place == .pinKey ? wallet.sealedPinKey : wallet.sealedShare
    return try open(
      sealed, key: wallet.sealingKey, place: place,
      boundTo: [Array(wallet.id.utf8), wallet.hardwareKeyHash])
  }

  /// - Parameter sealingKey: the id of the key that sealed it.
  /// - Throws: `StoreFailure`, as above.
  func open(
    _ sealed: [UInt8], key sealingKey: String, place: Place, boundTo owner: [[UInt8]]
  ) throws(StoreFailure) -> [UInt8] {
    let data = associatedData(place: place, owner: owner)
    guard sealingKey == id, let box = try? ChaChaPoly.SealedBox(combined: sealed),
      let value = try? ChaChaPoly.open(box, using: key, authenticating: data)
    else { throw StoreFailure("a sealed value does not open under the sealing key") }
    return Array(value)
  }

  /// HMAC-SHA256 under a key of its own for each purpose: 32 bytes that only who has the sealing key
  /// can find again.
  func keyedHash(_ bytes: some Sequence<UInt8>, purpose: String) -> [UInt8] {
    let derived = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, info: Array(purpose.utf8), outputByteCount: 32)
    return Array(HMAC<SHA256>.authenticationCode(for: Array(bytes), using: derived))
  }

  private func associatedData(place: Place, owner: [[UInt8]]) -> [UInt8] {
    // Each part is preceded by its length: no two different lists of parts give the same bytes.
    let parts = [Array(place.rawValue.utf8)] + owner + [Array(id.utf8)]
    return parts.flatMap { part in
      withUnsafeBytes(of: UInt64(part.count).bigEndian, Array.init) + part
    }
  }
}
