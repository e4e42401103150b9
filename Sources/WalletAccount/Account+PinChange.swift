public import WalletCrypto
public import WalletModel
internal import WalletPlatform
internal import WalletProtocol
public import WalletStorage

// The PIN is changed in two phases: preparation and commit. At any moment the wallet works with
// exactly one PIN and the provider accepts that PIN, even if the process is killed or an answer is
// lost. Until the answer to the preparation is on disk, this PIN is the former one; from then on,
// it is the new one.
extension Account {
  /// Returns whether the provider still has to be told how a change of the PIN ended; needs no key.
  public static func hasOpenPinChange(in store: SealedStore) throws(WalletError) -> Bool {
    try store.read { try PinChangeRecord.isOpen($0) }
  }

  /// Changes the PIN from `pin` to `newPin`, which fits the policy. `pin` is checked, and counted,
  /// as in `checkPin`.
  ///
  /// - Parameter requireAllowed: Called before anything is sent that may change the PIN. If it
  ///   throws, the change ends with that error, and `pin` stays in force.
  public func changePin(
    _ pin: Pin, to newPin: Pin, if requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) -> PinCheck {
    try translating {
      try requireNotCancelled()
      // An earlier change must have ended at the provider first: if it awaits its commit, preparing
      // this one would invalidate the PIN that the wallet already uses.
      try settlePinChange()
      let record = try confirmedRegistration()
      let parameters = requiredParameters(for: record)
      let salt = try pinSalt()
      let change = try deriving {
        try PinKeyChange(
          from: record.stretched(pin, salt: salt), salt: salt, to: newPin, parameters: parameters)
      }
      return try carryOut(change, requireAllowed)
    }
  }

  /// Puts the new key of `change` in force, unless the former key has been replaced meanwhile.
  ///
  /// Nobody has entered a PIN for it. So once its attempt was counted, the attempt is completed,
  /// which shows the provider that it was right: otherwise the owner would be told of a wrong PIN.
  /// A lock and a cancellation count before and after that.
  ///
  /// - Parameter requireAllowed: As for `changePin`.
  public func changePinKey(
    _ change: PinKeyChange, if requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) {
    try translating {
      try settlePinChange()
      _ = try confirmedRegistration()
      guard try pinSalt().isEqual(to: change.formerSalt) else { return }
      _ = try carryOut(change, completesAttempt: true, requireAllowed)
    }
  }

  /// Ends, at the provider too, an earlier change of the PIN whose end the provider has not
  /// confirmed. If the wallet already uses the new PIN, the change is committed. If the preparation
  /// is not known to have succeeded, the change is cancelled. Does nothing if there is no such
  /// change.
  public func settlePinChange() throws(WalletError) {
    try translating {
      guard let change = try store.read({ try PinChangeRecord.load($0, key: accountKey) }),
        let record = try storedRegistration(), record.certificate != nil
      else { return }
      let reference = PinChangeReference(change: change.change)
      switch change.phase {
      case .preparing:
        switch try performPlain(.cancelPinChange, record, payload: reference) {
        case .pinChangeCancelled: try close(change, adopting: false)
        // This answer is possible only if the storage was restored to a state before the commit.
        case .pinChangeCommitted: try close(change, adopting: true)
        default: throw Self.unfitting
        }
      case .committing:
        switch try performPlain(.commitPinChange, record, payload: reference) {
        case .pinChangeCommitted: break
        case .unknownPinChange:
          log(.warning, "account", "The provider does not know the change of the PIN any more.")
        default: throw Self.unfitting
        }
        try close(change, adopting: false)
      }
    }
  }

  /// Returns the parameters for a new key: those of the configuration, but never weaker than those
  /// of the key in force.
  func requiredParameters(for record: RegistrationRecord) -> PinKey.Parameters {
    record.parameters.raised(
      to: PinKey.Parameters(
        passes: configuration.pinKeyPasses, memoryBytes: configuration.pinKeyMemoryBytes))
  }

