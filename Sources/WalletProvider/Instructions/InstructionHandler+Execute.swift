import WalletAttempts
import WalletSignatures
import WalletProtocol

extension InstructionHandler {
  /// Handles any instruction of a registered wallet. What is refused with a problem changes
  /// nothing. What is answered with a signature is committed together with its answer.
  func execute() throws -> HandledInstruction {
    guard var wallet = stored, isAlive(wallet) else {
      return HandledInstruction(answer: try answer(.unknownWallet))
    }
    try request.checkSignature(hardwareKey: wallet.hardwareKey)
    // Not before the signature is verified: otherwise anyone could use up the wallet's quota.
    try admission.count(wallet: wallet.id)

    let isChallengeRequest = request.claims.instruction == .challenge
    // Someone who can write rows but does not have the sealing key could have inserted their own
    // hardware key.
    if !isChallengeRequest { _ = try identity.keys.sealing.open(.pinKey, of: wallet) }
    let challenge = isChallengeRequest ? nil : try challenge(givenTo: wallet.id)
    if let use = challenge?.use { return HandledInstruction(answer: use.answer) }
    if isChallengeRequest, let answer = repeatedEvaluation(of: wallet) {
      return HandledInstruction(answer: answer)
    }
    guard SequenceNumber.mayFollow(wallet.sequence, request.claims.sequence) else {
      return HandledInstruction(answer: try answer(.sequenceRefused(current: wallet.sequence)))
    }
    // Before anything else is sealed, so that every value is sealed with the one key that the row
    // names.
    wallet = try wallet.resealed(by: identity.keys.sealing)
    wallet.sequence = request.claims.sequence

    try refuseBlocked(wallet)
    // Read before the PIN is checked: an unreadable row must not roll back a wrong PIN.
    var replacement = try replacementNotice(for: wallet)
    var handled = HandledInstruction(answer: "")
    let outcome = try carryOut(on: &wallet, attempt: &handled.attempt)
    if request.claims.instruction == .decideReplacement {
      replacement = try replacementNotice(for: wallet)
    }
    // Nothing is changed by a request that the evaluator has seen before or after another one.
    if case .sequenceRefused = outcome { return HandledInstruction(answer: try answer(outcome)) }
    handled.notice = ProofingNotice(outcome, to: request.claims.instruction)
    let asksOfPin = request.claims.instruction == .pinState
    if isChallengeRequest, let answer = repeatedEvaluation(of: wallet) {
      handled.answer = answer
      try rows.update(wallet)
      return handled
    }
    handled.answer = try answer(
      outcome, replacement: replacement, failures: asksOfPin ? wallet.attempts.told : nil)
    if outcome == .deleted {
      try rows.endWallet(
        id: wallet.id, settings: provider.settings.proofing.statusLists, now: now)
    } else {
      try rows.update(wallet)
      if let challenge { try use(challenge, answer: handled.answer) }
    }
    return handled
  }

  /// Whether the wallet is blocked, temporarily or permanently.
  func isBlocked(_ wallet: StoredWallet) -> Bool {
    var attempts = wallet.attempts
    return attempts.refusal(now: now) != nil
  }

  /// Throws for instructions that would advance a proofing while the wallet is blocked. A blocked
  /// wallet can still query a proofing or release its claim.
  ///
  /// - Throws: `ProblemError`, instruction-refused.
  private func refuseBlocked(_ wallet: StoredWallet) throws(ProblemError) {
    let refused: [InstructionName] = [.claimEnrolmentCode, .submitEvidence, .issuePID]
    guard refused.contains(request.claims.instruction), isBlocked(wallet) else { return }
    throw ProblemError(.instructionRefused, detail: "The wallet is blocked")
  }

