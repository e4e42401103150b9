internal import WalletCrypto
public import WalletModel
public import WalletPlatform
internal import WalletProtocol
internal import WalletStorage
internal import WalletTransport

extension Account {
  /// Tells the provider that the wallet has stored its certificate. From then on a repeated
  /// registration can no longer replace the PIN. Does nothing if the provider knows already.
  ///
  /// - Parameter timeout: How long to wait for each answer; nil as for other requests.
  public func confirmRegistration(timeout: Milliseconds? = nil) throws(WalletError) {
    try translating { _ = try confirmedRegistration(timeout: timeout) }
  }

  /// Asks the provider to delete the wallet; waits at most `timeout` for each answer.
  public func deleteAtProvider(timeout: Milliseconds) throws(WalletError) {
    try translating {
      guard let record = try storedRegistration(), record.walletID != nil else { return }
      let outcome = try performPlain(.deleteWallet, record, timeout: timeout)
      guard outcome == .deleted else {
        throw WalletError(.serverRefused, "The provider's answer does not fit a deletion.")
      }
    }
  }

  func confirmedRegistration(timeout: Milliseconds? = nil) throws -> RegistrationRecord {
    guard var record = try storedRegistration(), record.certificate != nil else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    guard !record.isConfirmed else { return record }
    guard try performPlain(.confirmRegistration, record, timeout: timeout) == .confirmed else {
      throw WalletError(.serverRefused, "The provider's answer does not fit a confirmation.")
    }
    record.isConfirmed = true
    let confirmed = record
    try store.transaction(label: "confirm.stored") { transaction in
      try AccountRecords.save(confirmed, transaction, key: accountKey)
      try transaction.setMarker(AccountRecords.confirmedMarker, 1)
    }
    return record
  }

  /// Performs an instruction that only the hardware key signs, with a payload in plain JSON.
  ///
  /// - Parameter requireAllowed: Called right before the instruction is sent; throws to send
  ///   nothing.
  func performPlain(
    _ name: InstructionName, _ record: RegistrationRecord,
    payload: some Encodable = EmptyPayload(), timeout: Milliseconds? = nil,
    if requireAllowed: () throws(WalletError) -> Void = { () throws(WalletError) in }
  ) throws -> InstructionOutcome {
    let client = client(try hardwareKey(of: record))
    let payload = try WireJSON.encode(payload)
    return try perform(name, record, timeout: timeout, if: requireAllowed) { given in
      try client.prepare(
        name, wallet: given.wallet, payload: payload, challenge: given.challenge,
        sequence: given.sequence)
    }
  }

  /// What the provider gave for one instruction.
  struct Given {
    var wallet: String
    var challenge: String
    var sequence: UInt64
    /// The evaluation of the blinded PIN, if one was sent.
    var evaluation: PinEvaluation?
  }

  /// Fetches a challenge and sends the instruction that `prepare` signs over it.
  ///
  /// An attempt at the PIN is counted when its challenge is asked for. If no attempt is allowed, the
  /// answer to that is the outcome.
  ///
  /// If a signed answer refuses the sequence number, the wallet continues after the number that the
  /// answer names, at most twice. If the challenge expired, for example while the device slept, the
  /// wallet fetches a new one, once, unless that is an attempt at the PIN.
  ///
  /// - Parameters:
  ///   - blinded: The blinded PIN; only for an attempt.
  ///   - completesAttempt: Whether an attempt that was asked for is completed although it may not
  ///     be allowed any more: an attempt without an answer counts as a wrong PIN.
  ///   - requireAllowed: Called right before each message is sent that the PIN or a decision
  ///     depends on, and before it is sent again after a wait if more than the count depends on it;
  ///     throws to send nothing.
  func perform(
    _ name: InstructionName, _ record: RegistrationRecord, timeout: Milliseconds? = nil,
    blinded: BlindedPin? = nil, completesAttempt: Bool = false,
    if requireAllowed: () throws(WalletError) -> Void = { () throws(WalletError) in },
    prepare: (Given) throws -> InstructionClient.Prepared
  ) throws -> InstructionOutcome {
    guard let wallet = record.walletID else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    func requireStillAllowed() throws(WalletError) {
      if !completesAttempt { try requireAllowed() }
    }
    let client = client(try hardwareKey(of: record))
    var budget = RetryBudget(name)
    while true {
      try requireNotCancelled()
      let asked = environment.clock.now()
      // Both sequence numbers are marked as used on disk, in one write, before anything is signed.
      // A number that is never sent leaves a gap, which is normal.
      let sequence = try store.transaction(label: "instruction.sequence") { transaction in
        try AccountRecords.reserveSequence(2, transaction, key: accountKey)
      }
      let challengeRequest = try client.prepare(
        .challenge, wallet: wallet,
        payload: try WireJSON.encode(
          ChallengePayload(
            instruction: name, key: blinded.flatMap { _ in record.pinKey?.key },
            blinded: blinded.map { Base64URL.encode($0.element) })), challenge: nil,
        sequence: sequence)
      if blinded != nil {
        // Otherwise an attempt could be counted whose instruction cannot be sealed afterwards.
        _ = try configurations.forSealing(cancellation)
        try requireAllowed()
      }
      let first = try client.exchange(
        challengeRequest, cancellation: cancellation, timeout: timeout,
        beginsAttempt: blinded != nil,
        ifStill: requireStillAllowed)
      let given: Given
      let life: UInt64
      switch first {
      case .outcome(.challenge(let challenge, let expiresIn, let evaluation, _))
      where (evaluation != nil) == (blinded != nil):
        life = expiresIn
        given = Given(
          wallet: wallet, challenge: challenge, sequence: sequence + 1, evaluation: evaluation)
      case .outcome(.blocked(let milliseconds, false)) where blinded != nil:
        return .blocked(milliseconds: milliseconds, counted: false)
      case .outcome(.blockedPermanently(false)) where blinded != nil:
        return .blockedPermanently(counted: false)
      default:
        try prepareRetry(after: first, record, sent: sequence, &budget)
        continue
      }
      let request = try prepare(given)
      // The challenge may have expired while the instruction was signed. Nothing was sent with this
      // challenge yet, so fetching another one costs nothing.
      if budget.mayRenewChallenge,
        environment.clock.now() &- asked >= Milliseconds(clamping: life)
      {
        budget.mayRenewChallenge = false
        continue
      }
      try requireStillAllowed()
      try requireNotCancelled()
      environment.passCrashPoint("instruction.before-request")
      // Of the attempts only this one takes effect at the provider. The others are completed
      // although the wallet was locked meanwhile, because the attempt was counted.
      let mayBeGivenUp = name == .decideReplacement
      let second = try client.exchange(
        request, cancellation: abort, waitingUntil: mayBeGivenUp ? cancellation : nil,
        timeout: timeout,
        ifStill: { () throws(WalletError) in
          if mayBeGivenUp { try requireStillAllowed() }
        })
      environment.passCrashPoint("instruction.after-answer")
      switch second {
      case .problem(.instructionRefused) where mayRepeat(request, &budget): continue
      case .outcome(.sequenceRefused), .outcome(.unknownWallet), .problem:
        try prepareRetry(after: second, record, sent: sequence + 1, &budget)
      case .outcome(let outcome): return outcome
      }
    }
  }

