internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

/// Background work that follows from a PIN: changes are settled with the provider, and keys that
/// cost too little work are derived again.
struct PinKeyMaintenance: Sendable {
  let context: WalletContext
  let jobs: JobQueue

  /// After each job that may ask the provider: tells it how a change of the PIN ended, if that is
  /// still open. A failure is tried again after the next such job and at the next start.
  func settleChange(after session: WalletSession, _ job: JobQueue.Job) {
    guard job.need == .provider, session.hasOpenPinChange else { return }
    jobs.add(isBackground: true) { $0.settlePinChange($1) }
  }

  /// After a valid PIN was answered: derives its key again with more work and replaces the former
  /// key at the provider. The PIN is not kept after this call, and the keys are dropped if the
  /// wallet locks first.
  ///
  /// - Parameter turn: The turn that the calling job has.
  func strengthen(_ weakPin: WeakPin, since epoch: UInt64, by turn: SessionTurn) {
    guard context.lock.epoch == epoch else { return }
    do {
      let change = try turn.givenAway { try PinKeyChange(strengthening: weakPin) }
      jobs.add(isBackground: true) { $0.changePinKey(change, since: epoch, $1) }
    } catch {
      // For example on a device without enough memory. The key stays as it is.
      context.log(.info, "account", "The PIN key could not be derived with more work.")
    }
  }
}
