internal import WalletAccount
internal import WalletModel

extension WalletSession {
  /// Performs the request of a client.
  ///
  /// - Parameter weakPin: Receives a PIN that unlocked and whose key should be derived again with
  ///   more work.
  func carryOut(
    _ request: WalletRequest, since epoch: UInt64, _ job: JobQueue.Job, weakPin: inout WeakPin?
  ) -> WalletOutcome {
    do throws(WalletError) {
      if request.needsAllowedVersion { try requireAllowedVersion(job) }
      switch request {
      case .register(let pin):
        try register(pin, since: epoch, job)
        return .success(.nothing)
      case .unlock(let pin):
        let checked = try unlock(pin, since: epoch, job)
        weakPin = checked.weakPin
        return .success(.pin(checked.check))
      case .checkPin(let pin):
        return .success(.pin(try checkPin(pin, opensVault: false, job).check))
      case .changePin(let pin, to: let newPin):
        return .success(.pin(try changePin(pin, to: newPin, since: epoch, job)))
      case .wipe:
        try wipe(job)
        return .success(.nothing)
      case .enableBiometricUnlock(let pin):
        return .success(.pin(try enableBiometrics(pin, since: epoch, job)))
      case .disableBiometricUnlock:
        try disableBiometrics(job)
        return .success(.nothing)
      case .unlockWithBiometrics:
        try unlockWithBiometrics(since: epoch, job)
        return .success(.nothing)
      case .cards:
        return .success(.cards(try cards(since: epoch, job)))
      case .present(let card, let claims, let nonce, let audience):
        return .success(
          .presentation(
            try present(
              card, disclosing: claims, nonce: nonce, audience: audience, since: epoch, job)))
      }
    } catch { return .failure(error) }
  }
}
