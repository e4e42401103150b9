internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform

extension WalletSession {
  /// Changes the PIN of the unlocked wallet. A lock ends it before the former PIN was sent; afterwards
  /// the provider's word counts.
  func changePin(
    _ pin: Pin, to newPin: Pin, since epoch: UInt64, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheck {
    try requireUnlocked(since: epoch, job)
    let account = try account(job, creating: false)
    let check: PinCheck
    do {
      check = try account.changePin(pin, to: newPin) { () throws(WalletError) in
        try requireUnlocked(since: epoch, job)
      }
    } catch {
      noticeLapse(error)
      throw error
    }
    switch check {
    case .valid, .wrong: break
    // Whoever holds the open phone has guessed.
    case .blocked, .blockedPermanently: context.lock.lock()
    }
    return check
  }

  /// Puts the stronger key of the PIN that opened the wallet in force, while it is still unlocked. Quiet:
  /// nobody asked for it, and the next right PIN tries again.
  func changePinKey(_ change: PinKeyChange, since epoch: UInt64, _ job: JobQueue.Job) {
    do {
      try requireUnlocked(since: epoch, job)
      let account = try account(job, creating: false)
      try account.changePinKey(change) { () throws(WalletError) in
        try requireUnlocked(since: epoch, job)
      }
    } catch {
      context.log(.info, "account", "The PIN key stays as it is for now: \(error.message)")
      noticeLapse(error)
    }
    if hasOpenPinChange { settlePinChange(job) }
  }

  /// Whether the provider has to be told how a change of the PIN ended; false while that is not known.
  var hasOpenPinChange: Bool {
    guard let store else { return false }
    return (try? Account.hasOpenPinChange(in: store)) ?? false
  }

  /// Tells it. Quiet: nobody asked for it.
  func settlePinChange(_ job: JobQueue.Job) {
    do {
      try account(job, creating: false).settlePinChange()
    } catch {
      context.log(.info, "account", "The change of the PIN is settled later: \(error.message)")
    }
  }
}
