import Crypto
import WalletProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What the identity proofing keeps of people: sealed, or as keyed hashes.

extension SealingKey {
  func seal(person: AccountPerson, account: String) throws -> [UInt8] {
    try seal(WireJSON.encode(person), place: .accountPerson, boundTo: [Array(account.utf8)])
  }

  /// - Throws: `StoreFailure` when it was changed or moved, or another key sealed it.
  func person(of account: StoredAccount) throws -> AccountPerson {
    try decode(
      AccountPerson.self, account.sealedPerson, key: account.sealingKey, place: .accountPerson,
      boundTo: [Array(account.id.utf8)])
  }

  /// Seals evidence or the content of a PID for the session.
  func seal(
    _ value: some Encodable, place: Place, session: StoredProofingSession
  ) throws -> StoredProofingSession.SealedRecord {
    StoredProofingSession.SealedRecord(
      key: id,
      content: try seal(WireJSON.encode(value), place: place, boundTo: binding(session)))
  }

  /// - Throws: `StoreFailure` when there is none, it was changed or moved, or another key sealed it.
  func open<Value: Decodable>(
    _: Value.Type, _ place: Place, of session: StoredProofingSession
  ) throws -> Value {
    guard let record = session.record else { throw StoreFailure("a sealed value is missing") }
    return try decode(
      Value.self, record.content, key: record.key, place: place, boundTo: binding(session))
  }

  func seal(secret: [UInt8], pageHash: [UInt8]) throws -> [UInt8] {
    try seal(secret, place: .pageSecret, boundTo: [pageHash])
  }

  func secret(of page: StoredEnrolmentPage) throws -> [UInt8] {
    try open(
      page.sealedSecret, key: page.sealingKey, place: .pageSecret, boundTo: [page.hash])
  }

  /// The keyed hash that finds a document which was used before, however its number is spaced.
  /// Nil where vetting refuses the number or the issuer.
  func documentDigest(_ claims: LicenceClaims) -> [UInt8]? {
    guard let number = DocumentNumber(claims.documentNumber), let issuer = LicenceIssuer(of: claims)
    else { return nil }
    return keyedHash(
      "\(issuer.number) \(number.text)".utf8, purpose: "wallet-provider document")
  }

  /// The keyed hash that tells evidence from other evidence.
  func evidenceDigest(_ claims: LicenceClaims) throws -> [UInt8] {
    keyedHash(try WireJSON.encode(claims), purpose: "wallet-provider evidence")
  }

  private func binding(_ session: StoredProofingSession) -> [[UInt8]] {
    [Array(session.id.utf8), Array(session.account.utf8), Array(session.wallet.utf8)]
  }

  private func decode<Value: Decodable>(
    _: Value.Type, _ sealed: [UInt8], key: String, place: Place, boundTo: [[UInt8]]
  ) throws -> Value {
    let bytes = try open(sealed, key: key, place: place, boundTo: boundTo)
    guard let value = try? WireJSON.decode(Value.self, from: bytes) else {
      throw StoreFailure("a sealed value is not what it must be")
    }
    return value
  }
}
