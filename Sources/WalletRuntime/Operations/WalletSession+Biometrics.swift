internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletStorage

extension Biometrics {
  /// What a bridge replied; nil for none, and for what is no reply.
  init?(reply: [UInt8]) {
    guard reply.count == 1 else { return nil }
    switch reply[0] {
    case 0: return nil
    case 2: self = .fingerprint
    case 3: self = .face
    // Codes grow; whatever it is, it is there.
    default: self = .any
    }
  }
}

extension WalletSession {
  /// A ciphertext is at most so many bytes longer than what was encrypted.
  private static let longestOverhead = 1024

  /// What the platform recognises its user by; nil where it has no biometrics or does not say.
  func availableBiometrics(_ job: JobQueue.Job) -> Biometrics? {
    let answer = try? context.platform.perform(
      .biometricsAvailable, cancellation: job.cancellation)
    return Biometrics(reply: answer?.disclosed() ?? [])
  }

  /// Has the user recognised and makes a new way into the vault of the unlocked wallet. It is not
  /// in force before `enableBiometrics`; one that was made before and is not in force never will be.
  func sealBiometricSecret(
    _ job: JobQueue.Job
  ) throws(BiometricFailure) -> SealedBiometricSecret {
    do {
      let account = try account(job, creating: false)
      guard !context.lock.current.value.isLocked else { throw Self.locked }
      // One that was ended while it waited its turn notes no key that nobody will make.
      if job.cancellation.isCancelled { throw BiometricFailure.cancelled(byUser: false) }
      let wrapping = try account.biometricWrapping()
      deleteUnusedBiometricKeys(job)
      guard let secret = try? Secret.random(count: BiometricWrapping.secretLength) else {
        throw WalletError(.outOfResources, "Not enough memory for guarded memory.")
      }
      let identifier = PlatformKeyKind.biometric.newIdentifier()
      try store?.notePlatformKey(identifier)
      context.world.passCrashPoint("biometrics.noted")
      let ciphertext = try encrypt(secret, by: identifier, job)
      context.world.passCrashPoint("biometrics.sealed")
      // Only now, so that a lock during the prompt wiped the vault key.
      let wrapped = try context.lock.withVaultKey { vaultKey throws(WalletError) in
        try wrapping.wrap(vaultKey, under: secret)
      }
      guard let wrapped else {
        deleteBiometricKey(identifier, job)
        throw Self.locked
      }
      return SealedBiometricSecret(
        keyIdentifier: identifier, ciphertext: ciphertext, vaultKey: wrapped)
    } catch let failure as BiometricFailure {
      throw failure
    } catch let error as WalletError {
      throw .failed(error)
    } catch {
      throw .failed(
        WalletError(.internalDefect, "An unexpected error of type \(type(of: error))."))
    }
  }

  /// Puts `sealed` in force in the place of what was there. The caller has seen a valid PIN.
  ///
  /// - Throws: `locked`; `biometricsFailed` where its platform key was deleted meanwhile: by a wipe,
  ///   a later sealing or a disabling.
  func enableBiometrics(
    with sealed: SealedBiometricSecret, _ job: JobQueue.Job
  ) throws(WalletError) {
    let account = try account(job, creating: false)
    guard try notedBiometricKeys().contains(sealed.keyIdentifier) else {
      throw BiometricFailure.unavailable(reason: "key_missing", isKeyGone: true).walletError
    }
    guard !context.lock.current.value.isLocked else { throw Self.locked }
    guard !job.cancellation.isCancelled else {
      throw WalletError(.cancelled, "Cancelled before biometric unlock was enabled.")
    }
    try account.enableBiometricUnlock(with: sealed)
    context.storage.setBiometricUnlockEnabled(true)
    deleteUnusedBiometricKeys(job)
  }

  /// Gives a sealed secret up that is not to be put in force.
  func discard(_ sealed: SealedBiometricSecret, _ job: JobQueue.Job) {
    deleteBiometricKey(sealed.keyIdentifier, job)
  }

