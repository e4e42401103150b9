internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

extension WalletSession {
  /// Admits an operation by its gate. Every operation passes here before it does anything, and again
  /// where it cannot be withdrawn any more.
  ///
  /// - Throws: `versionBlocked`, `notRegistered`; `locked` if it needs an unlocked wallet;
  ///   `cancelled` if it was cancelled, its client has ended, or the wallet that it would have
  ///   unlocked was locked meanwhile.
  func admit(_ job: JobQueue.Job) throws(WalletError) {
    let (conditions, epoch) = (job.gate.conditions, job.gate.epoch)
    if conditions.contains(.allowedVersion) {
      // The storage directory may hold a policy that was not read yet.
      _ = try directory(job)
      try context.requireAllowedVersion()
    }
    if conditions.contains(.registered) {
      guard let store = try openStore(job, creating: false), try Account.isRegistered(in: store)
      else { throw Self.notRegistered }
    }
    // A process that was suspended past a deadline may resume exactly here.
    if !conditions.isDisjoint(with: [.unlocked, .notLockedSince]) { context.lock.settle() }
    if conditions.contains(.unlocked) {
      guard !job.abort.isCancelled else { throw Self.lockedMeanwhile }
      guard context.lock.epoch == epoch, !context.lock.current.value.isLocked else {
        throw Self.locked
      }
    }
    if conditions.contains(.notLockedSince), context.lock.epoch != epoch {
      throw Self.lockedMeanwhile
    }
    if conditions.contains(.wanted), job.cancellation.isCancelled {
      throw WalletError(.cancelled, "The request was cancelled before anything was changed.")
    }
  }

  static var notRegistered: WalletError {
    WalletError(.notRegistered, "There is no wallet yet: register first.")
  }

  static var locked: WalletError {
    WalletError(.locked, "The wallet is locked: unlock it first.")
  }

  static var lockedMeanwhile: WalletError {
    WalletError(.cancelled, "The wallet was locked while the request ran, and stays locked.")
  }
}
