public import WalletModel
public import WalletPlatform
internal import WalletProtocol
internal import WalletStorage
internal import WalletTransport

extension Account {
  /// Tells the provider that the certificate is on disk, which ends the time in which a repeated
  /// registration could replace the PIN. Does nothing where it was told before.
  public func confirmRegistration() throws(WalletError) {
    try translating { _ = try confirmedRegistration() }
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

  func confirmedRegistration() throws -> RegistrationRecord {
    guard var record = try storedRegistration(), record.certificate != nil else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    guard !record.isConfirmed else { return record }
    guard try performPlain(.confirmRegistration, record) == .confirmed else {
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

  /// An instruction that the hardware key alone signs, its payload for everyone to read.
  func performPlain(
    _ name: InstructionName, _ record: RegistrationRecord,
    payload: some Encodable = EmptyPayload(), timeout: Milliseconds? = nil
  ) throws -> InstructionOutcome {
    let client = client(try hardwareKey(of: record))
    let payload = try WireJSON.encode(payload)
    return try perform(name, record, timeout: timeout) { wallet, challenge, sequence in
      try client.prepare(
        name, wallet: wallet, payload: payload, challenge: challenge, sequence: sequence)
    }
  }

  /// Fetches a challenge and sends the instruction that `prepare` signs over it.
  ///
  /// A signed refusal of the sequence number moves the wallet's own number forward, once; a challenge
  /// that expired (while the device slept, say) is fetched anew, once.
  func perform(
    _ name: InstructionName, _ record: RegistrationRecord, timeout: Milliseconds? = nil,
    prepare: (_ wallet: String, _ challenge: String, _ sequence: UInt64) throws
      -> InstructionClient.Prepared
  ) throws -> InstructionOutcome {
    guard let wallet = record.walletID else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    let client = client(try hardwareKey(of: record))
    var patience = Patience(name)
    while true {
      try requireNotCancelled()
      let asked = world.clock.now()
      // Spent on disk before they are signed, both in one write; gaps are normal.
      let sequence = try store.transaction(label: "instruction.sequence") { transaction in
        try AccountRecords.reserveSequence(2, transaction, key: accountKey)
      }
      let challengeRequest = try client.prepare(
        .challenge, wallet: wallet,
        payload: try WireJSON.encode(ChallengePayload(instruction: name)), challenge: nil,
        sequence: sequence)
      let first = try client.exchange(
        challengeRequest, cancellation: cancellation, timeout: timeout)
      guard case .outcome(.challenge(let challenge, let life)) = first else {
        try moveOn(first, record, sent: sequence, &patience)
        continue
      }
      let request = try prepare(wallet, challenge, sequence + 1)
      // Nothing was sent over it yet, so another one is free of charge.
      if patience.mayRenewChallenge,
        world.clock.now() &- asked >= Milliseconds(clamping: life)
      {
        patience.mayRenewChallenge = false
        continue
      }
      try requireNotCancelled()
      world.passCrashPoint("instruction.before-request")
      let second = try client.exchange(request, cancellation: abort, timeout: timeout)
      world.passCrashPoint("instruction.after-answer")
      switch second {
      case .problem(.instructionRefused) where mayRepeat(request, &patience): continue
      case .outcome(.sequenceRefused), .outcome(.unknownWallet), .problem:
        try moveOn(second, record, sent: sequence + 1, &patience)
      case .outcome(let outcome): return outcome
      }
    }
  }

  /// What one request still tries again.
  private struct Patience {
    var mayMoveForward = true
    var mayRenewChallenge = true
    var mayChangeEncryptionKey = true
    var lostAnswers = 3
    /// Nobody signs that a challenge was refused: the PIN may have been judged and the answer lost
    /// or kept back. Only the user may try it again.
    let mayRepeatRefused: Bool

    init(_ name: InstructionName) {
      mayRepeatRefused = name != .checkPin && name != .preparePinChange
    }
  }

  /// Whether `request`, which the provider refused, was sealed to a key that it has retired, and may
  /// be made anew for the present one.
  private func mayRepeat(
    _ request: InstructionClient.Prepared, _ patience: inout Patience
  ) -> Bool {
    guard patience.mayChangeEncryptionKey,
      configurations.movesOn(fromEncryptionKey: request.claims.encryptionKey, cancellation: abort)
    else { return false }
    patience.mayChangeEncryptionKey = false
    return patience.mayRepeatRefused
  }

  /// Decides whether another round may help; throws where it does not.
  ///
  /// - Parameter sent: The sequence number that `answer` is about.
  private func moveOn(
    _ answer: InstructionClient.Answer, _ record: RegistrationRecord, sent: UInt64,
    _ patience: inout Patience
  ) throws {
    switch answer {
    case .outcome(.sequenceRefused(sent)):
      // The provider has seen this very request before: its answer was lost and we sent it again.
      patience.lostAnswers -= 1
      guard patience.lostAnswers > 0 else {
        throw WalletError(.serverUnreachable, "The provider's answers are lost on the way.")
      }
    case .outcome(.sequenceRefused(let current)):
      guard patience.mayMoveForward, current > sent, current < 1 << 53 else { throw Self.diverged }
      patience.mayMoveForward = false
      try moveForward(to: current)
    case .outcome(.unknownWallet) where !record.isConfirmed:
      try takeBack(record)
      throw WalletError(
        .notRegistered, "The registration was not confirmed in time; set the PIN up again.")
    case .outcome(.unknownWallet): throw Self.diverged
    case .problem(.challengeRefused)
    where patience.mayRepeatRefused && patience.mayRenewChallenge:
      patience.mayRenewChallenge = false
    case .problem(let kind): throw InstructionClient.refusal(kind)
    case .outcome: throw WalletError(.serverRefused, "The provider's answer does not fit.")
    }
  }

  /// Takes the provider's signed word for how far the sequence numbers are.
  func moveForward(to current: UInt64) throws(WalletError) {
    try store.transaction(label: "instruction.move-forward") { transaction in
      let own = try AccountRecords.lastSequence(transaction, key: accountKey)
      try AccountRecords.setLastSequence(max(own, current), transaction, key: accountKey)
    }
  }

  private static var diverged: WalletError {
    WalletError(
      .accountDiverged,
      "The provider no longer accepts this copy of the wallet: it was restored from an older image, "
        + "or the account was deleted. Wipe to start over.")
  }
}
