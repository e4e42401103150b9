internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

// Biometric unlock for hosts with their own screens.

extension WalletSession {
  /// Asks for biometrics, then checks the PIN, and enables biometric unlock if both succeed, unless
  /// the wallet was locked since `epoch`.
  func enableBiometrics(
    _ pin: Pin, since epoch: UInt64, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheck {
    try requireUnlocked(since: epoch, job)
    let sealed: SealedBiometricSecret
    do {
      sealed = try sealBiometricSecret(job)
    } catch {
      // A lock ended the prompt.
      if error == .cancelled(byUser: false) { try requireUnlocked(since: epoch, job) }
      throw error.walletError
    }
    do {
      let check = try checkPin(pin, opensVault: false, job).check
      switch check {
      case .valid:
        try requireUnlocked(since: epoch, job)
        try enableBiometrics(with: sealed, job)
      case .wrong, .blocked, .blockedPermanently: discard(sealed, job)
      }
      return check
    } catch {
      discard(sealed, job)
      throw error
    }
  }

  /// Asks for biometrics and unlocks, unless the wallet was locked since `epoch`.
  func unlockWithBiometrics(since epoch: UInt64, _ job: JobQueue.Job) throws(WalletError) {
    switch openWithBiometrics(job) {
    case .success(let vaultKey):
      guard try context.unlock(with: vaultKey, since: epoch) else { throw Self.lockedMeanwhile }
    case .failure(let failure):
      if case .unavailable(_, isKeyGone: true, _) = failure { disableLostBiometrics(job) }
      throw failure.walletError
    }
  }

  private func disableLostBiometrics(_ job: JobQueue.Job) {
    do {
      try disableBiometrics(job)
    } catch {
      context.log(
        .warning, "biometrics", "Biometric unlock was not disabled completely: \(error.message)")
    }
  }

  func requireUnlocked(since epoch: UInt64, _ job: JobQueue.Job) throws(WalletError) {
    guard !job.abort.isCancelled else { throw Self.lockedMeanwhile }
    guard context.lock.epoch == epoch, !context.lock.current.value.isLocked else {
      throw Self.locked
    }
  }
}