  /// Performs the instruction itself.
  private func carryOut(
    on wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    switch request.claims.instruction {
    case .register:
      throw ProblemError(.instructionRefused)
    case .challenge:
      return try makeChallenge(for: &wallet)
    case .confirmRegistration:
      _ = try request.plainPayload(EmptyPayload.self)
      wallet.confirmed = true
      return .confirmed
    case .deleteWallet:
      _ = try request.plainPayload(EmptyPayload.self)
      for key in wallet.pinKeyIDs { _ = try evaluator(.delete(key: key)) }
      return .deleted
    case .claimEnrolmentCode:
      return try claim(by: wallet)
    case .releaseClaim:
      return try release(by: wallet)
    case .submitEvidence:
      return try submitEvidence(by: &wallet)
    case .proofingStatus:
      return try proofingStatus(of: &wallet)
    case .issuePID:
      return try issuePID(for: wallet)
    case .checkPin:
      return try checkPin(of: &wallet, attempt: &attempt)
    case .pinState:
      _ = try request.plainPayload(EmptyPayload.self)
      return wallet.attempts.state(policy: provider.policy.current, now: now)
    case .beginPinChange:
      return try beginPinChange(of: &wallet, attempt: &attempt)
    case .preparePinChange:
      return try preparePinChange(of: &wallet)
    case .commitPinChange:
      return try commitPinChange(of: &wallet)
    case .cancelPinChange:
      return try cancelPinChange(of: &wallet)
    case .decideReplacement:
      return try decideReplacement(of: &wallet, attempt: &attempt)
    case .authorizeUse:
      return try authorizeUse(of: &wallet, attempt: &attempt)
    }
  }

  /// `challenge`; also for a blocked wallet, which must be able to find out that it still is
  /// blocked. For an attempt at the PIN it is counted, and comes with an evaluation.
  private func makeChallenge(for wallet: inout StoredWallet) throws -> InstructionOutcome {
    let payload = try request.plainPayload(ChallengePayload.self)
    let purpose = payload.instruction
    guard purpose != .register, purpose != .challenge else {
      throw ProblemError(.instructionRefused)
    }
    if purpose.isAttempt { return try beginAttempt(on: &wallet, payload) }
    return .challenge(
      Base64URL.encode(try insertChallenge(for: purpose, of: wallet.id)),
      expiresInMilliseconds: challengeLife)
  }

  var challengeLife: UInt64 { UInt64(clamping: provider.settings.challengeLife) }

  /// Makes and stores a challenge.
  func insertChallenge(for purpose: InstructionName, of wallet: String) throws -> [UInt8] {
    let settings = provider.settings
    let bytes = SecureRandom.bytes(32)
    try rows.deleteChallenges(expiredBy: now)
    try rows.insert(
      StoredChallenge(
        challenge: bytes, purpose: purpose.rawValue, wallet: wallet,
        expiresAt: now + settings.challengeLife))
    try rows.keepLatestChallenges(settings.maximumChallengesPerWallet, ofWallet: wallet)
    return bytes
  }

  private func checkPin(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try pinInstruction(of: wallet)
    return try checkPin(in: inner, of: &wallet, attempt: &attempt)
  }

  /// Checks the PIN of an attempt, which was counted when it was evaluated. Only the answer to the
  /// newest evaluation is checked, so that an evaluation is one guess.
  ///
  /// - Parameter whenRight: called for a right PIN, before the answer is made, with the evaluation
  ///   of a new PIN. Returns what the answer says of it.
  func checkPin(
    in inner: PinInstruction, of wallet: inout StoredWallet, attempt: inout AttemptOutcome?,
    whenRight: (inout StoredWallet, HalfEvaluation?) throws -> PinEvaluation? = { _, _ in nil }
  ) throws -> InstructionOutcome {
    if let refusal = try refusal(of: inner, by: &wallet) { return refusal }
    guard let evaluation = wallet.evaluation, let key = try pinKey(evaluation.pinKeyID, of: wallet)
    else { throw ProblemError(.challengeRefused) }

    guard try isSigned(inner, byPinKey: key) else {
      let outcome = wallet.attempts.endWithWrongPin(policy: provider.policy.current, now: now)
      attempt =
        switch outcome {
        case .blocked: .blocked
        case .blockedPermanently: .blockedPermanently
        default: .wrong
        }
      return outcome
    }
    let proof = EvaluatorRequest.prove(key: evaluation.pinKeyID, message: inner.compact)
    guard case .proven(_, let next) = try evaluator(proof) else {
      throw ProblemError(.challengeRefused)
    }
    // A wallet that uses the new PIN has given up the former one.
    if evaluation.pinKeyID == wallet.pending?.pinKeyID { try promotePending(of: &wallet) }
    let newPin = try whenRight(&wallet, next)
    let share = try inner.sealForRecipient(
      try identity.keys.sealing.open(.share, of: wallet))
    wallet.attempts.endWithRightPin()
    wallet.pinProvenAt = now
    attempt = .right
    return .valid(share: share, failures: wallet.attempts.told, evaluation: newPin)
  }

  /// Whether the wallet still exists: an unconfirmed registration expires.
  func isAlive(_ wallet: StoredWallet) -> Bool { provider.isAlive(wallet, now: now) }
}
