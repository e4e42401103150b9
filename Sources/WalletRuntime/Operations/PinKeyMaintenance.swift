internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

/// What follows from a PIN without anybody asking for it: changes are settled with the provider, and
/// keys that cost too little work are derived anew. In the background of the worker.
struct PinKeyMaintenance: Sendable {
  let context: WalletContext
  let jobs: JobQueue

  /// After each job: has the provider told how a change of the PIN ended, where it was not told yet.
  /// What fails is tried again after the next job, and at the next start.
  func settleChange(after session: WalletSession) {
    guard session.hasOpenPinChange else { return }
    jobs.add(isBackground: true) { $0.settlePinChange($1) }
  }

  /// After a right PIN was answered: derives its key anew, and replaces the former one at the provider.
  /// The PIN goes no further than this call, and the keys are given up where the wallet locks first.
  func strengthen(_ weakPin: WeakPin, since epoch: UInt64) {
    guard context.lock.epoch == epoch else { return }
    do {
      let change = try PinKeyChange(strengthening: weakPin)
      jobs.add(isBackground: true) { $0.changePinKey(change, since: epoch, $1) }
    } catch {
      // As on a device that has not got the memory: the key stays as it is.
      context.log(.info, "account", "The PIN key could not be derived with more work.")
    }
  }
}
