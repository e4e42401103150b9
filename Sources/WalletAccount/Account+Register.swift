public import WalletCrypto
public import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage
internal import WalletTransport

extension Account {
  /// Registers the wallet with `pin`, stores the certificate and returns the new vault key.
  ///
  /// All ids are on disk before the request is sent, so a lost answer, a kill or another PIN at the
  /// next try leads to the same account. `pin` fits the policy.
  ///
  /// - Parameter requireAllowed: Called right before `pin` is sent; throws to send nothing.
  public func register(
    _ pin: Pin, if requireAllowed: () throws(WalletError) -> Void
  ) throws(WalletError) -> Secret {
    guard try !Self.isRegistered(in: store) else {
      throw WalletError(
        .alreadyRegistered, "There is a wallet already: unlock it, or wipe it first.")
    }
    return try translating {
      var sequenceMoves = 2
      var mayChangeKey = true
      var mayChangeEncryptionKey = true
      while true {
        do {
          return try attemptRegistration(pin, requireAllowed)
        } catch RegistrationObstacle.sequenceRefused(let sent, let current)
          where sequenceMoves > 0
        {
          sequenceMoves -= 1
          try continueSequence(after: current, refused: sent)
        } catch RegistrationObstacle.keyTaken where mayChangeKey {
          // The hardware key belongs to a wallet that this storage has lost (a restored older
          // image), so start over with a new key.
          mayChangeKey = false
          try forgetHardwareKey()
        } catch RegistrationObstacle.encryptionKeyRetired where mayChangeEncryptionKey {
          mayChangeEncryptionKey = false
        } catch is RegistrationObstacle {
          throw WalletError(
            .serverRefused, "The provider refuses every registration of this device.")
        }
      }
    }
  }

  /// Why a registration cannot succeed unchanged: a signed answer of the provider says so, or its
  /// encryption key was retired.
  private enum RegistrationObstacle: Error {
    case keyTaken
    case sequenceRefused(sent: UInt64, current: UInt64)
    case encryptionKeyRetired
  }

  private func attemptRegistration(
    _ pin: Pin, _ requireAllowed: () throws(WalletError) -> Void
  ) throws -> Secret {
    try requireNotCancelled()
    let salt = try Secret.random(count: PinKey.saltLength)
    let record = try prepareRecord()
    try store.notePlatformKey(record.keyIdentifier)
    let hardwareKey = try HardwareKey.fetch(
      identifier: record.keyIdentifier, platform: platform, cancellation: cancellation)
    let stretched = try deriving { try record.stretched(pin, salt: salt) }
    let recipient = try SealedBox.Recipient()
    let client = client(hardwareKey)
    let sequence = try store.transaction(label: "register.sequence") { transaction in
      try AccountRecords.reserveSequence(2, transaction, key: accountKey)
    }
    let blinded = try stretched.blinded()
    let opened = try open(
      record, blinded: blinded, sequence: sequence, client, if: requireAllowed)
    let pinKey = try PinKeyRecord(
      granted: opened.evaluation, to: hardwareKey.subjectKey, by: client, cancellation: abort)
    let secrets = try pinKey.secrets(of: blinded, opened.evaluation)
    let attestation = try attestation(of: hardwareKey, challenge: opened.challenge)
    let request = try client.preparePin(
      .register, wallet: record.registrationID,
      payload: PinMessage.payload(
        shareRecipient: recipient.publicKey, attestation: attestation,
        registrationState: opened.state),
      challenge: opened.challenge, sequence: sequence + 1, pinKey: secrets.key,
      evaluation: EvaluationReference(
        id: opened.evaluation.evaluator.evaluation, blinded: blinded.element))
    try requireNotCancelled()
    try requireAllowed()
    environment.passCrashPoint("register.before-request")
    let answer = try client.exchange(request, cancellation: abort)
    environment.passCrashPoint("register.after-answer")
    switch answer {
    case .outcome(.registered(let certificate, let share, let receipt)):
      try pinKey.requireAdoption(receipt, of: request.claims.pinKeyCommitment)
      return try complete(
        record, salt: salt, hardwareKey: hardwareKey, certificate: certificate, pinKey: pinKey,
        wrappingKey: try secrets.wrappingKey(with: try recipient.openShare(share)))
    case .outcome(.alreadyRegistered): throw RegistrationObstacle.keyTaken
    case .outcome(.sequenceRefused(let current)):
      throw RegistrationObstacle.sequenceRefused(sent: sequence + 1, current: current)
    case .outcome:
      throw WalletError(.serverRefused, "The provider's answer does not fit a registration.")
    case .problem(.instructionRefused)
    where configurations.hasOtherEncryptionKey(
      than: request.claims.encryptionKey, cancellation: abort):
      throw RegistrationObstacle.encryptionKeyRetired
    case .problem(let kind): throw InstructionClient.refusal(kind)
    }
  }

