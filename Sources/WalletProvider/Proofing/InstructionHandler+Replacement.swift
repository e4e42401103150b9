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

  /// Keeps the accepted evidence. The time counts from the first acceptance.
  func keepWaiting(_ claims: LicenceClaims, _ session: inout StoredProofingSession) throws {
    let settings = provider.settings.proofing
    let replacesAt = session.replacesAt ?? now + settings.replacementWait
    session.replacesAt = replacesAt
    session.waitsSince = session.waitsSince ?? now
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

  /// The notice in an answer to `wallet`; nil if no other wallet waits to replace it. Locks
  /// no row, because every PIN asks for it.
  func replacementNotice(for wallet: StoredWallet) throws -> ReplacementNotice? {
    switch request.claims.instruction {
    case .checkPin, .pinState, .beginPinChange, .decideReplacement, .authorizeUse: break
    default: return nil
    }
    guard let account = try rows.accounts(ofWallet: wallet.id, locked: false).first,
      let session = try rows.waitingSession(in: account, now: now),
      let replacesAt = session.replacesAt
    else { return nil }
    return ReplacementNotice(
      session: session.id, takesEffectInMilliseconds: UInt64(clamping: replacesAt - now))
  }

  /// `decide_replacement`: checks the PIN like `check_pin`, with the same count. After a right PIN
  /// an agreement applies to the session that it names, if that still waits to replace this wallet;
  /// otherwise nothing is left to decide. A refusal applies to every session that waits: the owner
  /// wants to keep this wallet, and the session that was shown may be one that was put back.
  func decideReplacement(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try pinInstruction(of: wallet)
    // Before the PIN is checked: no refusal may depend on it.
    let payload = try inner.payload(as: ReplacementPayload.self)
    return try checkPin(in: inner, of: &wallet, attempt: &attempt) { wallet, _ in
      guard let account = try rows.accounts(ofWallet: wallet.id, locked: true).first else {
        return nil
      }
      switch payload.decision {
      case .allow:
        let waiting = try rows.waitingSessions(in: account, now: now)
        guard waiting.contains(where: { $0.id == payload.session }),
          var session = try rows.proofingSession(id: payload.session)
        else { return nil }
        session.replacesAt = StoredProofingSession.agreed
        try save(session)
      case .refuse:
        _ = try rows.refuseReplacements(
          in: account, now: now, settings: provider.settings.proofing)
      }
      return nil
    }
  }
}

extension StoredAccount {
  /// Whether the owner of the proofed wallet, or support, refused this session after its wait began.
  /// A refusal ends a session, so this is one whose row was put back. A session of before the
  /// beginning of a wait was stored counts as refused: its user needs a new code.
  func hasRefused(_ session: StoredProofingSession) -> Bool {
    guard let replacementRefusedAt, session.replacesAt != nil else { return false }
    return replacementRefusedAt > (session.waitsSince ?? .min)
  }
}

extension ProofingTransaction {
  /// The session that waits to replace the proofed wallet of the account; of several, the one that
  /// takes effect first. Nil if there is none.
  ///
  /// An account has at most one code without a verdict, so there are several only if rows were put
  /// back from an older copy. Such a row must not hide the one of which the owner has to hear.
  func waitingSession(in account: StoredAccount, now: Int64) throws -> StoredProofingSession? {
    try waitingSessions(in: account, now: now)
      .min { ($0.replacesAt ?? .max, $0.id) < ($1.replacesAt ?? .max, $1.id) }
  }

  /// The sessions about which the owner of the proofed wallet can decide: without those that were
  /// agreed to or refused before, and without those whose code has its verdict. Only authenticated
  /// columns count: whoever changed the order of codes would keep the owner from hearing of a
  /// replacement. Not locked.
  func waitingSessions(
    in account: StoredAccount, now: Int64
  ) throws -> [StoredProofingSession] {
    try replacements(in: account, now: now).filter {
      try $0.replacesAt != StoredProofingSession.agreed && !account.hasRefused($0)
        && enrolmentCode(hash: $0.code, locked: false)?.verdict == nil
    }
  }

  /// All sessions that wait to replace the proofed wallet of the account, or may replace it, also
  /// those that were put back. Not locked.
  func replacements(in account: StoredAccount, now: Int64) throws -> [StoredProofingSession] {
    try proofingSessions(ofAccount: account.id).filter {
      $0.state == .pending && $0.replacesAt != nil && $0.expiresAt > now
        && $0.wallet != account.wallet
    }
  }

  /// Declines every session that waits to replace the proofed wallet of the account, and notes in
  /// the account that this was wanted, even if there is none: a session that was declined before may
  /// be put back.
  ///
  /// - Returns: Whether there was one.
  func refuseReplacements(
    in account: StoredAccount, now: Int64, settings: ProofingSettings
  ) throws -> Bool {
    let found = try replacements(in: account, now: now)
    var account = account
    account.replacementRefusedAt = now
    try update(account)
    for id in found.map(\.id) {
      guard var session = try proofingSession(id: id),
        var code = try enrolmentCode(hash: session.code)
      else { continue }
      try close(&session, &code, as: .declined, now: now, settings: settings)
    }
    return !found.isEmpty
  }
}
