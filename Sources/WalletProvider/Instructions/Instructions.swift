import WalletProtocol

extension InstructionHandler {
  /// The one way of every instruction of a registered wallet. What is refused with a problem changes
  /// nothing; what is answered signed is committed together with its answer.
  func execute() throws -> HandledInstruction {
    guard var wallet = stored, isAlive(wallet) else {
      return HandledInstruction(answer: try answer(.unknownWallet))
    }
    try request.checkSignature(hardwareKey: wallet.hardwareKey)
    // Not before the signature: else anybody could use up what a wallet has.
    try admission.count(wallet: wallet.id)

    let isChallengeRequest = request.claims.instruction == .challenge
    // Whoever can write rows, and has not got the sealing key, could have put a hardware key of his own in.
    if !isChallengeRequest { _ = try identity.keys.sealing.open(.pinKey, of: wallet) }
    let challenge = isChallengeRequest ? nil : try challenge(givenTo: wallet.id)
    if let use = challenge?.use { return HandledInstruction(answer: use.answer) }
    guard request.claims.sequence > wallet.sequence else {
      return HandledInstruction(answer: try answer(.sequenceRefused(current: wallet.sequence)))
    }
    // First of all, so that whatever is sealed from here on has the one key that the row names.
    wallet = try wallet.resealed(by: identity.keys.sealing)
    wallet.sequence = request.claims.sequence

    try refuseBlocked(wallet)
    var handled = HandledInstruction(answer: "")
    let outcome = try perform(on: &wallet, attempt: &handled.attempt)
    handled.notice = ProofingNotice(outcome, to: request.claims.instruction)
    handled.answer = try answer(outcome)
    if outcome == .deleted {
      try rows.deleteWallet(id: wallet.id)
    } else {
      try rows.update(wallet)
      if let challenge { try use(challenge, wallet: wallet.id, answer: handled.answer) }
    }
    return handled
  }

  /// Whether no PIN of the wallet is looked at, for a time or for good.
  func isBlocked(_ wallet: StoredWallet) -> Bool {
    var attempts = wallet.attempts
    return attempts.refusal(now: now) != nil
  }

  /// A blocked wallet gets no further with a proofing; it can look at one and give it back.
  ///
  /// - Throws: `ProblemError`, instruction-refused.
  private func refuseBlocked(_ wallet: StoredWallet) throws(ProblemError) {
    let refused: [InstructionName] = [.claimEnrolmentCode, .submitEvidence, .issuePID]
    guard refused.contains(request.claims.instruction), isBlocked(wallet) else { return }
    throw ProblemError(.instructionRefused, detail: "The wallet is blocked")
  }

  /// The part that differs from instruction to instruction.
  private func carryOut(
    on wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    switch request.claims.instruction {
    case .register:
      throw ProblemError(.instructionRefused)
    case .challenge:
      return try makeChallenge(for: wallet)
    case .confirmRegistration:
      _ = try request.plainPayload(EmptyPayload.self)
      wallet.confirmed = true
      return .confirmed
    case .deleteWallet:
      _ = try request.plainPayload(EmptyPayload.self)
      return .deleted
    case .claimEnrolmentCode:
      return try claim(by: wallet)
    case .releaseClaim:
      return try release(by: wallet)
    case .submitEvidence:
      return try submitEvidence(by: wallet)
    case .proofingStatus:
      return try proofingStatus(of: wallet)
    case .issuePID:
      return try issuePID(for: wallet)
    case .checkPin:
      return try checkPin(of: &wallet, attempt: &attempt)
    case .preparePinChange:
      return try preparePinChange(of: &wallet, attempt: &attempt)
    case .commitPinChange:
      return try commitPinChange(of: &wallet)
    case .cancelPinChange:
      return try cancelPinChange(of: &wallet)
    }
  }

  /// `challenge`; also for a blocked wallet, which must be able to learn that it still is one.
  private func makeChallenge(for wallet: StoredWallet) throws -> InstructionOutcome {
    let purpose = try request.plainPayload(ChallengePayload.self).instruction
    guard purpose != .register, purpose != .challenge else {
      throw ProblemError(.instructionRefused)
    }
    let settings = provider.settings
    let bytes = SecureRandom.bytes(32)
    try rows.deleteChallenges(expiredBy: now)
    try rows.insert(
      StoredChallenge(
        challenge: bytes, purpose: purpose.rawValue, wallet: wallet.id,
        expiresAt: now + settings.challengeLife))
    try rows.keepLatestChallenges(settings.maximumChallengesPerWallet, ofWallet: wallet.id)
    return .challenge(
      Base64URL.encode(bytes), expiresInMilliseconds: UInt64(clamping: settings.challengeLife))
  }

  private func checkPin(
    of wallet: inout StoredWallet, attempt: inout AttemptOutcome?
  ) throws -> InstructionOutcome {
    let inner = try PinInstruction(
      opening: request, with: identity.keys.encryption, hardwareKey: wallet.hardwareKey)
    return try checkPin(in: inner, of: &wallet, attempt: &attempt)
  }

  /// Judges the PIN of `check_pin` and `prepare_pin_change`: only a PIN signature that verifies with
  /// no accepted key is a wrong attempt, and while a block runs it is not even looked at.
  ///
  /// - Parameter whenRight: Called with a right PIN, before the answer is made.
  func checkPin(
    in inner: PinInstruction, of wallet: inout StoredWallet, attempt: inout AttemptOutcome?,
    whenRight: (inout StoredWallet, AcceptedPinKey) throws -> Void = { _, _ in }
  ) throws -> InstructionOutcome {
    if let refusal = wallet.attempts.refusal(now: now) { return refusal }

    let sealing = identity.keys.sealing
    if let key = try acceptedKey(of: wallet, for: inner) {
      try whenRight(&wallet, key)
      let share = try inner.sealForRecipient(try sealing.open(.share, of: wallet))
      wallet.attempts.reset()
      attempt = .right
      return .valid(share: share)
    }
    let outcome = wallet.attempts.countWrongAttempt(policy: provider.policy.current, now: now)
    attempt =
      switch outcome {
      case .blocked: .blocked
      case .blockedPermanently: .blockedPermanently
      default: .wrong
      }
    return outcome
  }

  /// Whether the wallet still exists: an unconfirmed one ends by itself.
  func isAlive(_ wallet: StoredWallet) -> Bool {
    wallet.confirmed || wallet.registeredAt > now - provider.settings.unconfirmedLife
  }
}