  /// Stores ids and parameters before anything is sent. The ids of an interrupted attempt are kept.
  ///
  /// The salt is not stored before the evaluator has adopted the PIN key. Until then somebody with
  /// the hardware key could have a key of his own adopted, and try PINs with the salt and what a
  /// provider has kept of the attempt.
  private func prepareRecord() throws(WalletError) -> RegistrationRecord {
    let parameters = PinKey.Parameters(
      passes: configuration.pinKeyPasses, memoryBytes: configuration.pinKeyMemoryBytes)
    return try store.transaction(label: "register.prepare") { transaction in
      let earlier = try AccountRecords.load(transaction, key: accountKey)
      // The marker says that there is no wallet, and is not sealed. A wallet is never overwritten.
      guard earlier?.certificate == nil else {
        throw WalletError(
          .storageCorrupt,
          "The storage has a wallet that is not marked as registered; nothing was changed. Wipe to "
            + "start over.")
      }
      let record = RegistrationRecord(
        registrationID: earlier?.registrationID ?? Base64URL.encode(Random.bytes(16)),
        keyIdentifier: earlier?.keyIdentifier ?? Self.newKeyIdentifier("signing"),
        passes: parameters.passes, memoryBytes: parameters.memoryBytes, isConfirmed: false)
      try AccountRecords.save(record, transaction, key: accountKey)
      try PinSalt.inForce.delete(transaction)
      try transaction.setKeyring(
        AccountRecords.signingKeyIdentifier, Array(record.keyIdentifier.utf8))
      return record
    }
  }

