import WalletSignatures
import WalletProtocol

extension InstructionHandler {
  /// Opens the sealed payload of a proofing instruction.
  ///
  /// - Throws: `ProblemError`: instruction-refused if it is not sealed to this provider,
  ///   malformed-request if the content is invalid.
  func sealedPayload<Payload: Decodable>(_: Payload.Type) throws(ProblemError) -> Payload {
    guard
      let opened = identity.keys.encryption.open(
        request.payload, keyID: request.claims.encryptionKey)
    else { throw ProblemError(.instructionRefused) }
    guard let payload = try? WireJSON.decode(Payload.self, from: opened) else {
      throw ProblemError(.malformedRequest)
    }
    return payload
  }

  /// Opens a sealed payload and checks that it names the wallet and the challenge of this request.
  /// Otherwise whoever terminates TLS, and therefore sees the sealed box, could send it in a
  /// request of their own wallet.
  ///
  /// - Throws: `ProblemError`, also instruction-refused for a box from another request.
  func boundPayload<Payload: Decodable & BoundPayload>(
    _: Payload.Type
  ) throws(ProblemError) -> Payload {
    let payload = try sealedPayload(Payload.self)
    guard payload.wallet == request.claims.wallet, payload.challenge == request.claims.challenge
    else { throw ProblemError(.instructionRefused) }
    return payload
  }

  /// `claim_enrolment_code`: the first wallet that claims a code gets it. If the same wallet claims
  /// it again, it gets the same session.
  func claim(by wallet: StoredWallet) throws -> InstructionOutcome {
    let settings = provider.settings.proofing
    let payload = try boundPayload(ClaimPayload.self)
    guard let secret = Base64URL.decode(payload.secret), (16...32).contains(secret.count) else {
      throw ProblemError(.malformedRequest)
    }
    try deleteEndedRows()
    // After too many refused claims, this one is refused before its code is looked up. It is not
    // counted as a refused claim, because the guess was not evaluated.
    let refused = try rows.refusedClaims(
      ofWallet: wallet.id, after: now - settings.refusedClaimWindow)
    if refused.count >= settings.refusedClaims, let first = refused.first {
      return try refuse(
        .rateLimited, retryAfter: first.refusedAt + settings.refusedClaimWindow - now)
    }

    let hash = Digest.sha256(secret)
    guard var code = try rows.currentCode(hash: hash, now: now), code.verdict == nil,
      let account = try rows.account(id: code.account)
    else { return try refuseCode(.invalid, wallet) }
    if code.wallet == wallet.id,
      let session = try rows.proofingSession(ofCode: hash, wallet: wallet.id)
    {
      return .claimed(try description(of: session, code, account))
    }
    // An expired code counts as a guess, like every other invalid code. Otherwise the limit would
    // reveal that the code exists.
    guard code.expiresAt > now else { return try refuseCode(.invalid, wallet) }
    guard code.wallet == nil else { return try refuseCode(.claimedElsewhere, wallet) }
    guard !account.closed, (account.lockedUntil ?? 0) <= now else {
      try rows.noteRefusedClaim(ofWallet: wallet.id, at: now)
      return try refuse(.accountFinal)
    }
    code.wallet = wallet.id
    try rows.update(code)
    let session = StoredProofingSession(
      id: SecureRandom.identifier(), code: hash, account: account.id,
      wallet: wallet.id, expiresAt: now + settings.sessionLife)
    try rows.insert(session)
    return .claimed(try description(of: session, code, account))
  }

  /// `release_claim`: deletes the session with all its evidence. A session with a final verdict
  /// stays.
  func release(by wallet: StoredWallet) throws -> InstructionOutcome {
    let payload = try request.plainPayload(SessionPayload.self)
    try deleteEndedRows()
    guard let session = try session(payload.session, of: wallet), !session.state.isTerminal else {
      return .released
    }
    if var code = try rows.enrolmentCode(hash: session.code) {
      code.wallet = nil
      try rows.update(code)
    }
    try rows.deleteProofingSession(id: session.id)
    return .released
  }

  /// The live session of this wallet with this id, or nil.
  func session(_ id: String, of wallet: StoredWallet) throws -> StoredProofingSession? {
    guard InstructionRequest.isID(id),
      let session = try rows.proofingSession(id: id), session.wallet == wallet.id,
      session.expiresAt > now
    else { return nil }
    return session
  }

  func deleteEndedRows() throws {
    try rows.deleteEndedRows(by: now, settings: provider.settings.proofing)
  }

  private func refuseCode(
    _ reason: CodeRefusal.Reason, _ wallet: StoredWallet
  ) throws -> InstructionOutcome {
    try rows.noteRefusedClaim(ofWallet: wallet.id, at: now)
    return .codeRefused(CodeRefusal(reason))
  }

  private func refuse(
    _ reason: CodeRefusal.Reason, retryAfter: Int64? = nil
  ) throws -> InstructionOutcome {
    let reference = ProofingReference.make()
    return .codeRefused(
      CodeRefusal(
        reason, retryAfterMilliseconds: retryAfter.map { UInt64(clamping: $0) },
        reference: reference))
  }

  private func description(
    of session: StoredProofingSession, _ code: StoredEnrolmentCode, _ account: StoredAccount
  ) throws -> ProofingSession {
    let settings = provider.settings.proofing
    return ProofingSession(
      id: session.id, accountLabel: try identity.keys.sealing.person(of: account).maskedLabel,
      expiresInMilliseconds: UInt64(clamping: session.expiresAt - now),
      attemptsLeft: UInt32(clamping: code.attemptsLeft), kinds: settings.kinds,
      countries: settings.countries, minimumAge: settings.minimumAge,
      maximumAge: settings.maximumAge)
  }
}
