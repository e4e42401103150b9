internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// Biometrics in the flows: UC2.1 1.8, UC2.3 1.2, UC7.1 section 3.

extension Flows {
  func scanBiometrics(_ id: UInt64) {
    let epoch = context.lock.epoch
    work(id, .scanBiometrics, needs: .device, order: .usesBiometrics) {
      flows, session, job throws(WalletError) in
      switch session.openWithBiometrics(job) {
      case .success(let key):
        flows.state.withLock { $0.isBiometricKeyGone = false }
        flows.post(
          .opened(id: id, key, since: epoch, .scanned(id: id, .opened, Details())))
        flows.refreshBiometrics()
        flows.askAboutReplacement()
      case .failure(let failure):
        if case .unavailable(_, isKeyGone: true, _) = failure {
          flows.state.withLock { $0.isBiometricKeyGone = true }
        }
        let (reply, details) = failure.scanReply
        flows.post(.scanned(id: id, reply, details))
      }
    }
  }

  /// Asks the user to confirm with biometrics. Returns nil if that failed; the engine was then
  /// told.
  func seal(
    _ session: WalletSession, _ job: JobQueue.Job, _ id: UInt64
  ) throws(WalletError) -> SealedBiometricSecret? {
    do {
      return try session.sealBiometricSecret(job)
    } catch {
      rejectBiometrics(id, error.reason)
      return nil
    }
  }

  func rejectBiometrics(_ id: UInt64, _ reason: String) {
    reply(id, .rejected, Details(arguments: ["reason": .text(reason)]))
  }

  /// Enables biometric unlock with the sealed secret that waited for this PIN.
  func enableSealed(_ session: WalletSession, _ job: JobQueue.Job) throws(WalletError) {
    let sealed = state.withLock { state in
      defer { state.sealed = nil }
      return state.sealed
    }
    guard let sealed else {
      throw WalletError(.biometricsFailed, "The biometric confirmation is missing.")
    }
    try enable(sealed, session, job)
  }

  /// Enables biometric unlock with `sealed`. If the work was cancelled meanwhile, biometric unlock
  /// is disabled again.
  func enable(
    _ sealed: SealedBiometricSecret, _ session: WalletSession, _ job: JobQueue.Job
  ) throws(WalletError) {
    do throws(WalletError) {
      try session.enableBiometrics(with: sealed, job)
    } catch {
      session.discard(sealed, job)
      throw error
    }
    guard job.cancellation.isCancelled else {
      return state.withLock { $0.isBiometricKeyGone = false }
    }
    try session.disableBiometrics(job.uncancelled)
    throw WalletError(.cancelled, "Cancelled while biometric unlock was being enabled.")
  }

  /// Discards a sealed secret that no PIN will put in force.
  func discard(_ sealed: SealedBiometricSecret) {
    jobs.add(needs: .device) { session, job in session.discard(sealed, job) }
  }

  /// Disables biometric unlock after a PIN unlock, because its platform key is permanently gone.
  func disableLostBiometrics(_ session: WalletSession, _ job: JobQueue.Job) {
    do {
      try session.disableBiometrics(job.uncancelled)
      state.withLock { $0.isBiometricKeyGone = false }
    } catch {
      context.log(
        .warning, "biometrics", "Biometric unlock was not disabled completely: \(error.message)")
    }
  }
}

extension BiometricFailure {
  /// The reply to the engine for a failed scan.
  fileprivate var scanReply: (ScanReply, Details) {
    let reason = Details(arguments: ["reason": .text(reason)])
    switch self {
    case .notRecognised(let times): return (.notRecognised(times: Int(times)), Details())
    case .cancelled: return (.cancelled, Details())
    case .lockedOut: return (.lockedOut, reason)
    case .unavailable, .failed: return (.unavailable, reason)
    }
  }
}
