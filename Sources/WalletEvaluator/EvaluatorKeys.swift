import Crypto
public import WalletProtocol
import WalletSignatures

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of an evaluator: one that signs its grants, and one that seals its rows, both derived
/// from one secret. The first secret is in use; the others still open rows.
public struct EvaluatorKeys: Sendable, RedactedDescription {
  struct Entry: Sendable {
    let signer: Ed25519Signer
    let sealing: SymmetricKey

    init(secret: [UInt8]) throws {
      let secret = SymmetricKey(data: secret)
      let seed = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: secret, info: Array("wallet-evaluator grants".utf8), outputByteCount: 32)
      signer = try Ed25519Signer(seed: seed.withUnsafeBytes(Array.init))
      sealing = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: secret, info: Array("wallet-evaluator rows".utf8), outputByteCount: 32)
    }
  }

  let entries: [Entry]

  /// - Parameter secrets: of 32 bytes each, the current one first; at least one. Nil otherwise.
  public init?(secrets: [[UInt8]]) {
    guard !secrets.isEmpty, secrets.allSatisfy({ $0.count == 32 }),
      let entries = try? secrets.map(Entry.init)
    else { return nil }
    self.entries = entries
  }

  var current: Entry { entries[0] }

  /// The key with this id that signs grants; the current one if it is not here any more.
  func signer(_ id: String) -> Ed25519Signer {
    entries.first { $0.signer.published.id == id }?.signer ?? current.signer
  }

  /// The public halves of the keys that sign grants, the current one first.
  public var grantKeys: [PublishedKey] { entries.map(\.signer.published) }

  /// Seals the content of a row; it opens only together with `data`.
  func seal(_ content: [UInt8], authenticating data: [UInt8]) throws -> [UInt8] {
    Array(try ChaChaPoly.seal(content, using: current.sealing, authenticating: data).combined)
  }

  /// Opens the content of a row; nil if it was changed or moved, or its key is not here.
  func open(_ sealed: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
    opened(sealed, authenticating: data)?.content
  }

  /// Opens it, and says whether it is sealed by the current key.
  func opened(
    _ sealed: [UInt8], authenticating data: [UInt8]
  ) -> (content: [UInt8], isByCurrent: Bool)? {
    guard let box = try? ChaChaPoly.SealedBox(combined: sealed) else { return nil }
    for (index, entry) in entries.enumerated() {
      if let content = try? ChaChaPoly.open(box, using: entry.sealing, authenticating: data) {
        return (Array(content), index == 0)
      }
    }
    return nil
  }
}
