internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage

extension WalletSession {
  /// Registers and, unless the wallet was locked since `epoch`, unlocks. A lock does not undo a
  /// registration, so the wallet is then registered and locked; but it limits the wait for the
  /// provider.
  func register(_ pin: Pin, since epoch: UInt64, _ job: JobQueue.Job) throws(WalletError) {
    context.registrations.begin(job, since: epoch)
    defer { context.registrations.end() }
    do {
      try register({ () throws(WalletError) in pin }, job) { vaultKey in
        _ = context.lock.unlock(with: vaultKey, since: epoch)
      }
    } catch {
      guard error.kind == .cancelled else { throw error }
      throw WalletError(
        .cancelled,
        "The registration was cancelled, or the wallet locked, before the provider answered. "
          + "Register again, with any PIN, to continue it.")
    }
  }

  /// Registers and passes the new vault key to `unlock`. Neither the key nor the PIN is held while
  /// the provider is told, so that a lock in between can wipe them.
  func register(
    _ pin: () throws(WalletError) -> Pin, _ job: JobQueue.Job, unlock: (Secret) -> Void
  ) throws(WalletError) {
    try requireSecureDevice(job)
    let account = try account(job, creating: true)
    try Self.open(account, pin, unlock)
    try completeRegistration(account)
  }

  /// A separate function, so that the references to the PIN and the key end with it.
  private static func open(
    _ account: Account, _ pin: () throws(WalletError) -> Pin, _ unlock: (Secret) -> Void
  ) throws(WalletError) {
    unlock(try account.register(try pin()))
  }

  /// Records that there is a wallet now, and confirms to the provider that its certificate is
  /// stored.
  private func completeRegistration(_ account: Account) throws(WalletError) {
    context.storage.setRegistration(.known(true))
    do {
      try account.confirmRegistration()
    } catch {
      // The certificate is stored; the next instruction or start confirms it.
      context.log(.info, "account", "The registration will be confirmed later: \(error.message)")
      noteIfLapsed(error)
      if error.kind == .notRegistered { throw error }
    }
  }

  /// Checks the PIN with the provider and unlocks if it is valid, unless the wallet was locked
  /// since `epoch`.
  func unlock(
    _ pin: Pin, since epoch: UInt64, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheckResult {
    let checked = try checkPin(pin, opensVault: true, job)
    guard let vaultKey = checked.vaultKey else { return checked }
    guard try context.unlock(with: vaultKey, since: epoch) else { throw Self.lockedMeanwhile }
    return checked
  }

  /// Opens the storage directory, which may hold a policy that was not read yet, and checks whether
  /// this app version is allowed.
  func requireAllowedVersion(_ job: JobQueue.Job) throws(WalletError) {
    _ = try directory(job)
    try context.requireAllowedVersion()
  }

  /// Checks the PIN with the provider.
  ///
  /// - Parameter opensVault: Whether to open the vault key if the PIN is valid.
  func checkPin(
    _ pin: Pin, opensVault: Bool, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheckResult {
    let account = try account(job, creating: false)
    do {
      let checked = try account.checkPin(pin, opensVault: opensVault)
      noteBlock(checked.check)
      logRefusal(checked.check)
      return checked
    } catch {
      noteIfLapsed(error)
      throw error
    }
  }

  /// Notes that the owner was told of wrong PINs. If that fails, or the process ends before, they
  /// are told once more.
  func noteTold(_ failures: PinFailures?, _ job: JobQueue.Job) {
    guard let failures else { return }
    do {
      try account(job, creating: false).noteTold(failures)
    } catch {
      context.log(.warning, "account", "That failures were told was not stored: \(error.message)")
    }
  }

  /// Logs that the provider refused a PIN, without the PIN.
  func logRefusal(_ check: PinCheck) {
    switch check {
    case .valid: break
    case .wrong(let attemptsLeft, let isFinalRound):
      context.log(
        .debug, "account",
        "The provider refused the PIN; attempts left: \(attemptsLeft)"
          + (isFinalRound ? " of the final round." : "."))
    case .blocked(let milliseconds):
      context.log(
        .debug, "account", "The provider refused the PIN and accepts none for \(milliseconds) ms.")
    case .blockedPermanently:
      context.log(.debug, "account", "The provider refused the PIN and accepts none any more.")
    }
  }

  /// Confirms to the provider that the certificate is stored, if that is still open. A failure is
  /// only logged, because this is background work.
  func confirmInBackground(_ job: JobQueue.Job) {
    do {
      guard let store = try openStore(job, creating: false),
        try Account.awaitsConfirmation(in: store)
      else { return }
      try account(job, creating: false).confirmRegistration()
    } catch {
      context.log(.info, "account", "The registration could not be confirmed now: \(error.message)")
      noteIfLapsed(error)
    }
  }

  private func requireSecureDevice(_ job: JobQueue.Job) throws(WalletError) {
    let answer: Secret
    do {
      answer = try context.platform.perform(.deviceSecure, cancellation: job.cancellation)
    } catch .missing {
      return
    } catch { throw error.walletError("check the device") }
    guard answer.disclosed() == [1] else {
      throw WalletError(
        .deviceInsecure, "The utilities bridge says that the device is not secure.")
    }
  }

  /// Records and locks a wallet whose account lapsed unconfirmed, so that it is gone on both sides.
  /// A locked wallet is not locked again, because that would end a registration that may be queued
  /// already.
  func noteIfLapsed(_ error: WalletError) {
    guard error.kind == .notRegistered else { return }
    context.storage.setRegistration(.known(false))
    guard !context.lock.current.value.isLocked else { return }
    context.lock.lock()
  }

  static var lockedMeanwhile: WalletError {
    WalletError(.cancelled, "The wallet was locked while the request ran, and stays locked.")
  }
}
