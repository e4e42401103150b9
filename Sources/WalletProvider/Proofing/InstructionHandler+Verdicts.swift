import WalletProtocol

extension InstructionHandler {
  /// Applies a verdict with all its changes in one transaction.
  func apply(
    _ verdict: VettingVerdict, on vettingCase: VettingCase, document: [UInt8]?,
    _ session: inout StoredProofingSession, _ code: StoredEnrolmentCode, _ account: StoredAccount
  ) throws -> ProofingStatus {
    let claims = vettingCase.claims
    var code = code
    session.reason = nil
    switch verdict {
    case .pending, .sourceUnavailable:
      try keep(claims, until: verdict, &session)
    case .resubmit(let reason):
      var account = account
      account.countFailure(now: now, settings: provider.settings.proofing)
      try save(account)
      code.attemptsLeft = max(0, code.attemptsLeft - 1)
      guard code.attemptsLeft > 0 else {
        try exhaust(&session, &code, account)
        break
      }
      if session.state == .pending {
        session.expiresAt = min(
          session.expiresAt, now + provider.settings.proofing.sessionLife)
      }
      session.state = .resubmit
      session.reason = reason.rawValue
      session.record = nil
      // If other evidence is sent, the owner of the wallet that may be replaced has to be told
      // anew, and the wait begins anew.
      session.endWait()
      try rows.update(code)
      try save(session)
    case .declined:
      try close(&session, &code, as: .declined)
    case .proofed(let sourceMatched):
      // The conditions from here on must hold for a PID, whatever vetting decided.
      let isDemonstration = provider.settings.proofing.demonstration
      let subject = PIDSubject(claims, of: vettingCase.person, isDemonstration: isDemonstration)
      guard let subject, !vettingCase.documentUsedElsewhere else {
        return try apply(
          .resubmit(.notMatched), on: vettingCase, document: document, &session, code, account)
      }
      guard sourceMatched || isDemonstration else {
        try close(&session, &code, as: .declined)
        break
      }
      guard !account.hasRefused(session) else {
        try close(&session, &code, as: .declined)
        break
      }
      if mustWait(session, account) {
        try keepWaiting(claims, &session)
        break
      }
      session.sourceMatched = sourceMatched
      try proof(subject, document: document, &session, &code, account)
    }
    return status(of: session, code)
  }

  /// Ends a session with a verdict other than proofed.
  func close(
    _ session: inout StoredProofingSession, _ code: inout StoredEnrolmentCode,
    as state: StoredProofingSession.State
  ) throws {
    try rows.close(&session, &code, as: state, now: now, settings: provider.settings.proofing)
  }

  private func keep(
    _ claims: LicenceClaims, until verdict: VettingVerdict,
    _ session: inout StoredProofingSession
  ) throws {
    if verdict == .pending {
      // The time counts from the first pending verdict, not from each query.
      if session.state != .pending {
        session.expiresAt = now + provider.settings.proofing.pendingLife
      }
      session.state = .pending
      session.reference = session.reference ?? ProofingReference.make()
      session.record = try identity.keys.sealing.seal(claims, purpose: .evidence, session: session)
    } else if session.state != .pending {
      // The wallet sends the evidence again, so none of it has to be stored.
      session.state = .sourceUnavailable
      session.record = nil
    }
    try save(session)
  }

  private func exhaust(
    _ session: inout StoredProofingSession, _ code: inout StoredEnrolmentCode,
    _ account: StoredAccount
  ) throws {
    var account = account
    account.lockedUntil = now + provider.settings.proofing.exhaustedPause
    account.forgetFailures()
    try save(account)
    try rows.deleteUndecidedCodes(ofAccount: account.id, except: code.hash)
    try close(&session, &code, as: .exhausted)
  }

  private func proof(
    _ subject: PIDSubject, document: [UInt8]?, _ session: inout StoredProofingSession,
    _ code: inout StoredEnrolmentCode, _ account: StoredAccount
  ) throws {
    var account = account
    if let earlier = account.wallet, earlier != session.wallet {
      try replaceWallet(earlier)
    }
    // Deletes everything else in progress for the account, with its personal data.
    try rows.deleteUndecidedCodes(ofAccount: account.id, except: code.hash)
    try rows.deleteProofingSessions(ofAccount: account.id, except: session.id)
    // A wallet belongs to one account only. If another account still referred to it, a later
    // proofing for that account would delete it.
    try rows.forgetWallet(session.wallet, exceptByAccount: account.id)
    account.wallet = session.wallet
    account.proofedAt = now
    account.forgetFailures()
    try save(account)
    if let document { try rows.noteDocument(document, account: account.id) }
    session.state = .proofed
    session.endWait()
    session.record = try identity.keys.sealing.seal(subject, purpose: .pidSubject, session: session)
    try rows.decide(&session, &code, now: now, settings: provider.settings.proofing)
  }

  /// Deletes a wallet with everything that belongs to it, and revokes its PIDs. A row remains that does nothing but name
  /// its PIN keys, until the evaluator has deleted them: see `Provider.deleteEndedWallets`.
  private func replaceWallet(_ id: String) throws {
    var ended: StoredWallet?
    do { ended = try rows.wallet(id: id) } catch let failure as StoreFailure {
      // Nobody knows the keys of a row that the provider did not write.
      guard failure.unauthenticRow != nil else { throw failure }
    }
    try rows.endWallet(id: id, settings: provider.settings.proofing.statusLists, now: now)
    guard var ended else { return }
    ended.confirmed = false
    ended.registeredAt = 0
    ended.evaluation = nil
    try rows.insert(ended)
  }
}

extension ProofingTransaction {
  /// Ends a session with a verdict other than proofed: the code is consumed and the evidence
  /// deleted. A code that has its verdict keeps it.
  func close(
    _ session: inout StoredProofingSession, _ code: inout StoredEnrolmentCode,
    as state: StoredProofingSession.State, now: Int64, settings: ProofingSettings
  ) throws {
    session.state = state
    session.reference = session.reference ?? ProofingReference.make()
    session.record = nil
    session.endWait()
    try decide(&session, &code, now: now, settings: settings)
  }

  fileprivate func decide(
    _ session: inout StoredProofingSession, _ code: inout StoredEnrolmentCode, now: Int64,
    settings: ProofingSettings
  ) throws {
    session.decidedAt = now
    session.expiresAt = now + settings.issuanceLife
    code.verdict = code.verdict ?? session.state
    try update(code)
    try update(session)
  }
}
