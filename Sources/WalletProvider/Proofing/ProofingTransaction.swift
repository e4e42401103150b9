/// Access to the rows of identity proofing within one transaction.
///
/// When a wallet is deleted, its sessions are deleted too, the codes it claimed without a verdict
/// are released, and its account no longer refers to it.
public protocol ProofingTransaction: RowTransaction {
  /// The account with this id, or nil.
  func account(id: String) throws -> StoredAccount?
  /// Deletes the account with everything stored for it: codes, sessions, pages, documents.
  func deleteAccount(id: String) throws
  /// Removes the reference to `wallet` from every account but the one with this id.
  func forgetWallet(_ wallet: String, exceptByAccount id: String) throws

  /// The code with this hash, or nil.
  func enrolmentCode(hash: [UInt8]) throws -> StoredEnrolmentCode?
  /// The code of the account that was inserted last, or nil.
  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode?
  /// Deletes the account's codes without a verdict, with their sessions, except the code with
  /// `hash`.
  func deleteUndecidedCodes(ofAccount id: String, except hash: [UInt8]?) throws

  /// The session with this id, or nil.
  func proofingSession(id: String) throws -> StoredProofingSession?
  /// The session of this code and wallet, or nil; there is at most one.
  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession?
  func deleteProofingSession(id: String) throws
  /// Deletes the sessions of the account except the one with this id.
  func deleteProofingSessions(ofAccount account: String, except id: String) throws
  /// Deletes the sessions that expired at `time` or before, and releases their codes without a
  /// verdict.
  func deleteProofingSessions(expiredBy time: Int64) throws

  /// The account that was proofed with the document of this keyed hash, or nil.
  func account(ofDocument digest: [UInt8]) throws -> String?
  /// Records the document for the account; fails if another account has it.
  func noteDocument(_ digest: [UInt8], account: String) throws
  /// All documents, each with the account that was proofed with it.
  func documents() throws -> [(digest: [UInt8], account: String)]
  func deleteDocument(_ digest: [UInt8]) throws
  /// Deletes the documents with which the account was proofed.
  func deleteDocuments(ofAccount id: String) throws

  /// The times after `time` at which claims of the wallet were refused, the earliest first.
  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [Int64]
  func noteRefusedClaim(ofWallet id: String, at time: Int64) throws
  /// Deletes refused claims of `time` or before.
  func deleteRefusedClaims(before time: Int64) throws

  /// The enrolment page with this hash of its id, or nil.
  func enrolmentPage(hash: [UInt8]) throws -> StoredEnrolmentPage?
  /// Deletes pages that expired at `time` or before, unless their accounts have a session or a
  /// claimable code that awaits a verdict. Also deletes the accounts of these pages that never had
  /// a verdict, because they belong to nobody.
  func deleteEnrolmentPages(expiredBy time: Int64) throws
}

extension ProofingTransaction {
  /// The code with this hash, or nil. A claim without a verdict is released when its session has
  /// expired, even if the store has not deleted the session yet.
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

  /// Deletes rows that can no longer be used.
  func deleteEndedRows(by now: Int64, settings: ProofingSettings) throws {
    try deleteProofingSessions(expiredBy: now)
    try deleteRefusedClaims(before: now - settings.refusedClaimWindow)
  }
}
