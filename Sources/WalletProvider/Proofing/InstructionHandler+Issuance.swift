import WalletSignatures
import WalletProtocol

extension InstructionHandler {
  /// `issue_pid`: can be repeated until the proofed session expires, so that a PID that was lost in
  /// transit can be fetched again, but only for the same key. Nothing is vetted again. If the
  /// wallet proves that it has another key, it has lost the first one, and the session ends.
  func issuePID(for wallet: StoredWallet) throws -> InstructionOutcome {
    let payload = try sealedPayload(IssuancePayload.self)
    guard let recipient = Base64URL.decode(payload.recipient).flatMap(ShareRecipient.init) else {
      throw ProblemError(.malformedRequest)
    }
    let key = try provenKey(payload, wallet)
    try deleteEndedRows()
    guard var session = try session(payload.session, of: wallet),
      let code = try rows.enrolmentCode(hash: session.code)
    else { return .proofing(ProofingStatus(.lapsed)) }
    guard session.state == .proofed else { return .proofing(status(of: session, code)) }
    guard let account = try rows.account(id: session.account), !account.closed,
      account.wallet == wallet.id
    else { return .proofing(ProofingStatus(.lapsed)) }
    let keyHash = Digest.sha256(key.der)
    guard (session.pidKey ?? keyHash) == keyHash else {
      try rows.deleteProofingSession(id: session.id)
      return .proofing(ProofingStatus(.lapsed))
    }
    let subject = try identity.keys.sealing.open(PIDSubject.self, .pidSubject, of: session)
    // If the clock was set back since the verdict, the earlier time counts.
    let begin = min(session.decidedAt ?? now, now) / 1000
    let expires = min(begin + PIDClaims.maximumValidity, subject.documentEnds)
    guard expires > now / 1000 else { return .proofing(ProofingStatus(.lapsed)) }
    let pid = try pid(of: subject, session, key: key, expires: expires)
    guard let sealed = recipient.seal(Array(pid.utf8)) else {
      throw ProblemError(.malformedRequest)
    }
    if session.pidKey == nil {
      session.pidKey = keyHash
      try save(session)
    }
    return .pid(Base64URL.encode(sealed))
  }

  /// Returns the key in the payload after verifying that this key has signed a proof for this very
  /// request.
  ///
  /// - Throws: `ProblemError`: malformed-request for an invalid key, instruction-refused for a
  ///   proof by another key or for something else.
  private func provenKey(
    _ payload: IssuancePayload, _ wallet: StoredWallet
  ) throws(ProblemError) -> SubjectPublicKey {
    guard let der = Base64URL.decode(payload.key), let key = try? SubjectPublicKey(der: der),
      let verifier = PublicKeyVerifier(key)
    else { throw ProblemError(.malformedRequest) }
    guard let proof = try? SignedMessage(parsing: payload.proof),
      let claims = try? proof.content(
        PIDKeyProofClaims.self, type: .pidKeyProof, verifier: verifier),
      let challenge = request.claims.challenge,
      claims
        == PIDKeyProofClaims(
          audience: identity.id, wallet: wallet.id, session: payload.session, challenge: challenge)
    else { throw ProblemError(.instructionRefused) }
    return key
  }

  private func pid(
    of subject: PIDSubject, _ session: StoredProofingSession, key: SubjectPublicKey,
    expires: Int64
  ) throws -> String {
    let settings = provider.settings.proofing
    let seconds = now / 1000
    let claims = PIDClaims(
      familyName: subject.familyName, givenName: subject.givenName, birthdate: subject.birthDate,
      issuedOn: CalendarDate(secondsSince1970: seconds, utcOffsetHours: subject.utcOffsetHours),
      issuingAuthority: settings.issuingAuthority, issuingCountry: settings.issuingCountry,
      verification: PIDVerification(
        evidence: subject.evidence, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: session.sourceMatched,
        demonstration: subject.isDemonstration ?? true))
    let content = try claims.content(
      issuer: identity.id, issuedAt: seconds, expires: expires,
      holderKey: key)
    return try SDJWT.issue(
      content, signer: identity.keys.issuer, salt: { SecureRandom.bytes(16) },
      sha256: { Digest.sha256($0) })
  }
}
