internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletStorage

extension WalletSession {
  /// How long a registration that has happened waits for each answer to its confirmation, which is
  /// noted as still open.
  private static let confirmationTimeout: Milliseconds = 5000

  /// Registers and passes the new vault key to `unlock`. Neither the key nor the PIN is held while
  /// the provider is told, so that a lock in between can wipe them. A lock limits the wait for the
  /// provider; the registration then ends as cancelled.
  func register(
    _ pin: () throws(WalletError) -> Pin, _ job: JobQueue.Job, unlock: (Secret) -> Void
  ) throws(WalletError) {
    context.registrations.begin(job)
    defer { context.registrations.end() }
    try requireSecureDevice(job)
    let account = try account(job, creating: true)
    try open(account, pin, job, unlock)
    try confirmRegistration(of: account)
  }

  /// A separate function, so that the references to the PIN and the key end with it. There is a
  /// wallet before it is unlocked, so that whoever learns of the unlock finds one.
  private func open(
    _ account: Account, _ pin: () throws(WalletError) -> Pin, _ job: JobQueue.Job,
    _ unlock: (Secret) -> Void
  ) throws(WalletError) {
    let vaultKey = try account.register(try pin()) { () throws(WalletError) in try admit(job) }
    context.storage.setRegistration(.known(true))
    unlock(vaultKey)
  }

  /// Tells the provider that the certificate is stored. If that fails, the next instruction or start
  /// tells it again; only a registration that has lapsed is an error.
  private func confirmRegistration(of account: Account) throws(WalletError) {
    let failure = context.attempt("account", "The registration will be confirmed later") {
      () throws(WalletError) in
      try account.confirmRegistration(timeout: Self.confirmationTimeout)
    }
    guard let failure, failure.kind == .notRegistered else { return }
    noteIfLapsed(failure)
    throw failure
  }

  /// Checks the PIN with the provider. What the gate refuses before the PIN is evaluated costs no
  /// attempt. What it refuses after that is not checked, and the attempt counts.
  ///
  /// - Parameter opensVault: Whether to open the vault key if the PIN is valid, to unlock with it.
  func checkPin(
    _ pin: Pin, opensVault: Bool, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheckResult {
    let account = try account(job, creating: false)
    let checked = try asking(\.check) { () throws(WalletError) in
      try account.checkPin(pin, opensVault: opensVault) { () throws(WalletError) in
        try admit(job)
      }
    }
    if opensVault { weakPin = checked.weakPin }
    if case .valid = checked.check { context.replacement.note(untold: checked.failures) }
    return checked
  }

  /// Notes that the owner was told of wrong PINs. If that fails, or the process ends before, they
  /// are told once more.
  func noteTold(_ failures: PinFailures, _ job: JobQueue.Job) {
    context.attempt("account", "That wrong PINs were told was not stored", level: .warning) {
      () throws(WalletError) in
      try account(job, creating: false).noteTold(failures)
    }
  }

  /// Confirms to the provider that the certificate is stored, if that is still open.
  func confirmInBackground(_ job: JobQueue.Job) {
    let failure = context.attempt("account", "The registration could not be confirmed now") {
      () throws(WalletError) in
      guard let store = try openStore(job, creating: false),
        try Account.awaitsConfirmation(in: store)
      else { return }
      try account(job, creating: false).confirmRegistration()
    }
    if let failure { noteIfLapsed(failure) }
  }

  private func requireSecureDevice(_ job: JobQueue.Job) throws(WalletError) {
    let answer: Secret
    do {
      answer = try context.platform.perform(.deviceSecure, cancellation: job.cancellation)
    } catch .missing {
      return
    } catch { throw error.walletError("check the device") }
    switch answer.disclosed() {
    case [1]: return
    case [0]:
      throw WalletError(
        .deviceInsecure, "The utilities bridge says that the device is not secure.")
    default:
      throw WalletError(
        .bridgeFailed, "utilities_bridge.device_secure must reply one byte, 0 or 1.")
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
}