  private func carryOut(
    _ keys: PinKeyChange, completesAttempt: Bool = false,
    _ requireAllowed: () throws(WalletError) -> Void
  ) throws -> PinCheck {
    let record = try confirmedRegistration()
    let id = Base64URL.encode(Random.bytes(PinChangeReference.idLength))
    let recipient = try SealedBox.Recipient()
    let blinded = try keys.new.blinded()
    try requireNotCancelled()
    let (outcome, former) = try (completesAttempt ? withoutCancellation : self).attempt(
      .beginPinChange, keys.former, record, newBlinded: blinded,
      completesAttempt: completesAttempt, if: requireAllowed
    ) { _ in try PinMessage.payload(shareRecipient: recipient.publicKey, change: id) }
    let check = try Self.check(outcome)
    guard case .valid(let share, _, let evaluation) = outcome, let former else { return check }
    guard let evaluation else { throw Self.unfitting }
    // The attempt is complete. What follows needs the vault key, and may need the network.
    try requireAllowed()
    try requireNotCancelled()
    let hardwareKey = try hardwareKey(of: record)
    let client = client(hardwareKey)
    let pinKey = try PinKeyRecord(
      granted: evaluation, to: hardwareKey.subjectKey, replacing: record.pinKey, by: client,
      cancellation: abort)
    let new = try pinKey.secrets(of: blinded, evaluation)
    let opened = try recipient.openShare(share)
    let wrapped = try VaultKey.wrap(
      vaultKey(under: opened, former, record), under: new.wrappingKey(with: opened),
      purpose: .pin, walletID: record.walletID ?? "")
    let change = PinChangeRecord(
      change: id, passes: keys.parameters.passes, memoryBytes: keys.parameters.memoryBytes,
      pinKey: pinKey, phase: .preparing)
    try requireAllowed()
    try requireNotCancelled()
    try store.transaction(label: "pin-change.preparing") { transaction in
      try change.save(transaction, key: accountKey)
      try PinSalt.ofChange.save(keys.salt, transaction, key: accountKey)
      try transaction.setKeyring(AccountRecords.vaultUnderNewPin, wrapped)
    }
    let proof = EvaluationReference(
      id: evaluation.evaluator.evaluation, blinded: blinded.element)
    let prepared = try perform(.preparePinChange, record, if: requireAllowed) { given in
      try client.preparePin(
        .preparePinChange, wallet: given.wallet,
        payload: PinMessage.payload(
          shareRecipient: recipient.publicKey, change: id, newKey: new.key,
          audience: configuration.providerID, wallet: given.wallet, challenge: given.challenge,
          evaluation: proof),
        challenge: given.challenge, sequence: given.sequence, pinKey: former.key,
        newKey: new.key)
    }
    guard case .valid = prepared else { throw Self.unfitting }
    try commit(change)
    return check
  }

  /// Makes the new PIN the one that the wallet uses.
  private func commit(_ change: PinChangeRecord) throws {
    var committing = change
    committing.phase = .committing
    try store.transaction(label: "pin-change.committing") { [committing] transaction in
      try adopt(committing, transaction)
      try committing.save(transaction, key: accountKey)
    }
  }

  /// Forgets a change that has ended.
  private func close(_ change: PinChangeRecord, adopting: Bool) throws {
    try store.transaction(label: "pin-change.closed") { transaction in
      if adopting { try adopt(change, transaction) }
      try PinChangeRecord.delete(transaction)
    }
  }

  private func adopt(_ change: PinChangeRecord, _ transaction: SealedStore.Transaction) throws {
    guard var record = try AccountRecords.load(transaction, key: accountKey) else { return }
    record.adopt(change)
    try AccountRecords.save(record, transaction, key: accountKey)
    let salt = try PinSalt.ofChange.load(transaction, key: accountKey)
    try PinSalt.inForce.save(salt, transaction, key: accountKey)
    guard let wrapped = try transaction.keyring(AccountRecords.vaultUnderNewPin) else {
      throw WalletError(.storageCorrupt, "The stored vault key is missing; wipe to start over.")
    }
    try transaction.setKeyring(AccountRecords.vaultUnderPin, wrapped)
  }

  private static var unfitting: WalletError {
    WalletError(.serverRefused, "The provider's answer does not fit a change of the PIN.")
  }
}
