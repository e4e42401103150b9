import Crypto
import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keyed hashes (HMAC-SHA256) that allow a lookup and reveal nothing to someone who only has the
/// database.
///
/// Their secrets are stored sealed and never change: what was hashed years ago must be found
/// whichever key seals today.
struct KeyedHashes {
  let sealing: SealingKeyRing
  let rows: any SealedRowTransaction

  /// What is hashed. Each purpose has its own secret.
  enum Purpose: String, CaseIterable {
    case document = "wallet-provider document"
    case evidence = "wallet-provider evidence"
  }

  /// The hash that identifies a document that was used before, regardless of spaces in its number.
  /// Nil if vetting would refuse the number or the issuer.
  func document(_ claims: LicenceClaims) throws -> [UInt8]? {
    guard let number = DocumentNumber(claims.documentNumber), let issuer = LicenceIssuer(of: claims)
    else { return nil }
    return try hash("\(issuer.number) \(number.text)".utf8, .document)
  }

  /// The hash that distinguishes evidence.
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
    let secret =
      try formerSealingKey()?.derivedSecret(purpose: purpose.rawValue) ?? SecureRandom.bytes(32)
    try rows.insert(try sealing.seal(secret: secret, name: purpose.rawValue))
    return secret
  }

  /// The key from which hashes were derived before there were stored secrets; nil if the store has
  /// no accounts and therefore no hashes. Every hash belongs to an account whose row that key
  /// sealed.
  private func formerSealingKey() throws -> SoftwareSealingKey? {
    let used = Set(
      try rows.sealedRowCounts().filter { $0.table == .account }.map(\.sealingKey))
    guard !used.isEmpty else { return nil }
    guard let key = sealing.all.last(where: { used.contains($0.id) }) else {
      throw StoreFailure("the accounts are sealed with a key that is not here")
    }
    return key as? SoftwareSealingKey
  }
}

extension Provider {
  /// Makes the missing secrets that servers share through the store. Must be called before the
  /// first request.
  public func prepareSecrets() async throws {
    try await store.transaction { [sealing = identity.keys.sealing] rows in
      try KeyedHashes(sealing: sealing, rows: rows).prepare()
    }
  }
}
