/// The rows of the identity proofing as one transaction sees them.
///
/// A wallet that goes takes its sessions along, gives back the codes that it claimed without a
/// verdict, and is no longer that of its account.
public protocol ProofingTransaction: RowTransaction {
  /// The account with this id, or nil.
  func account(id: String) throws -> StoredAccount?
  /// Removes the account with all that is kept of it: codes, sessions, pages, documents.
  func deleteAccount(id: String) throws
  /// Has every account but the one with this id forget that `wallet` is proofed for it.
  func forgetWallet(_ wallet: String, exceptByAccount id: String) throws

  /// The code with this hash, or nil.
  func enrolmentCode(hash: [UInt8]) throws -> StoredEnrolmentCode?
  /// The code of the account that was inserted last, or nil.
  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode?
  /// Removes the account's codes that have no verdict, with their sessions, but the code with `hash`.
  func deleteUndecidedCodes(ofAccount id: String, except hash: [UInt8]?) throws

  /// The session with this id, or nil.
  func proofingSession(id: String) throws -> StoredProofingSession?
  /// The session of this code and wallet, or nil; there is at most one.
  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession?
  func deleteProofingSession(id: String) throws
  /// Removes the sessions of the account but the one with this id.
  func deleteProofingSessions(ofAccount account: String, except id: String) throws
  /// Removes the sessions that ended at `time` or before; codes without a verdict are unclaimed again.
  func deleteProofingSessions(expiredBy time: Int64) throws

  /// The account that was proofed with the document of this keyed hash, or nil.
  func account(ofDocument digest: [UInt8]) throws -> String?
  /// Notes it; fails when another account has it.
  func noteDocument(_ digest: [UInt8], account: String) throws
  /// Forgets the documents that the account was proofed with.
  func deleteDocuments(ofAccount id: String) throws

  /// When claims of the wallet were refused after `time`, the earliest first.
  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [Int64]
  func noteRefusedClaim(ofWallet id: String, at time: Int64) throws
  /// Forgets the refused claims of `time` or before.
  func deleteRefusedClaims(before time: Int64) throws

  /// The enrolment page with this hash of its id, or nil.
  func enrolmentPage(hash: [UInt8]) throws -> StoredEnrolmentPage?
  /// Removes pages that ended at `time` or before, once no session and no code that can be claimed
  /// awaits a verdict for their accounts; and the accounts that never had one, which are nobody's.
  func deleteEnrolmentPages(expiredBy time: Int64) throws
}

extension ProofingTransaction {
  /// The code with this hash, or nil. A claim without a verdict is given back when its session has ended,
  /// also where the store has not removed that yet.
  func currentCode(hash: [UInt8], now: Int64) throws -> StoredEnrolmentCode? {
    guard var code = try enrolmentCode(hash: hash) else { return nil }
    guard code.verdict == nil, let owner = code.wallet,
      let session = try proofingSession(ofCode: hash, wallet: owner), session.expiresAt <= now
    else { return code }
    try deleteProofingSession(id: session.id)
    code.wallet = nil
    try update(code)
    return code
  }

  /// What nobody can ask for any more does not stay in the store.
  func deleteEndedRows(by now: Int64, settings: ProofingSettings) throws {
    try deleteProofingSessions(expiredBy: now)
    try deleteRefusedClaims(before: now - settings.refusedClaimWindow)
  }
}
