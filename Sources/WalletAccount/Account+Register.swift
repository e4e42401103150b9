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
    let record = try prepareRecord(salt: salt)
    try store.notePlatformKey(record.keyIdentifier)
    let hardwareKey = try HardwareKey.fetch(
      identifier: record.keyIdentifier, platform: platform, cancellation: cancellation)
    let pinKey = try deriving { try record.pinKey(of: pin, salt: salt) }
    let recipient = try SealedBox.Recipient()
    let challenge = try enrolmentChallenge()
    let attestation = try attestation(of: hardwareKey, challenge: challenge)
    let sequence = try store.transaction(label: "register.sequence") { transaction in
      try AccountRecords.reserveSequence(1, transaction, key: accountKey)
    }
    let client = client(hardwareKey)
    let request = try client.preparePin(
      .register, wallet: record.registrationID,
      payload: PinMessage.payload(
        shareRecipient: recipient.publicKey, attestation: attestation),
      challenge: challenge, sequence: sequence, pinKey: pinKey)
    try requireNotCancelled()
    try requireAllowed()
    environment.passCrashPoint("register.before-request")
    let answer = try client.exchange(request, cancellation: abort)
    environment.passCrashPoint("register.after-answer")
    switch answer {
    case .outcome(.registered(let certificate, let share)):
      return try complete(
        record, hardwareKey: hardwareKey, certificate: certificate,
        share: try recipient.openShare(share))
    case .outcome(.alreadyRegistered): throw RegistrationObstacle.keyTaken
    case .outcome(.sequenceRefused(let current)):
      throw RegistrationObstacle.sequenceRefused(sent: sequence, current: current)
    case .outcome:
      throw WalletError(.serverRefused, "The provider's answer does not fit a registration.")
    case .problem(.instructionRefused)
    where configurations.hasOtherEncryptionKey(
      than: request.claims.encryptionKey, cancellation: abort):
      throw RegistrationObstacle.encryptionKeyRetired
    case .problem(let kind): throw InstructionClient.refusal(kind)
    }
  }

  /// Stores ids, salt and parameters before anything is sent. The ids of an interrupted attempt are
  /// kept, the salt is new.
  private func prepareRecord(salt: Secret) throws(WalletError) -> RegistrationRecord {
    let parameters = PinKey.Parameters(
      passes: configuration.pinKeyPasses, memoryBytes: configuration.pinKeyMemoryBytes)
    return try store.transaction(label: "register.prepare") { transaction in
      let earlier = try AccountRecords.load(transaction, key: accountKey)
      let record = RegistrationRecord(
        registrationID: earlier?.registrationID ?? Base64URL.encode(Random.bytes(16)),
        keyIdentifier: earlier?.keyIdentifier ?? Self.newKeyIdentifier("signing"),
        passes: parameters.passes, memoryBytes: parameters.memoryBytes, isConfirmed: false)
      try AccountRecords.save(record, transaction, key: accountKey)
      try PinSalt.inForce.save(salt, transaction, key: accountKey)
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

  private func enrolmentChallenge() throws(WalletError) -> String {
    let response = try transport.send(
      HTTPRequest(.post, Route.enrolmentChallenge), cancellation: cancellation)
    guard response.status == 200 else {
      throw InstructionClient.refusal(try InstructionClient.problem(in: response))
    }
    guard let answer = try? WireJSON.decode(EnrolmentChallenge.self, from: response.body),
      Base64URL.decode(answer.challenge)?.count == 32
    else { throw WalletError(.serverRefused, "The provider's enrolment challenge is unreadable.") }
    return answer.challenge
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

  /// Checks the certificate and stores it with the wrapped vault key in one transaction.
  private func complete(
    _ record: RegistrationRecord, hardwareKey: HardwareKey, certificate: String, share: Secret
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
      vaultKey, under: share, purpose: .share, walletID: claims.wallet)
    var complete = record
    complete.hardwareKey = Base64URL.encode(hardwareKey.subjectKey.der)
    complete.walletID = claims.wallet
    complete.certificate = certificate
    try store.transaction(label: "register.complete") { transaction in
      try AccountRecords.save(complete, transaction, key: accountKey)
      try transaction.setKeyring(AccountRecords.vaultUnderShare, wrapped)
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
      try transaction.deleteKeyring(AccountRecords.vaultUnderShare)
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
    let prepared = record
    try store.transaction(label: "register.lapsed") { transaction in
      try AccountRecords.save(prepared, transaction, key: accountKey)
      try transaction.deleteKeyring(AccountRecords.vaultUnderShare)
      // Biometrics may have been enabled before the confirmation; their platform key stays noted.
      try AccountRecords.deleteBiometrics(transaction)
      try AccountRecords.deletePinBlock(transaction)
      try transaction.setMarker(AccountRecords.registeredMarker, 0)
      try transaction.setMarker(AccountRecords.confirmedMarker, 0)
    }
  }
}
