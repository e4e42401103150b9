internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

extension WalletSession {
  /// Changes the PIN of the unlocked wallet. If the wallet is locked before the key of the new PIN
  /// is sent, the change ends. After that the provider decides how it ends.
  func changePin(
    _ pin: Pin, to newPin: Pin, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheck {
    let account = try account(job, creating: false)
    return try asking(\.self) { () throws(WalletError) in
      try account.changePin(pin, to: newPin) { () throws(WalletError) in try admit(job) }
    }
  }

  /// Puts the stronger key of the PIN in force, if the wallet is still unlocked and no request waits.
  /// A failure is only logged, because the next valid PIN tries again.
  func changePinKey(_ change: PinKeyChange, _ job: JobQueue.Job) {
    let failure = context.attempt("account", "The PIN key was not replaced for now") {
      () throws(WalletError) in
      try admit(job)
      let account = try account(job, creating: false)
      try account.changePinKey(change) { () throws(WalletError) in try admit(job) }
    }
    if let failure { noteIfLapsed(failure) }
    // After a request that interrupts this job, it is settled then.
    if hasOpenPinChange, !job.cancellation.isCancelled { settlePinChange(job) }
  }

  /// Whether the provider must be told how a change of the PIN ended; false if that is not known.
  var hasOpenPinChange: Bool {
    store.flatMap { try? Account.hasOpenPinChange(in: $0) } ?? false
  }

  /// Tells the provider how the change of the PIN ended. A failure is only logged, because this is
  /// background work.
  func settlePinChange(_ job: JobQueue.Job) {
    context.attempt("account", "The change of the PIN will be settled later") {
      () throws(WalletError) in
      try account(job, creating: false).settlePinChange()
    }
  }
}
