internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// Biometrics in the flows: UC2.1 1.8, UC2.3 1.2, UC7.1 section 3.

extension Flows {
  func scanBiometrics(_ id: UInt64) {
    work(id, .scanBiometrics, .unlockWithBiometrics) { flows, session, job in
      switch session.openWithBiometrics(job) {
      case .success(let key):
        flows.postOpened(id, key, .scanned(id: id, .opened, Details()), job)
        flows.refreshBiometrics()
        flows.askForNotices()
      case .failure(let failure):
        let (reply, details) = failure.scanReply
        flows.post(.scanned(id: id, reply, details))
      }
    }
  }

  /// Asks the user to confirm with biometrics. This seals a secret, which is kept until the user
  /// has entered the PIN; only then does it take effect.
  func sealBiometrics(_ id: UInt64) {
    confirm(id, .sealBiometrics) { flows, _, _, sealed in
      flows.state.withLock { $0.sealed = sealed }
    }
  }

  /// Asks the user to confirm with biometrics and enables biometric unlock at once, without the
  /// PIN: the user has just chosen it.
  func enableBiometrics(_ id: UInt64) {
    confirm(id, .enableBiometrics) { _, session, job, sealed throws(WalletError) in
      try session.enableBiometrics(with: sealed, job)
    }
  }

  private func confirm(
    _ id: UInt64, _ effect: FlowEffect,
    _ use:
      @escaping @Sendable (Flows, WalletSession, JobQueue.Job, SealedBiometricSecret)
      throws(WalletError) -> Void
  ) {
    work(id, effect, .confirmBiometrics, if: [.unlocked, .wanted, .awaited]) {
      flows, session, job in
      do throws(BiometricFailure) {
        let sealed = try session.sealBiometricSecret(job)
        do throws(WalletError) {
          try use(flows, session, job, sealed)
        } catch { throw .failed(error) }
        flows.reply(id, .confirmed)
      } catch {
        flows.rejectBiometrics(id, error.reason)
      }
    }
  }

  func rejectBiometrics(_ id: UInt64, _ reason: String) {
    reply(id, .rejected, Details(arguments: [.reason: .text(reason)]))
  }

  /// Discards a sealed secret that no PIN will put in force.
  func discard(_ sealed: SealedBiometricSecret) {
    operations.jobs.add(needs: .device) { session, job in session.discard(sealed, job) }
  }
}

extension BiometricFailure {
  /// The reply to the engine for a failed scan.
  fileprivate var scanReply: (ScanReply, Details) {
    let reason = Details(arguments: [.reason: .text(reason)])
    switch self {
    case .notRecognised(let times): return (.notRecognised(times: Int(times)), Details())
    case .cancelled: return (.cancelled, Details())
    case .lockedOut: return (.lockedOut, reason)
    case .unavailable, .failed: return (.unavailable, reason)
    }
  }
}
