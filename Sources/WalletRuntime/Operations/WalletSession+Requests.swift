internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage

extension WalletSession {
  /// Registers and, unless the wallet was locked since `epoch`, unlocks.
  func register(_ pin: Pin, since epoch: UInt64, _ job: JobQueue.Job) throws(WalletError) {
    var isUnlocked = false
    try register({ () throws(WalletError) in pin }, job) { vaultKey in
      isUnlocked = context.lock.unlock(with: vaultKey, since: epoch)
    }
    guard isUnlocked else { throw Self.lockedMeanwhile }
  }

  /// Registers, and hands the new vault key to `unlock`. Neither it nor what `pin` gave is held while the
  /// provider is told: a lock in between leaves nothing of them.
  func register(
    _ pin: () throws(WalletError) -> Pin, _ job: JobQueue.Job, unlock: (Secret) -> Void
  ) throws(WalletError) {
    try requireSecureDevice(job)
    let account = try account(job, creating: true)
    try Self.open(account, pin, unlock)
    try completeRegistration(account)
  }

  /// A function of its own, so that its end is the end of the PIN and the key here.
  private static func open(
    _ account: Account, _ pin: () throws(WalletError) -> Pin, _ unlock: (Secret) -> Void
  ) throws(WalletError) {
    unlock(try account.register(try pin()))
  }

  /// Says that there is a wallet now, and to the provider that its certificate is stored.
  private func completeRegistration(_ account: Account) throws(WalletError) {
    context.storage.setRegistration(.known(true))
    do {
      try account.confirmRegistration()
    } catch {
      // The certificate is on disk; the next instruction or start confirms.
      context.log(.info, "account", "The confirmation is left for later: \(error.message)")
      noticeLapse(error)
      if error.kind == .notRegistered { throw error }
    }
  }

  /// Has the PIN judged; unlocks with a right one, unless the wallet was locked since `epoch`.
  func unlock(
    _ pin: Pin, since epoch: UInt64, _ job: JobQueue.Job
  ) throws(WalletError) -> JudgedPin {
    let judged = try judge(pin, opensVault: true, job)
    guard let vaultKey = judged.vaultKey else { return judged }
    // A block may have come while the provider judged.
    try context.requireAllowedVersion()
    guard context.lock.unlock(with: vaultKey, since: epoch) else { throw Self.lockedMeanwhile }
    return judged
  }

  /// Opens the storage directory, where a stored policy may stand that nobody has seen yet, and
  /// looks whether this app version may go on.
  func requireAllowedVersion(_ job: JobQueue.Job) throws(WalletError) {
    _ = try directory(job)
    try context.requireAllowedVersion()
  }

  /// Has the PIN judged.
  ///
  /// - Parameter opensVault: Whether the vault key is wanted of a right one.
  func judge(
    _ pin: Pin, opensVault: Bool, _ job: JobQueue.Job
  ) throws(WalletError) -> JudgedPin {
    let account = try account(job, creating: false)
    do {
      return try account.checkPin(pin, opensVault: opensVault)
    } catch {
      noticeLapse(error)
      throw error
    }
  }

  /// Tells the provider that the certificate is stored, where it was not told yet. Quiet: nobody
  /// asked for it.
  func confirmInBackground(_ job: JobQueue.Job) {
    do {
      guard let store = try openStore(job, creating: false),
        try Account.awaitsConfirmation(in: store)
      else { return }
      try account(job, creating: false).confirmRegistration()
    } catch {
      context.log(.info, "account", "Nothing could be confirmed now: \(error.message)")
      noticeLapse(error)
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

  /// An account that lapsed unconfirmed is gone on both sides. A wallet that is locked is not locked
  /// again: that would cut off the registration that may wait its turn already.
  func noticeLapse(_ error: WalletError) {
    guard error.kind == .notRegistered else { return }
    context.storage.setRegistration(.known(false))
    guard !context.lock.current.value.isLocked else { return }
    context.lock.lock()
  }

  static var lockedMeanwhile: WalletError {
    WalletError(.cancelled, "The wallet was locked while the request ran, and stays locked.")
  }
}
