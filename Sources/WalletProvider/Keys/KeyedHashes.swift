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

  /// Hash and birth date have one length each, so different values never give the same bytes.
  private func holder(
    _ familyName: PersonName, _ birthDate: CalendarDate, ofDocument number: [UInt8]
  ) throws -> [UInt8] {
    try hash(number + Array("\(birthDate.text)\(familyName.joined)".utf8), .holder)
  }

  /// Adds their holders to the documents of a store that has only hashes of issuer and number. A
  /// document whose account does not open stays as it is: it is never found again, and deleted with
  /// its account.
  private func addHolders() throws {
    for (number, id) in try rows.documents() {
      guard let account = try rows.account(id: id), let person = try? sealing.person(of: account)
      else { continue }
      let digest = try holder(
        PersonName(person.familyName), person.birthDate, ofDocument: number)
      try rows.deleteDocument(number)
      try rows.noteDocument(digest, account: id)
    }
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
    // No store was ever without this secret and had hashes that were made with it.
    let former = purpose == .holder ? nil : try formerSealingKey()
    let secret = former?.derivedSecret(purpose: purpose.rawValue) ?? SecureRandom.bytes(32)
    try rows.insert(try sealing.seal(secret: secret, name: purpose.rawValue))
    // If another server makes it at the same time, one of the two transactions begins again.
    if purpose == .holder { try addHolders() }
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