  /// Returns a random identifier for a platform key, "wallet_core.<purpose>.<lower-case
  /// hexadecimal>", in a form that every key store accepts.
  public static func newKeyIdentifier(_ purpose: String) -> String {
    keyIdentifierPrefix(purpose)
      + Random.bytes(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  static func keyIdentifierPrefix(_ purpose: String) -> String { "wallet_core.\(purpose)." }

  /// What the provider gave to begin a registration.
  private struct Opened {
    var challenge: String
    var evaluation: PinEvaluation
    /// Goes back to the provider unchanged.
    var state: String
  }

  /// Fetches the challenge of a registration, with the evaluation of the blinded PIN.
  private func open(
    _ record: RegistrationRecord, blinded: BlindedPin, sequence: UInt64,
    _ client: InstructionClient, if requireAllowed: () throws(WalletError) -> Void
  ) throws -> Opened {
    let request = try client.prepare(
      .challenge, wallet: record.registrationID,
      payload: try WireJSON.encode(
        ChallengePayload(instruction: .register, blinded: Base64URL.encode(blinded.element))),
      challenge: nil, sequence: sequence, opensRegistration: true)
    try requireNotCancelled()
    try requireAllowed()
    switch try client.exchange(request, cancellation: cancellation) {
    case .outcome(.challenge(let challenge, _, let evaluation?, let state?))
    where Base64URL.decode(challenge)?.count == 32:
      return Opened(challenge: challenge, evaluation: evaluation, state: state)
    case .outcome:
      throw WalletError(.serverRefused, "The provider's answer does not fit a registration.")
    case .problem(let kind): throw InstructionClient.refusal(kind)
    }
  }

  private func attestation(
    of key: HardwareKey, challenge: String
  ) throws(WalletError) -> String? {
    do {
      let answer = try platform.perform(
        .attest(identifier: key.identifier, challenge: Base64URL.decode(challenge) ?? []),
        cancellation: cancellation)
      return Base64URL.encode(answer.disclosed())
    } catch .missing {
      return nil
    } catch { throw error.walletError("attest the signing key") }
  }

  /// Checks the certificate and stores it with salt and wrapped vault key in one transaction.
  private func complete(
    _ record: RegistrationRecord, salt: Secret, hardwareKey: HardwareKey, certificate: String,
    pinKey: PinKeyRecord, wrappingKey: Secret
  ) throws -> Secret {
    let claims = try client(hardwareKey).verified(
      CertificateClaims.self, certificate, type: .certificate, keys: \.certificateKeys,
      cancellation: abort)
    guard claims.version == wireVersion, claims.issuer == configuration.providerID,
      claims.registration == record.registrationID,
      claims.hardwareKeyHash == Base64URL.encode(Hash.sha256(hardwareKey.subjectKey.der)),
      !claims.wallet.isEmpty, claims.wallet.utf8.count <= 128
    else {
      throw WalletError(
        .serverRefused, "The provider's certificate is for another registration; it was ignored.")
    }
    let vaultKey = try VaultKey.make()
    let wrapped = try VaultKey.wrap(
      vaultKey, under: wrappingKey, purpose: .pin, walletID: claims.wallet)
    var complete = record
    complete.hardwareKey = Base64URL.encode(hardwareKey.subjectKey.der)
    complete.walletID = claims.wallet
    complete.certificate = certificate
    complete.pinKey = pinKey
    try store.transaction(label: "register.complete") { transaction in
      try AccountRecords.save(complete, transaction, key: accountKey)
      try PinSalt.inForce.save(salt, transaction, key: accountKey)
      try transaction.setKeyring(AccountRecords.vaultUnderPin, wrapped)
      try transaction.deleteAccount(AccountRecords.failures)
      try transaction.setMarker(AccountRecords.registeredMarker, 1)
      try AccountRecords.deletePinBlock(transaction)
    }
    return vaultKey
  }

  private func forgetHardwareKey() throws {
    guard let record = try storedRegistration() else { return }
    _ = try? platform.perform(
      .deleteSigningKey(identifier: record.keyIdentifier), cancellation: cancellation)
    try store.transaction(label: "register.forget") { transaction in
      try transaction.deleteAccount(AccountRecords.registration)
      try PinSalt.inForce.delete(transaction)
      try transaction.deleteAccount(AccountRecords.sequence)
      try transaction.deleteKeyring(AccountRecords.vaultUnderPin)
      try transaction.deleteKeyring(AccountRecords.signingKeyIdentifier)
      try transaction.setMarker(AccountRecords.registeredMarker, 0)
      try transaction.setMarker(AccountRecords.confirmedMarker, 0)
    }
  }

  /// Undoes a registration that expired at the provider. The next one reuses its ids and hardware
  /// key, so that no key is left behind.
  func undoRegistration(_ lapsed: RegistrationRecord) throws(WalletError) {
    var record = lapsed
    record.hardwareKey = nil
    record.walletID = nil
    record.certificate = nil
    record.pinKey = nil
    let prepared = record
    try store.transaction(label: "register.lapsed") { transaction in
      try AccountRecords.save(prepared, transaction, key: accountKey)
      try PinSalt.inForce.delete(transaction)
      try transaction.deleteKeyring(AccountRecords.vaultUnderPin)
      // Biometrics may have been enabled before the confirmation; their platform key stays noted.
      try AccountRecords.deleteBiometrics(transaction)
      try AccountRecords.deletePinBlock(transaction)
      try transaction.setMarker(AccountRecords.registeredMarker, 0)
      try transaction.setMarker(AccountRecords.confirmedMarker, 0)
    }
  }
}
