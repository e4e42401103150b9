internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

extension WalletSession {
  /// Performs the request of a client.
  ///
  /// - Parameter weakPin: Receives a PIN that unlocked and whose key should be derived again with
  ///   more work.
  func carryOut(
    _ gate: Gate, _ job: JobQueue.Job, weakPin: inout WeakPin?
  ) -> WalletOutcome {
    let epoch = gate.epoch
    do throws(WalletError) {
      try admit(gate, job)
      switch gate.request {
      case .register(let pin):
        try register(pin, since: epoch, job)
        return .success(.nothing)
      case .unlock(let pin):
        let checked = try unlock(pin, since: epoch, job)
        weakPin = checked.weakPin
        return .success(.pin(lockIfBlocked(checked.check), checked.failures))
      case .checkPin(let pin):
        let checked = try checkPin(pin, opensVault: false, job)
        return .success(.pin(lockIfBlocked(checked.check), checked.failures))
      case .pinState:
        return .success(.pinState(try pinState(job)))
      case .changePin(let pin, to: let newPin):
        return .success(.pin(lockIfBlocked(try changePin(pin, to: newPin, since: epoch, job))))
      case .wipe:
        try wipe(job) { () throws(WalletError) in try admit(gate, job) }
        return .success(.nothing)
      case .enableBiometricUnlock(let pin):
        return .success(.pin(lockIfBlocked(try enableBiometrics(pin, since: epoch, job))))
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
    } catch {
      context.log(
        .debug, "requests", "\(gate.request.name) ended with \(error.kind.statusName).")
      return .failure(error)
    }
  }

  /// Locks after the last attempt: the person who holds the unlocked phone is guessing the PIN.
  private func lockIfBlocked(_ check: PinCheck) -> PinCheck {
    switch check {
    case .valid, .wrong: break
    // A locked wallet is not locked again: that would end what was asked for since.
    case .blocked, .blockedPermanently:
      if !context.lock.current.value.isLocked { context.lock.lock() }
    }
    return check
  }
}
