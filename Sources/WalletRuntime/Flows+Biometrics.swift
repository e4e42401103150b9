internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// Biometrics in the flows: UC2.1 1.8, UC2.3 1.2, UC7.1 section 3.

extension Flows {
  func scanBiometrics(_ id: UInt64) {
    let epoch = context.lock.epoch
    work(id, .scanBiometrics) { flows, workplace, job throws(WalletError) in
      switch workplace.openWithBiometrics(job) {
      case .success(let key):
        flows.post(
          .opened(id: id, key, since: epoch, .scanned(id: id, .opened, Details())))
        flows.refreshBiometrics()
      case .failure(let failure):
        if case .unavailable(_, isKeyGone: true, _) = failure {
          flows.state.withLock { $0.isBiometricKeyGone = true }
        }
        let (reply, details) = failure.scanReply
        flows.post(.scanned(id: id, reply, details))
      }
    }
  }

  /// Has the user confirm; nil where that was rejected, which the engine was told.
  func seal(
    _ workplace: Workplace, _ job: Worker.Job, _ id: UInt64
  ) throws(WalletError) -> SealedBiometricSecret? {
    do {
      return try workplace.sealBiometricSecret(job)
    } catch {
      rejectBiometrics(id, error.reason)
      return nil
    }
  }

  func rejectBiometrics(_ id: UInt64, _ reason: String) {
    reply(id, .rejected, Details(arguments: ["reason": .text(reason)]))
  }

  func enableSealed(_ workplace: Workplace, _ job: Worker.Job) throws(WalletError) {
    let sealed = state.withLock { state in
      defer { state.sealed = nil }
      return state.sealed
    }
    guard let sealed else {
      throw WalletError(.biometricsFailed, "The confirmation by biometrics is missing.")
    }
    try workplace.enableBiometrics(with: sealed, job)
  }

  func discardSealed(_ workplace: Workplace, _ job: Worker.Job) {
    let sealed = state.withLock { state in
      defer { state.sealed = nil }
      return state.sealed
    }
    if let sealed { workplace.discard(sealed, job) }
  }
}

extension BiometricFailure {
  /// What the engine is told of a scan.
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
