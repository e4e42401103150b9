public import WalletCrypto
public import WalletModel
public import WalletProtocol
internal import WalletStorage

/// The result of a PIN check.
public struct PinCheckResult {
  public let check: PinCheck
  /// The vault key; only with `.valid`, and if the caller asked for it.
  public fileprivate(set) var vaultKey: Secret?
  /// Whether this attempt was counted. If so, a block is its effect; otherwise the block was already
  /// running.
  public let wasCounted: Bool
  /// Wrong PINs that the owner has not been told of; only with `.valid`. Whoever tells them calls
  /// `Account.noteTold`.
  public fileprivate(set) var failures: PinFailures?
  /// The PIN, if its key has to be derived anew with more work; only with `.valid`.
  public fileprivate(set) var weakPin: WeakPin?
}

extension Account {
  /// Lets the provider check `pin`. A lost answer costs at most the one attempt that the user made.
  ///
  /// - Parameters:
  ///   - opensVault: Whether to return the vault key if the PIN is right.
  ///   - requireAllowed: Called right before the PIN is sent; throws to send nothing.
  public func checkPin(
    _ pin: Pin, opensVault: Bool, if requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) -> PinCheckResult {
    try translating {
      let (record, salt, stretched) = try stretch(pin)
      let recipient = try SealedBox.Recipient()
      let (outcome, secrets) = try attempt(
        .checkPin, stretched, record, if: requireAllowed
      ) { _ in try PinMessage.payload(shareRecipient: recipient.publicKey) }
      var result = PinCheckResult(
        check: try Self.check(outcome), wasCounted: Self.isCountedBlock(outcome))
      if case .valid(let share, let failures, _) = outcome, let secrets {
        result.failures = try untold(failures)
        if opensVault {
          result.vaultKey = try vaultKey(under: try recipient.openShare(share), secrets, record)
        }
        let required = requiredParameters(for: record)
        if required != record.parameters || hasReplacedGrantKey(record) {
          result.weakPin = WeakPin(
            pin: pin, stretched: stretched, salt: salt, requiredParameters: required)
        }
      }
      return result
    }
  }

  /// Lets the provider check `pin` and, if it is right, carry out the owner's decision on another
  /// wallet that waits to take the place of this one. A replacement that has ended meanwhile leaves
  /// nothing to decide; a repeated decision has no further effect.
  ///
  /// - Parameters:
  ///   - session: The id of the replacement.
  ///   - requireAllowed: Called right before the PIN is sent; throws to send nothing.
  public func decideReplacement(
    _ decision: ReplacementDecision, on session: String, _ pin: Pin,
    requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) -> PinCheckResult {
    try translating {
      let (record, _, stretched) = try stretch(pin)
      let recipient = try SealedBox.Recipient()
      let (outcome, _) = try attempt(
        .decideReplacement, stretched, record, if: requireAllowed
      ) { _ in
        try PinMessage.payload(
          shareRecipient: recipient.publicKey, session: session, decision: decision)
      }
      return PinCheckResult(
        check: try Self.check(outcome), wasCounted: Self.isCountedBlock(outcome))
    }
  }

  /// Returns the provider's outcome for a PIN as a `PinCheck`.
  static func check(_ outcome: InstructionOutcome) throws(WalletError) -> PinCheck {
    switch outcome {
    case .valid, .authorized: .valid
    case .wrong(let attemptsLeft, let finalRound):
      .wrong(attemptsLeft: attemptsLeft, finalRound: finalRound)
    case .blocked(let milliseconds, _): .blocked(milliseconds: milliseconds)
    case .blockedPermanently: .blockedPermanently
    default: throw WalletError(.serverRefused, "The provider's answer does not fit a PIN check.")
    }
  }

  static func isCountedBlock(_ outcome: InstructionOutcome) -> Bool {
    switch outcome {
    case .blocked(_, let counted), .blockedPermanently(let counted): counted
    default: false
    }
  }

  /// Stretches the PIN of a registered wallet.
  func stretch(
    _ pin: Pin
  ) throws -> (record: RegistrationRecord, salt: Secret, stretched: StretchedPin) {
    // Checked before the costly key derivation, since the request may have been cancelled while it
    // waited.
    try requireNotCancelled()
    let record = try confirmedRegistration()
    let salt = try pinSalt()
    return (record, salt, try deriving { try record.stretched(pin, salt: salt) })
  }

  /// Performs an instruction that is an attempt at the PIN.
  ///
  /// - Parameters:
  ///   - newBlinded: The blinded new PIN; only for `begin_pin_change`.
  ///   - completesAttempt: As for `perform`.
  ///   - payload: Returns the JSON of the inner payload.
  /// - Returns: What the PIN became, unless no attempt was allowed.
  func attempt(
    _ name: InstructionName, _ pin: StretchedPin, _ record: RegistrationRecord,
    newBlinded: BlindedPin? = nil, completesAttempt: Bool = false,
    if requireAllowed: () throws(WalletError) -> Void,
    payload: (Given) throws -> Secret
  ) throws -> (InstructionOutcome, PinSecrets?) {
    guard let pinKey = record.pinKey else {
      throw WalletError(.notRegistered, "There is no wallet yet: register first.")
    }
    let client = client(try hardwareKey(of: record))
    let blinded = try pin.blinded()
    var secrets: PinSecrets?
    let outcome = try perform(
      name, record, blinded: blinded, completesAttempt: completesAttempt, if: requireAllowed
    ) { given in
      guard let evaluation = given.evaluation else {
        throw WalletError(.serverRefused, "The provider's answer has no evaluation of the PIN.")
      }
      let evaluated = try pinKey.secrets(of: blinded, evaluation)
      secrets = evaluated
      return try client.preparePin(
        name, wallet: given.wallet, payload: try payload(given), challenge: given.challenge,
        sequence: given.sequence, pinKey: evaluated.key,
        evaluation: EvaluationReference(
          id: evaluation.evaluator.evaluation, blinded: blinded.element),
        newBlinded: newBlinded?.element)
    }
    return (outcome, secrets)
  }

  /// Whether the evaluator has replaced the key that granted the PIN key.
  private func hasReplacedGrantKey(_ record: RegistrationRecord) -> Bool {
    guard let current = configuration.evaluatorKeys.first else { return false }
    return record.pinKey?.grantKey != current.id
  }

  func vaultKey(
    under share: Secret, _ secrets: PinSecrets, _ record: RegistrationRecord
  ) throws -> Secret {
    let wrapped = try store.read { try $0.keyring(AccountRecords.vaultUnderPin) }
    guard let wrapped else {
      throw WalletError(.storageCorrupt, "The stored vault key is missing; wipe to start over.")
    }
    do {
      return try VaultKey.open(
        wrapped, under: secrets.wrappingKey(with: share), purpose: .pin,
        walletID: record.walletID ?? "")
    } catch CryptoError.notAuthentic {
      throw WalletError(
        .storageCorrupt, "The stored vault key does not open; wipe to start over.")
    }
  }
}
