internal import WalletAccount
internal import WalletConfiguration
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol

// The requests, each in terms of the operations that the flows use too.

extension WalletSession {
  /// Carries out a request that its gate has admitted.
  func carryOut(
    _ request: WalletRequest, _ job: JobQueue.Job
  ) throws(WalletError) -> WalletAnswer {
    switch request {
    case .register(let pin):
      try register(pin, job)
      return .nothing
    case .unlock(let pin):
      let checked = try checkPin(pin, opensVault: true, job)
      if let vaultKey = checked.vaultKey { try unlock(with: vaultKey, job) }
      return .pin(lockIfBlocked(checked.check), notices(checked.failures))
    case .checkPin(let pin):
      let checked = try checkPin(pin, opensVault: false, job)
      // After a lock somebody else may hold the phone. The next unlock tells them.
      context.lock.settle()
      let isLocked = context.lock.current.value.isLocked || context.lock.epoch != job.gate.epoch
      return .pin(lockIfBlocked(checked.check), notices(isLocked ? nil : checked.failures))
    case .pinState:
      let asked = try pinState(job)
      // Whoever holds a locked phone may be the one who guessed. The owner is told later.
      context.lock.settle()
      let isLocked = context.lock.current.value.isLocked
      return .pinState(asked.state, notices(isLocked ? nil : asked.failures))
    case .changePin(let pin, to: let newPin):
      return .pin(lockIfBlocked(try changePin(pin, to: newPin, job)), noticesLeavingFailures())
    case .decideReplacement(let replaced, let isAllowed, let pin):
      let checked = try decideReplacement(isAllowed ? .allow : .refuse, on: replaced, pin, job)
      return .pin(lockIfBlocked(checked.check), noticesLeavingFailures())
    case .wipe:
      try wipe(job)
      return .nothing
    case .enableBiometricUnlock(let pin):
      return .pin(lockIfBlocked(try enableBiometrics(pin, job)), noticesLeavingFailures())
    case .disableBiometricUnlock:
      try disableBiometrics(job)
      return .nothing
    case .unlockWithBiometrics:
      try unlockWithBiometrics(job)
      return .unlocked(notices())
    case .cards:
      return .cards(try cards(job))
    case .present(let selections, let nonce, let audience, let pin):
      let (check, presentations, failures) = try present(
        selections, for: RelyingParty(nonce: nonce, audience: audience), pin, job)
      guard let presentations else { return .pin(lockIfBlocked(check), notices(failures)) }
      return .presentations(presentations, notices(failures))
    case .prepareCardKeys(let count):
      try prepareCardKeys(count, job)
      return .nothing
    case .takeCard(let copies, let display):
      try takeCard(copies, display: display, job)
      return .nothing
    case .deleteCard(let id):
      try deleteCard(id, job)
      return .nothing
    case .beginSharing(let link, let isFromOtherDevice):
      return try beginSharing(link, isFromOtherDevice: isFromOtherDevice, job)
    case .chooseSharingOption(let id, let option): return try chooseSharingOption(id, option)
    case .confirmSharing(let id, let pin):
      let (checked, shared) = try confirmSharing(id, pin, job)
      guard let checked else { return shared.map { .shared($0) } ?? .nothing }
      guard let shared else { return .pin(lockIfBlocked(checked.check), notices(checked.failures)) }
      return .shared(shared, notices(checked.failures))
    case .refuseSharing(let id): return .shared(try refuseSharing(id, job))
    case .activities: return .activities(try activities(job))
    }
  }

  /// What an answer tells the owner that leaves wrong PINs to a later one.
  private func noticesLeavingFailures() -> OwnerNotices {
    context.replacement.askAgain()
    return notices()
  }

  /// What an answer tells the owner: `failures`, and the replacement that the provider told of last.
  private func notices(_ failures: PinFailures? = nil) -> OwnerNotices {
    OwnerNotices(
      failures: failures,
      replacement: context.replacement.current.map {
        .init($0, now: context.environment.clock.now())
      })
  }

  /// A lock does not undo a registration, so the wallet is then registered and locked.
  private func register(_ pin: Pin, _ job: JobQueue.Job) throws(WalletError) {
    do {
      try register({ () throws(WalletError) in pin }, job) { vaultKey in
        _ = context.unlock(with: vaultKey, since: job.gate.epoch, under: nil)
      }
    } catch {
      guard error.kind == .cancelled else { throw error }
      throw WalletError(
        .cancelled,
        "The registration was cancelled, or the wallet locked, before the provider answered. "
          + "Register again, with any PIN, to continue it.")
    }
  }

  /// The user is asked for biometrics first, then the PIN is checked.
  private func enableBiometrics(_ pin: Pin, _ job: JobQueue.Job) throws(WalletError) -> PinCheck {
    let sealed: SealedBiometricSecret
    do {
      sealed = try sealBiometricSecret(job)
    } catch {
      // A lock ended the prompt.
      if error == .cancelled(byUser: false) { try admit(job) }
      throw error.walletError
    }
    let check: PinCheck
    do {
      check = try checkPin(pin, opensVault: false, job).check
    } catch {
      discard(sealed, job)
      throw error
    }
    switch check {
    case .valid: try enableBiometrics(with: sealed, job)
    case .wrong, .blocked, .blockedPermanently: discard(sealed, job)
    }
    return check
  }

  private func unlockWithBiometrics(_ job: JobQueue.Job) throws(WalletError) {
    switch openWithBiometrics(job) {
    case .success(let vaultKey): try unlock(with: vaultKey, job)
    case .failure(let failure):
      if failure.isKeyGone { disableLostBiometrics(job) }
      throw failure.walletError
    }
  }

  private func unlock(with vaultKey: Secret, _ job: JobQueue.Job) throws(WalletError) {
    context.updatePolicy.followCalendar()
    switch context.unlock(
      with: vaultKey, since: job.gate.epoch, under: context.updatePolicy.current.value)
    {
    case .unlocked: break
    case .versionBlocked(let updateAvailable):
      throw WalletContext.versionBlocked(updateAvailable: updateAvailable)
    case .lockedMeanwhile: throw Self.lockedMeanwhile
    case .lapsed: throw Self.notRegistered
    }
  }
}
