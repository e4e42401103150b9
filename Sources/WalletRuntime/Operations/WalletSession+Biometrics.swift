internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

extension Biometrics {
  /// Reads the reply of a bridge; nil if there are no biometrics or the reply is malformed.
  init?(reply: [UInt8]) {
    guard reply.count == 1 else { return nil }
    switch reply[0] {
    case 0: return nil
    case 2: self = .fingerprint
    case 3: self = .face
    // A code that is not known yet still means that there are biometrics.
    default: self = .any
    }
  }
}

extension WalletSession {
  /// The most bytes by which a ciphertext may be longer than its plaintext.
  private static let longestOverhead = 1024

  /// The biometrics that the platform offers; nil if it has none or does not answer.
  func availableBiometrics(_ job: JobQueue.Job) -> Biometrics? {
    let answer = try? context.platform.perform(
      .biometricsAvailable, cancellation: job.cancellation)
    return Biometrics(reply: answer?.disclosed() ?? [])
  }

  /// Asks for biometrics and seals a new secret that opens the vault of the unlocked wallet. The
  /// new secret takes effect only with `enableBiometrics`. A secret that was sealed earlier and is
  /// not in force is discarded.
  func sealBiometricSecret(
    _ job: JobQueue.Job
  ) throws(BiometricFailure) -> SealedBiometricSecret {
    do {
      let account = try account(job, creating: false)
      guard !context.lock.current.value.isLocked else { throw Self.locked }
      // A job that was cancelled must not note a key that will never be made.
      if job.cancellation.isCancelled { throw BiometricFailure.cancelled(byUser: false) }
      let wrapping = try account.biometricWrapping()
      deleteUnusedBiometricKeys(job)
      guard let secret = try? Secret.random(count: BiometricWrapping.secretLength) else {
        throw WalletError(.outOfResources, "Not enough memory for guarded memory.")
      }
      let identifier = PlatformKeyKind.biometric.newIdentifier()
      try store?.notePlatformKey(identifier)
      context.environment.passCrashPoint("biometrics.noted")
      let ciphertext = try encrypt(secret, by: identifier, job)
      context.environment.passCrashPoint("biometrics.sealed")
      // The vault key is read only after the prompt, so that a lock during the prompt can wipe it.
      let wrapped = try context.lock.withVaultKey { vaultKey throws(WalletError) in
        try wrapping.wrap(vaultKey, under: secret)
      }
      guard let wrapped else {
        deleteBiometricKey(identifier, job)
        throw Self.locked
      }
      return SealedBiometricSecret(
        keyIdentifier: identifier, ciphertext: ciphertext, vaultKey: wrapped)
    } catch { throw BiometricFailure(error) }
  }

  /// Puts `sealed` in force in place of an earlier secret. If that fails, discards `sealed`. The
  /// caller must know that the user has just given a valid PIN.
  ///
  /// - Throws: What the gate throws; `biometricsFailed` if the platform key of `sealed` was deleted
  ///   meanwhile: by a wipe, because another secret was sealed, or because biometric unlock was
  ///   disabled.
  func enableBiometrics(
    with sealed: SealedBiometricSecret, _ job: JobQueue.Job
  ) throws(WalletError) {
    do throws(WalletError) {
      let account = try account(job, creating: false)
      // A secret whose platform key is to be deleted is not put in force, even if the platform
      // could not delete the key yet.
      guard try keyNotes()?.current.contains(sealed.keyIdentifier) == true else {
        throw BiometricFailure.unavailable(reason: "key_missing", isKeyGone: true).walletError
      }
      try admit(job)
      try account.enableBiometricUnlock(with: sealed)
    } catch {
      discard(sealed, job)
      throw error
    }
    context.storage.setBiometricUnlockEnabled(true)
    deleteUnusedBiometricKeys(job)
    guard job.gate.conditions.contains(.awaited), job.cancellation.isCancelled else { return }
    try disableBiometrics(job.uncancelled)
    throw WalletError(.cancelled, "Cancelled while biometric unlock was being enabled.")
  }

  /// Discards a sealed secret that will not be put in force.
  func discard(_ sealed: SealedBiometricSecret, _ job: JobQueue.Job) {
    deleteBiometricKey(sealed.keyIdentifier, job)
  }

  /// Asks for biometrics and opens the vault key. Does not unlock. Remembers whether the platform
  /// key is permanently gone.
  func openWithBiometrics(_ job: JobQueue.Job) -> Result<Secret, BiometricFailure> {
    let opened = openVault(job)
    switch opened {
    case .success: context.storage.isBiometricKeyLost = false
    case .failure(let failure):
      if failure.isKeyGone { context.storage.isBiometricKeyLost = true }
    }
    return opened
  }

  private func openVault(_ job: JobQueue.Job) -> Result<Secret, BiometricFailure> {
    do {
      let account = try account(job, creating: false)
      guard let store, let sealed = try Account.biometricSecret(in: store) else {
        throw WalletError(.biometricsNotEnabled, "Biometric unlock is not enabled.")
      }
      let wrapping = try account.biometricWrapping()
      let request = BridgeRequest.decrypt(
        identifier: sealed.keyIdentifier, protection: .biometric, ciphertext: sealed.ciphertext)
      let secret: Secret
      do {
        secret = try prompt(request, job)
      } catch {
        // The key may be gone only because biometric unlock was enabled anew, with another key.
        if error.isKeyGone { try requireInForce(sealed) }
        throw error
      }
      try requireInForce(sealed)
      guard let vaultKey = try wrapping.open(sealed, with: secret) else {
        // The PIN still opens the vault, so only biometric unlock is unusable.
        context.log(.warning, "biometrics", "What the platform decrypted does not open the vault.")
        return .failure(.unavailable(reason: "key_invalidated", isKeyGone: true))
      }
      return .success(vaultKey)
    } catch { return .failure(BiometricFailure(error)) }
  }