  /// The retries that one request has left.
  private struct RetryBudget {
    /// Forward to the number that the provider signed, and back if that was not the provider.
    var sequenceMoves = 2
    /// Not for an attempt at the PIN: another challenge is another attempt.
    var mayRenewChallenge: Bool
    var mayChangeEncryptionKey = true
    var lostAnswers = 3
    /// Whether the wallet may send the request again by itself after a refusal that is not signed.
    /// Not if the request has a PIN: the provider may have checked the PIN although its answer was
    /// lost or withheld, and a repetition could cost another attempt. Only the user may try again.
    let mayRepeatRefused: Bool

    init(_ name: InstructionName) {
      mayRepeatRefused = !name.isAttempt
      mayRenewChallenge = !name.isAttempt
    }
  }

  /// Returns whether a refused `request` may be made again, because it was sealed to a key that the
  /// provider has retired meanwhile.
  private func mayRepeat(
    _ request: InstructionClient.Prepared, _ budget: inout RetryBudget
  ) -> Bool {
    guard budget.mayChangeEncryptionKey,
      configurations.hasOtherEncryptionKey(than: request.claims.encryptionKey, cancellation: abort)
    else { return false }
    budget.mayChangeEncryptionKey = false
    return budget.mayRepeatRefused
  }

  /// Prepares another round if that may help; throws otherwise.
  ///
  /// - Parameter sent: The sequence number that `answer` is about.
  private func prepareRetry(
    after answer: InstructionClient.Answer, _ record: RegistrationRecord, sent: UInt64,
    _ budget: inout RetryBudget
  ) throws {
    switch answer {
    case .outcome(.sequenceRefused(sent)):
      // The provider says that it has already seen the number of this request: the answer was lost,
      // and the request was sent again.
      budget.lostAnswers -= 1
      guard budget.lostAnswers > 0 else {
        throw WalletError(
          .serverUnreachable, "The provider's answers were lost on the way; try again later.")
      }
    case .outcome(.sequenceRefused(let current)):
      budget.sequenceMoves -= 1
      guard budget.sequenceMoves >= 0 else { throw Self.diverged }
      try continueSequence(after: current, refused: sent)
    case .outcome(.unknownWallet) where !record.isConfirmed:
      try undoRegistration(record)
      throw WalletError(
        .notRegistered, "The registration was not confirmed in time; set the PIN up again.")
    case .outcome(.unknownWallet): throw Self.diverged
    case .problem(.challengeRefused)
    where budget.mayRepeatRefused && budget.mayRenewChallenge:
      budget.mayRenewChallenge = false
    case .problem(let kind): throw InstructionClient.refusal(kind)
    case .outcome: throw WalletError(.serverRefused, "The provider's answer does not fit.")
    }
  }

  /// Continues the wallet's sequence numbers after the one that the provider signed when it refused
  /// `sent`. Throws and changes nothing if that is no answer to the number of this wallet.
  func continueSequence(after current: UInt64, refused sent: UInt64) throws(WalletError) {
    guard current == sent || SequenceNumber.mayContinue(after: current, refused: sent) else {
      throw Self.diverged
    }
    try store.transaction(label: "instruction.continue-sequence") { transaction in
      let own = try AccountRecords.lastSequence(transaction, key: accountKey)
      guard current > own || current < sent else { return }
      try AccountRecords.setLastSequence(current, transaction, key: accountKey)
    }
  }

  private static var diverged: WalletError {
    WalletError(
      .accountDiverged,
      "The provider no longer accepts this copy of the wallet: it was restored from an older image, "
        + "or the account was deleted. Wipe to start over.")
  }
}
