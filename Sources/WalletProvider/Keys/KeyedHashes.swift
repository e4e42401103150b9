import WalletSignatures
import Crypto
import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keyed hashes (HMAC-SHA256). They allow a lookup, and reveal nothing to someone who only has the
/// database.
///
/// The keys of the hashes are secrets in the database, sealed with a sealing key. They stay the
/// same when the sealing key changes, because what was hashed years ago must still be found.
struct KeyedHashes {
  let sealing: SealingKeyRing
  let rows: any ProviderTransaction

  /// What is hashed. Each purpose has its own secret.
  enum Purpose: String, CaseIterable {
    case document = "wallet-provider document"
    case holder = "wallet-provider document holder"
    case evidence = "wallet-provider evidence"
  }

  /// The hash that identifies a document that was used before, regardless of spaces in its number.
  func document(_ document: HeldDocument) throws -> [UInt8] {
    let number = try hash("\(document.issuer.number) \(document.number.text)".utf8, .document)
    return try holder(document.familyName, document.birthDate, ofDocument: number)
  }

  /// The document's hash and the birth date have a fixed length, so different values never give the
  /// same bytes.
  private func holder(
    _ familyName: PersonName, _ birthDate: CalendarDate, ofDocument number: [UInt8]
  ) throws -> [UInt8] {
    try hash(number + Array("\(birthDate.text)\(familyName.joined)".utf8), .holder)
  }

  /// The hash that tells one piece of evidence from another.
  func evidence(_ claims: LicenceClaims) throws -> [UInt8] {
    try hash(try WireJSON.encode(claims), .evidence)
  }

  /// Makes missing secrets.
  func prepare() throws {
    for purpose in Purpose.allCases { _ = try secret(purpose) }
  }

  private func hash(_ bytes: some Sequence<UInt8>, _ purpose: Purpose) throws -> [UInt8] {
    let key = SymmetricKey(data: try secret(purpose))
    return Array(HMAC<SHA256>.authenticationCode(for: Array(bytes), using: key))
  }

  private func secret(_ purpose: Purpose) throws -> [UInt8] {
    if let stored = try rows.secret(name: purpose.rawValue) { return try sealing.open(stored) }
    // A lost secret is not replaced: with another one no stored document would be recognised.
    let hasDocuments = try rows.sealedRowCounts().contains { $0.table == .document }
    guard purpose == .evidence || !hasDocuments else {
      throw StoreFailure("the secret is missing with which the documents were hashed")
    }
    // If another server makes the same secret at the same time, one of the two transactions begins
    // again.
    let secret = SecureRandom.bytes(32)
    try rows.insert(try sealing.seal(secret: secret, name: purpose.rawValue))
    return secret
  }
}

extension Provider {
  /// Makes the missing secrets that servers share through the store, and refuses an evaluator that
  /// is not the one of the store's wallets. Must be called before the first request.
  public func prepareSecrets() async throws {
    try await store.transaction { [sealing = identity.keys.sealing, evaluator] rows in
      try KeyedHashes(sealing: sealing, rows: rows).prepare()
      try EvaluatorName(sealing: sealing, rows: rows).prepare(evaluator.id)
    }
  }
}
