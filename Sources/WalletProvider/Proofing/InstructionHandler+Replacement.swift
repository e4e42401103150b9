import WalletProtocol

// A wallet that is proofed for an account is replaced only with its own agreement, or after a time
// in which it can object. Until then the other wallet's session is pending, with its evidence.

extension InstructionHandler {
  /// Whether a session whose evidence is accepted has to wait, because another wallet is proofed for
  /// its account and has neither agreed nor let its time pass.
  func mustWait(_ session: StoredProofingSession, _ account: StoredAccount) -> Bool {
    guard let standing = account.wallet, standing != session.wallet,
      provider.settings.proofing.replacementWait > 0
    else { return false }
    return session.replacesAt.map { $0 > now } ?? true
  }

  /// Whether the owner of the proofed wallet refused this session after its wait began. A refusal
  /// ends a session, so this is one whose row was put back.
  func wasRefused(_ session: StoredProofingSession, _ account: StoredAccount) -> Bool {
    guard let replacesAt = session.replacesAt, replacesAt != StoredProofingSession.agreed,
      let refusedAt = account.replacementRefusedAt
    else { return false }
    return refusedAt > replacesAt - provider.settings.proofing.replacementWait
  }

  /// Keeps the accepted evidence. The time counts from the first acceptance.
  func keepWaiting(_ claims: LicenceClaims, _ session: inout StoredProofingSession) throws {
    let settings = provider.settings.proofing
    let replacesAt = session.replacesAt ?? now + settings.replacementWait
    session.replacesAt = replacesAt
    session.state = .pending
    session.reference = session.reference ?? ProofingReference.make()
    session.record = try identity.keys.sealing.seal(claims, purpose: .evidence, session: session)
    session.expiresAt = replacesAt + settings.pendingLife
    try save(session)
  }

  /// Whether a session has nothing to do but to wait for the wallet that it would replace. It is not
  /// vetted meanwhile.
  func awaitsReplacement(_ session: StoredProofingSession) throws -> Bool {
    guard session.state == .pending, session.replacesAt != nil,
      let account = try rows.account(id: session.account)
    else { return false }
    return !account.closed && mustWait(session, account)
  }

  /// The notice that belongs into an answer to `wallet`; nil if nobody waits to replace it. Locks
  /// no row, because every PIN asks for it.
  func replacementNotice(for wallet: StoredWallet) throws -> ReplacementNotice? {
    switch request.claims.instruction {
    case .checkPin, .pinState, .preparePinChange, .decideReplacement: break
    default: return nil
    }
    guard let id = try rows.accounts(ofWallet: wallet.id, locked: false).first?.id,
      let session = try rows.waitingSession(inAccount: id, now: now),
      session.wallet != wallet.id, let replacesAt = session.replacesAt,
      replacesAt != StoredProofingSession.agreed
    else { return nil }
    return ReplacementNotice(
      session: session.id, takesEffectInMilliseconds: UInt64(clamping: replacesAt - now))
  }

  /// `decide_replacement`: checks the PIN like `check_pin`, with the same count. After a right PIN
  /// the decision applies to the session that it names, if that still waits to replace this wallet;
  /// otherwise nothing is left to decide.
  func decideReplacement(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try PinInstruction(
      opening: request, with: identity.keys.encryption, hardwareKey: wallet.hardwareKey)
    // Before the PIN is checked: no refusal may depend on it.
    let payload = try inner.payload(as: ReplacementPayload.self)
    return try checkPin(in: inner, of: &wallet, attempt: &attempt) { wallet, _ in
      guard let id = try rows.accounts(ofWallet: wallet.id, locked: true).first?.id,
        var (session, code) = try rows.replacement(inAccount: id, now: now),
        session.id == payload.session, session.wallet != wallet.id
      else { return }
      switch payload.decision {
      case .allow:
        session.replacesAt = StoredProofingSession.agreed
        try save(session)
      case .refuse:
        try rows.refuseReplacement(
          &session, &code, now: now, settings: provider.settings.proofing)
      }
    }
  }
}

extension ProofingTransaction {
  /// The session of the account that waits to replace the proofed wallet; nil if there is none.
  /// Only authenticated columns decide: the order of codes is not, and whoever changed it would keep
  /// the owner from hearing of a replacement. An account has at most one code without a verdict, so
  /// at most one session waits.
  func waitingSession(inAccount id: String, now: Int64) throws -> StoredProofingSession? {
    try proofingSessions(ofAccount: id).first {
      $0.state == .pending && $0.replacesAt != nil && $0.expiresAt > now
    }
  }

  /// The same, locked, with its code.
  func replacement(
    inAccount id: String, now: Int64
  ) throws -> (StoredProofingSession, StoredEnrolmentCode)? {
    guard let waiting = try waitingSession(inAccount: id, now: now),
      let session = try proofingSession(id: waiting.id), session.state == .pending,
      session.replacesAt != nil,
      let code = try enrolmentCode(hash: session.code), code.verdict == nil
    else { return nil }
    return (session, code)
  }

  /// Declines a session that waits to replace a wallet, and notes that in the account.
  func refuseReplacement(
    _ session: inout StoredProofingSession, _ code: inout StoredEnrolmentCode, now: Int64,
    settings: ProofingSettings
  ) throws {
    guard var account = try account(id: session.account) else { return }
    account.replacementRefusedAt = now
    try update(account)
    try close(&session, &code, as: .declined, now: now, settings: settings)
  }
}