  /// Throws if biometric unlock was disabled or enabled anew on the other thread while the platform
  /// asked the user.
  private func requireInForce(_ sealed: SealedBiometricSecret) throws(WalletError) {
    guard let store, let current = try Account.biometricSecret(in: store) else {
      throw WalletError(.biometricsNotEnabled, "Biometric unlock is not enabled any more.")
    }
    guard current.keyIdentifier == sealed.keyIdentifier else {
      throw WalletError(
        .cancelled, "Biometric unlock was enabled anew while the platform asked; try again.")
    }
  }

  /// Disables biometric unlock, then deletes its platform key. Works while locked.
  ///
  /// - Throws: Also if only the platform key could not be deleted. Its identifier stays listed, and
  ///   the key is deleted later.
  func disableBiometrics(_ job: JobQueue.Job) throws(WalletError) {
    try admit(job)
    guard try disableStoredBiometricUnlock(job) else { return }
    if let failure = deleteBiometricKeys(try unusedBiometricKeys(), job) { throw failure }
  }

  /// Disables biometric unlock after its platform key was found to be permanently gone. A failure
  /// is only logged, because a key that is left opens nothing.
  func disableLostBiometrics(_ job: JobQueue.Job) {
    context.attempt("biometrics", "Biometric unlock was not disabled completely", level: .warning) {
      () throws(WalletError) in
      try disableBiometrics(job.uncancelled)
    }
  }

  /// Disables biometric unlock in the storage, without asking the platform to delete its key.
  ///
  /// - Returns: False if there is no wallet.
  @discardableResult
  func disableStoredBiometricUnlock(_ job: JobQueue.Job) throws(WalletError) -> Bool {
    guard let store = try openStore(job, creating: false) else { return false }
    if try Account.isBiometricUnlockEnabled(in: store) {
      try Account.disableBiometricUnlock(in: store)
    }
    context.storage.setBiometricUnlockEnabled(false)
    return true
  }

  /// Makes a request to the platform that may show the user a prompt.
  private func prompt(
    _ request: BridgeRequest, _ job: JobQueue.Job
  ) throws(BiometricFailure) -> Secret {
    context.prompts.expect(job.cancellation, since: context.lock.epoch)
    defer { context.prompts.forget(job.cancellation) }
    let answer: Result<Secret, BridgeFailure>
    do {
      answer = .success(
        try context.platform.perform(request, cancellation: job.cancellation))
    } catch { answer = .failure(error) }
    // An answer that arrives after the cancellation is ignored.
    if job.cancellation.isCancelled { throw .cancelled(byUser: false) }
    return try answer.mapError(BiometricFailure.init).get()
  }

  private func encrypt(
    _ secret: Secret, by identifier: String, _ job: JobQueue.Job
  ) throws(BiometricFailure) -> [UInt8] {
    do throws(BiometricFailure) {
      let answer = try prompt(
        .encrypt(identifier: identifier, protection: .biometric, plaintext: secret), job)
      guard (1...secret.count + Self.longestOverhead).contains(answer.count) else {
        throw .failed(
          WalletError(
            .bridgeFailed, "encryption_key_bridge.encrypt replied an empty or too long ciphertext.")
        )
      }
      return answer.disclosed()
    } catch {
      // After a cancellation the host may still make the key, so the identifier stays listed.
      if error != .cancelled(byUser: false) { deleteBiometricKey(identifier, job) }
      throw error
    }
  }
}

// The identifier of each platform key is listed in a file before the key is made, and removed from
// it after the key was deleted. So keys that a kill or a failing bridge left behind are found
// again.
extension WalletSession {
  private func keyNotes() throws(WalletError) -> PlatformKeyNotes? {
    guard let directory = context.storage.directory else { return nil }
    return try PlatformKeyNotes.load(from: directory)
  }

  /// The listed biometric keys that are not in use.
  private func unusedBiometricKeys() throws(WalletError) -> [String] {
    guard let store, let notes = try keyNotes() else { return [] }
    let used = try Account.biometricSecret(in: store)?.keyIdentifier
    return (notes.current + notes.orphans).filter { identifier in
      PlatformKeyKind(of: identifier) == .biometric && identifier != used
    }
  }

  private func deleteUnusedBiometricKeys(_ job: JobQueue.Job) {
    deleteBiometricKeys((try? unusedBiometricKeys()) ?? [], job)
  }

  private func deleteBiometricKey(_ identifier: String, _ job: JobQueue.Job) {
    deleteBiometricKeys([identifier], job)
  }

  /// Deletes keys that are not in use. Keys that the platform does not delete are listed as
  /// orphans, which are deleted later. The number of orphans is limited, so a platform that never
  /// deletes a key does not fill the list.
  ///
  /// - Returns: Why keys are left; nil if none are.
  @discardableResult
  private func deleteBiometricKeys(_ identifiers: [String], _ job: JobQueue.Job) -> WalletError? {
    let (left, reason) = deleteKeys(identifiers, job) { identifier throws(WalletError) in
      context.environment.passCrashPoint("biometrics.key-deleted")
      try store?.forgetPlatformKey(identifier)
    }
    guard let reason else { return nil }
    context.log(.info, "biometrics", "A key will be deleted later: \(reason.message)")
    context.attempt("biometrics", "The keys could not be noted as unused") {
      () throws(WalletError) in
      try store?.orphanPlatformKeys(left)
    }
    return reason
  }
}
