import WalletSignatures

/// Access to the rows of identity proofing within one transaction.
///
/// When a wallet is deleted, its sessions are deleted too, and its account no longer refers to it. A
/// code that it claimed and that has no verdict can then be claimed again. The database itself
/// changes no row, as by ON DELETE SET NULL: the row would no longer agree with its authentication.
public protocol ProofingTransaction: RowTransaction {
  /// The account with this id, or nil.
  func account(id: String) throws -> StoredAccount?
  /// Deletes the account with everything stored for it: codes, sessions, pages, documents.
  func deleteAccount(id: String) throws
  /// The accounts that refer to the wallet, ordered by their ids.
  ///
  /// - Parameter locked: whether nobody else can change these accounts until the transaction ends.
  func accounts(ofWallet id: String, locked: Bool) throws -> [StoredAccount]

  /// The code with this hash, or nil. See `currentCode` for whether its claim still counts.
  ///
  /// - Parameter locked: whether it stays as it is until the transaction ends.
  func enrolmentCode(hash: [UInt8], locked: Bool) throws -> StoredEnrolmentCode?
  /// The code of the account that was inserted last, or nil.
  func latestEnrolmentCode(ofAccount id: String) throws -> StoredEnrolmentCode?
  /// Deletes the account's codes without a verdict, with their sessions, except the code with
  /// `hash`.
  func deleteUndecidedCodes(ofAccount id: String, except hash: [UInt8]?) throws

  /// The session with this id, or nil.
  func proofingSession(id: String) throws -> StoredProofingSession?
  /// The session of this code and wallet, or nil; there is at most one.
  func proofingSession(ofCode hash: [UInt8], wallet: String) throws -> StoredProofingSession?
  /// The sessions of the account, ordered by their ids; not locked.
  func proofingSessions(ofAccount id: String) throws -> [StoredProofingSession]
  func deleteProofingSession(id: String) throws
  /// Deletes the sessions of the account except the one with this id.
  func deleteProofingSessions(ofAccount account: String, except id: String) throws
  /// Deletes the sessions that expired at `time` or before, which releases their codes without a
  /// verdict.
  func deleteProofingSessions(expiredBy time: Int64) throws

  /// The document with this keyed hash, or nil.
  func document(_ digest: [UInt8]) throws -> StoredDocument?
  func deleteDocument(_ digest: [UInt8]) throws
  /// Deletes the documents with which the account was proofed.
  func deleteDocuments(ofAccount id: String) throws

  /// The claims of the wallet that were refused after `time`, the earliest first.
  func refusedClaims(ofWallet id: String, after time: Int64) throws -> [StoredRefusedClaim]
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
  /// The code with this hash, locked, or nil.
  public func enrolmentCode(hash: [UInt8]) throws -> StoredEnrolmentCode? {
    try enrolmentCode(hash: hash, locked: true)
  }

  /// The code with this hash as it counts now, or nil. The session of an ended claim is deleted, so
  /// that the code can be claimed again.
  package func currentCode(hash: [UInt8], now: Int64) throws -> StoredEnrolmentCode? {
    guard let code = try enrolmentCode(hash: hash) else { return nil }
    let current = try current(code, now: now)
    if current.wallet == nil, let owner = code.wallet,
      let ended = try proofingSession(ofCode: hash, wallet: owner)
    {
      try deleteProofingSession(id: ended.id)
    }
    return current
  }

  /// The code as it counts now: unclaimed if its claim has ended. A claim without a verdict lasts
  /// as long as its session. The stored code still names the wallet after that, because a store
  /// that deletes a session does not change its code. A session that has expired may also not be
  /// deleted yet.
  func current(_ code: StoredEnrolmentCode, now: Int64) throws -> StoredEnrolmentCode {
    guard code.verdict == nil, let owner = code.wallet else { return code }
    if let session = try proofingSession(ofCode: code.hash, wallet: owner),
      session.expiresAt > now
    {
      return code
    }
    var code = code
    code.wallet = nil
    return code
  }

  /// Removes the reference to the wallet from every account but the one with this id.
  package func forgetWallet(_ wallet: String, exceptByAccount id: String? = nil) throws {
    for var account in try accounts(ofWallet: wallet, locked: true) where account.id != id {
      account.wallet = nil
      try update(account)
    }
  }

  /// The account that was proofed with the document of this keyed hash, or nil.
  package func account(ofDocument digest: [UInt8]) throws -> String? {
    try document(digest)?.account
  }

  /// Records the document for the account; fails if another account has it.
  package func noteDocument(_ digest: [UInt8], account: String) throws {
    if try self.account(ofDocument: digest) == account { return }
    try insert(StoredDocument(digest: digest, account: account))
  }

  package func noteRefusedClaim(ofWallet id: String, at time: Int64) throws {
    try insert(
      StoredRefusedClaim(id: SecureRandom.identifier(), wallet: id, refusedAt: time))
  }

  /// Deletes rows that can no longer be used.
  func deleteEndedRows(by now: Int64, settings: ProofingSettings) throws {
    try deleteProofingSessions(expiredBy: now)
    try deleteRefusedClaims(before: now - settings.refusedClaimWindow)
  }
}