  /// Has the user recognised and opens the vault key; unlocks nothing.
  func openWithBiometrics(_ job: JobQueue.Job) -> Result<Secret, BiometricFailure> {
    do {
      let account = try account(job, creating: false)
      guard let store, let sealed = try Account.biometricSecret(in: store) else {
        throw WalletError(.biometricsNotEnabled, "Biometric unlock is not enabled.")
      }
      let wrapping = try account.biometricWrapping()
      let secret = try prompt(
        .decrypt(
          identifier: sealed.keyIdentifier, protection: .biometric, ciphertext: sealed.ciphertext),
        job)
      guard let vaultKey = try wrapping.open(sealed, with: secret) else {
        // The PIN still opens the vault, so the wallet is whole; only this way in is of no use.
        context.log(.warning, "biometrics", "What the platform decrypted opens nothing.")
        return .failure(.unavailable(reason: "key_invalidated", isKeyGone: true))
      }
      return .success(vaultKey)
    } catch let failure as BiometricFailure {
      return .failure(failure)
    } catch let error as WalletError {
      return .failure(.failed(error))
    } catch {
      return .failure(
        .failed(WalletError(.internalDefect, "An unexpected error of type \(type(of: error)).")))
    }
  }

  /// Takes the way in by biometrics away, then its platform key. Works locked.
  ///
  /// - Throws: also where only the key could not be deleted; it stays noted, for the next time.
  func disableBiometrics(_ job: JobQueue.Job) throws(WalletError) {
    guard !job.cancellation.isCancelled else {
      throw WalletError(.cancelled, "The request was cancelled before anything was changed.")
    }
    guard try takeBiometricUnlockAway(job) else { return }
    var failure: WalletError?
    for identifier in try unusedBiometricKeys() {
      do { try deleteAndForget(identifier, job) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// The part of disabling that needs no platform.
  ///
  /// - Returns: false where there is no wallet.
  @discardableResult
  func takeBiometricUnlockAway(_ job: JobQueue.Job) throws(WalletError) -> Bool {
    guard let store = try openStore(job, creating: false) else { return false }
    if try Account.isBiometricUnlockEnabled(in: store) {
      try Account.disableBiometricUnlock(in: store)
    }
    context.storage.setBiometricUnlockEnabled(false)
    return true
  }

  /// Asks the platform for something that the user may be asked for.
  private func prompt(
    _ request: BridgeRequest, _ job: JobQueue.Job
  ) throws(BiometricFailure) -> Secret {
    context.prompts.expect(job.cancellation)
    defer { context.prompts.forget(job.cancellation) }
    let answer: Result<Secret, BridgeFailure>
    do {
      answer = .success(
        try context.platform.perform(request, cancellation: job.cancellation))
    } catch { answer = .failure(error) }
    // Whatever was answered at that very moment: nobody waits for it any more.
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
            .bridgeFailed, "encryption_key_bridge.encrypt replied nothing or too much."))
      }
      return answer.disclosed()
    } catch {
      // After a cancellation the host may still be about to make the key; it stays noted.
      if error != .cancelled(byUser: false) { deleteBiometricKey(identifier, job) }
      throw error
    }
  }
}

// The platform keys: each is noted before it is made, and forgotten after it was deleted, so that
// those that a kill or a failing bridge left behind are found again.
extension WalletSession {
  private func notedBiometricKeys() throws(WalletError) -> [String] {
    guard let directory = context.storage.directory else { return [] }
    let notes = try PlatformKeyNotes.load(from: directory)
    return (notes.current + notes.orphans)
      .filter { PlatformKeyKind(of: $0) == .biometric }
  }

  /// Those that open nothing.
  private func unusedBiometricKeys() throws(WalletError) -> [String] {
    guard let store else { return [] }
    let used = try Account.biometricSecret(in: store)?.keyIdentifier
    return try notedBiometricKeys().filter { $0 != used }
  }

  private func deleteUnusedBiometricKeys(_ job: JobQueue.Job) {
    for identifier in (try? unusedBiometricKeys()) ?? [] { deleteBiometricKey(identifier, job) }
  }

  /// Quiet: a key that cannot be deleted now stays noted.
  private func deleteBiometricKey(_ identifier: String, _ job: JobQueue.Job) {
    do {
      try deleteAndForget(identifier, job)
    } catch {
      context.log(.info, "biometrics", "A key is deleted later: \(error.message)")
    }
  }

  private func deleteAndForget(_ identifier: String, _ job: JobQueue.Job) throws(WalletError) {
    try deleteKey(identifier, job)
    context.world.passCrashPoint("biometrics.key-deleted")
    try store?.forgetPlatformKey(identifier)
  }

  static var locked: WalletError {
    WalletError(.locked, "The wallet is locked: unlock it first.")
  }
}
