package import WalletProtocol

/// Thrown out of a transaction to roll it back, because a case has to be vetted first.
struct VettingNeeded: Error {
  let vettingCase: VettingCase
  /// The time of the transaction, in milliseconds since 1970.
  let now: Int64
}

/// A vetted case. The verdict applies only if the case has not changed since.
struct VettedCase: Sendable {
  let vettingCase: VettingCase
  let verdict: VettingVerdict
}

extension InstructionHandler {
  /// `submit_evidence`: checks, in this order, the session, the form of the evidence and whether
  /// the evidence is a resend. Then vets it.
  func submitEvidence(by wallet: inout StoredWallet) throws -> InstructionOutcome {
    let head = try boundPayload(SubmissionHead.self)
    guard let key = Base64URL.decode(head.idempotencyKey), key.count == 16 else {
      throw ProblemError(.malformedRequest)
    }
    try deleteEndedRows()
    guard var session = try session(head.session, of: wallet),
      let code = try rows.enrolmentCode(hash: session.code)
    else { return .proofing(ProofingStatus(.lapsed)) }
    let claims = try sealedPayload(SubmissionPayload<LicenceClaims>.self).evidence
    guard claims.isBounded else { throw ProblemError(.malformedRequest) }

    let submission = StoredProofingSession.Submission(
      idempotencyKey: key, digest: try hashes.evidence(claims))
    if let earlier = session.submission, earlier.idempotencyKey == key {
      guard earlier.digest == submission.digest else { throw ProblemError(.instructionRefused) }
      guard session.state == .pending || session.state == .sourceUnavailable,
        try !awaitsReplacement(session)
      else { return .proofing(status(of: session, code)) }
    } else if session.state.isTerminal || session.state == .pending {
      // Evidence that was decided on or awaits a person's decision is not replaced.
      return .proofing(status(of: session, code))
    }
    session.submission = submission
    return .proofing(try vet(claims, &session, code, of: &wallet))
  }

  /// `proofing_status`: also vets a pending case again, with two exceptions. For a blocked wallet
  /// it does not, because a verdict may delete the wallet that was proofed for the account before.
  /// Nor does it while the owner of that other wallet can still object.
  func proofingStatus(of wallet: inout StoredWallet) throws -> InstructionOutcome {
    let payload = try request.plainPayload(SessionPayload.self)
    try deleteEndedRows()
    guard var session = try session(payload.session, of: wallet),
      let code = try rows.enrolmentCode(hash: session.code)
    else { return .proofing(ProofingStatus(.lapsed)) }
    guard session.state == .pending, !isBlocked(wallet), try !awaitsReplacement(session) else {
      return .proofing(status(of: session, code))
    }
    let claims = try identity.keys.sealing.open(LicenceClaims.self, .evidence, of: session)
    return .proofing(try vet(claims, &session, code, of: &wallet))
  }

  /// The status of a session for the wallet.
  func status(
    of session: StoredProofingSession, _ code: StoredEnrolmentCode
  ) -> ProofingStatus {
    let settings = provider.settings.proofing
    let attempts = UInt32(clamping: code.attemptsLeft)
    let life = UInt64(clamping: session.expiresAt - now)
    return switch session.state {
    case .open: ProofingStatus(.open, attemptsLeft: attempts, expiresInMilliseconds: life)
    case .pending where (session.replacesAt ?? now) > now:
      ProofingStatus(
        .waiting, retryAfterMilliseconds: UInt64(clamping: (session.replacesAt ?? now) - now),
        expiresInMilliseconds: life, reference: session.reference)
    case .pending:
      ProofingStatus(
        .pending, retryAfterMilliseconds: UInt64(clamping: settings.pendingRetry),
        expiresInMilliseconds: life, reference: session.reference)
    case .proofed: ProofingStatus(.proofed, expiresInMilliseconds: life)
    case .resubmit:
      ProofingStatus(
        .resubmit, reason: session.reason.flatMap(ProofingStatus.Reason.init),
        attemptsLeft: attempts, expiresInMilliseconds: life)
    case .sourceUnavailable:
      ProofingStatus(
        .sourceUnavailable, retryAfterMilliseconds: UInt64(clamping: settings.sourceRetry),
        expiresInMilliseconds: life)
    case .declined: ProofingStatus(.declined, reference: session.reference)
    case .exhausted:
      ProofingStatus(
        .exhausted, retryAfterMilliseconds: pauseLeft(since: session.decidedAt ?? now),
        reference: session.reference)
    }
  }

  private func pauseLeft(since decided: Int64) -> UInt64 {
    UInt64(clamping: decided + provider.settings.proofing.exhaustedPause - now)
  }

  private func vet(
    _ claims: LicenceClaims, _ session: inout StoredProofingSession, _ code: StoredEnrolmentCode,
    of wallet: inout StoredWallet
  ) throws -> ProofingStatus {
    guard let account = try rows.account(id: session.account) else {
      throw StoreFailure("the account of a session is missing")
    }
    let person = try identity.keys.sealing.person(of: account)
    let document = try HeldDocument(claims, of: person).map { try hashes.document($0) }
    let owner = try document.flatMap { try rows.account(ofDocument: $0) }
    let vettingCase = VettingCase(
      session: session.id, claims: claims, person: person,
      documentUsedElsewhere: owner.map { $0 != account.id } ?? false)
    // If the account was closed in the meantime, the session is declined without vetting. A code has
    // one verdict: a session whose code has one, but which has none itself, was put back.
    guard !account.closed, code.verdict == nil else {
      var code = code
      try close(&session, &code, as: .declined)
      return status(of: session, code)
    }
    guard let vetted, vetted.vettingCase == vettingCase else {
      throw VettingNeeded(vettingCase: vettingCase, now: now)
    }
    let status = try apply(
      vetted.verdict, on: vettingCase, document: document, &session, code, account)
    // The PIN has to be proved after the verdict. Two times would not tell which was first, if the
    // clock was set between them.
    if session.state == .proofed { wallet.pinProvenAt = nil }
    return status
  }
}

extension LicenceClaims {
  /// Whether the number and the length of the texts are limited. The limits are far above those of
  /// any card. Values that are merely wrong are left to the rules.
  package var isBounded: Bool {
    let texts =
      [familyName, givenName, documentNumber, issuerNumber]
      + [middleNames, nameSuffix].compactMap { $0 } + warnings + deviations
    return warnings.count <= 64 && deviations.count <= 64
      && texts.allSatisfy { $0.utf8.count <= 1024 }
  }
}

/// The members that identify the submission, decoded before the evidence.
private struct SubmissionHead: Decodable, BoundPayload {
  var wallet: String
  var challenge: String
  var session: String
  var idempotencyKey: String

  enum CodingKeys: String, CodingKey {
    case wallet, challenge, session
    case idempotencyKey = "idempotency_key"
  }
}
