import WalletCredentials
import WalletProtocol
import WalletSignatures

extension InstructionHandler {
  /// `issue_pid`: can be repeated until the proofed session expires, so that a PID that was lost in
  /// transit can be fetched again, but only for the same keys. Nothing is vetted again. If the
  /// wallet proves that it has other keys, it has lost the first ones, and the session ends.
  ///
  /// Nothing is issued before the PIN was proved once more after the verdict: whoever only has the
  /// hardware key gets no PID.
  func issuePID(for wallet: StoredWallet) throws -> InstructionOutcome {
    let payload = try sealedPayload(IssuancePayload.self)
    guard let recipient = Base64URL.decode(payload.recipient).flatMap(ShareRecipient.init) else {
      throw ProblemError(.malformedRequest)
    }
    let keys = try provenKeys(payload, wallet)
    try deleteEndedRows()
    guard var session = try session(payload.session, of: wallet),
      let code = try rows.enrolmentCode(hash: session.code)
    else { return .proofing(ProofingStatus(.lapsed)) }
    guard session.state == .proofed else { return .proofing(status(of: session, code)) }
    guard let account = try rows.account(id: session.account), !account.closed,
      account.wallet == wallet.id
    else { return .proofing(ProofingStatus(.lapsed)) }
    let verdict = session.decidedAt ?? now
    guard wallet.pinProvenAt != nil else { return .proofing(status(of: session, code)) }
    let keyHash = Digest.sha256(keys.flatMap { Digest.sha256($0.der) })
    guard (session.pidKeys ?? keyHash) == keyHash else {
      try end(session)
      return .proofing(ProofingStatus(.lapsed))
    }
    let subject = try identity.keys.sealing.open(PIDSubject.self, .pidSubject, of: session)
    guard
      let validity = PIDValidity(
        now: now / 1000, verdict: verdict / 1000, documentEnds: subject.documentEnds)
    else { return .proofing(ProofingStatus(.lapsed)) }
    guard let copies = try copies(of: subject, session, keys: keys, validity: validity) else {
      return .proofing(ProofingStatus(.lapsed))
    }
    guard let sealed = recipient.seal(try WireJSON.encode(IssuedPID(copies: copies))) else {
      throw ProblemError(.malformedRequest)
    }
    if session.pidKeys == nil {
      session.pidKeys = keyHash
      // From now on the wallet's former PID is revoked: if this answer is lost, there must be time to
      // fetch it again.
      session.expiresAt = max(session.expiresAt, now + provider.settings.proofing.issuanceLife)
      try save(session)
    }
    return .pid(Base64URL.encode(sealed))
  }

  /// Ends a proofed session and revokes what was issued in it: the wallet has lost the keys.
  private func end(_ session: StoredProofingSession) throws {
    try rows.revokeStatusEntries(
      of: .account(session.account), settings: provider.settings.proofing.statusLists, now: now)
    try rows.deleteProofingSession(id: session.id)
  }

  /// Returns the keys in the payload after verifying that each has signed a proof for this very
  /// request.
  ///
  /// - Throws: `ProblemError`: malformed-request for an invalid key or number of keys,
  ///   instruction-refused for a proof by another key or for something else.
  private func provenKeys(
    _ payload: IssuancePayload, _ wallet: StoredWallet
  ) throws(ProblemError) -> [SubjectPublicKey] {
    guard (1...IssuancePayload.maximumCopies).contains(payload.keys.count) else {
      throw ProblemError(.malformedRequest)
    }
    var keys: [SubjectPublicKey] = []
    for key in payload.keys { keys.append(try provenKey(key, payload.session, wallet)) }
    guard Set(keys.map(\.der)).count == keys.count else { throw ProblemError(.malformedRequest) }
    return keys
  }

  private func provenKey(
    _ given: IssuancePayload.Key, _ session: String, _ wallet: StoredWallet
  ) throws(ProblemError) -> SubjectPublicKey {
    // Verifiers of the field accept ES256 alone.
    guard let der = Base64URL.decode(given.key), let key = try? SubjectPublicKey(der: der),
      key.algorithm == .es256, let verifier = PublicKeyVerifier(key)
    else { throw ProblemError(.malformedRequest) }
    guard let proof = try? SignedMessage(parsing: given.proof),
      let claims = try? proof.content(
        PIDKeyProofClaims.self, type: .pidKeyProof, verifier: verifier),
      let challenge = request.claims.challenge,
      claims
        == PIDKeyProofClaims(
          audience: identity.id, wallet: wallet.id, session: session, challenge: challenge)
    else { throw ProblemError(.instructionRefused) }
    return key
  }

  /// Makes a copy for each key; nil if what was issued in the session has been revoked.
  private func copies(
    of subject: PIDSubject, _ session: StoredProofingSession, keys: [SubjectPublicKey],
    validity: PIDValidity
  ) throws -> [String]? {
    let settings = provider.settings
    let former = try rows.statusEntries(ofIssuance: session.id)
    guard former.allSatisfy({ $0.revokedAt == nil }) else { return nil }
    let claims = PIDClaims(
      familyName: subject.familyName, givenName: subject.givenName, birthdate: subject.birthDate,
      issuedOn: CalendarDate(
        secondsSince1970: now / 1000, utcOffsetHours: subject.utcOffsetHours),
      validity: validity, issuingAuthority: settings.proofing.issuingAuthority,
      issuingCountry: settings.proofing.issuingCountry,
      verification: PIDVerification(
        evidence: subject.evidence, barcodeClaimed: true, accountMatch: true,
        issuingSourceMatch: session.sourceMatched,
        demonstration: subject.isDemonstration ?? true))
    let signer = identity.keys.documentSigner
    // Verifiers refuse a PID whose issuer's certificate has expired.
    guard validity.expires <= signer.notAfter else {
      throw StoreFailure("the certificate of the document signer ends before the PID")
    }
    let issuer = settings.publicURL.flatMap { $0.isHTTPS ? $0.text : nil }
    return try zip(keys, statuses(of: session, copies: keys.count, validity)).map { key, status in
      try Credential.issue(
        try claims.statement(
          type: settings.pidType, issuer: issuer, validity: validity, holderKey: key,
          status: status),
        chain: signer.chain, signer: signer.signer,
        salt: { SecureRandom.bytes(Credential.saltLength) })
    }
  }

  /// Assigns an entry of a status list to each copy, and revokes the PIDs of earlier proofings: those
  /// of the account, and those of the wallet, which may have belonged to another account before.
  private func statuses(
    of session: StoredProofingSession, copies: Int, _ validity: PIDValidity
  ) throws -> [CredentialStatusSource] {
    let settings = provider.settings
    for owner in [StatusOwner.account(session.account), .wallet(session.wallet)] {
      try rows.revokeStatusEntries(
        of: owner, except: session.id, settings: settings.proofing.statusLists, now: now)
    }
    // Without a known address no list can be looked up. The core refuses a PID without a status.
    guard let url = provider.statusURL else { return Array(repeating: .none, count: copies) }
    return try rows.assignStatusEntries(
      StatusAssignment(
        issuance: session.id, copies: copies, wallet: session.wallet, account: session.account,
        expiresAt: validity.expires * 1000),
      publicURL: url, settings: settings.proofing.statusLists, now: now
    ).map { .list(index: $0.index, uri: $0.uri) }
  }
}
