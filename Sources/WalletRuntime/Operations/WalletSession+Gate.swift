internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

/// What a request depends on. It is checked when the request's turn comes, and for a wipe again at
/// its point of no return, after which it is carried out whatever happens.
struct Gate: Sendable {
  let request: WalletRequest
  /// The count of locks when the request was made.
  let epoch: UInt64
}

extension WalletSession {
  /// Admits a request. Every request passes here before it does anything.
  ///
  /// - Throws: `versionBlocked`, `notRegistered`; `locked` if the request needs an unlocked wallet;
  ///   `cancelled` if it was cancelled, its client has ended, or the wallet that it would have
  ///   unlocked was locked meanwhile.
  func admit(_ gate: Gate, _ job: JobQueue.Job) throws(WalletError) {
    if gate.request.needsAllowedVersion { try requireAllowedVersion(job) }
    if gate.request.needsRegistration { try requireRegistration(job) }
    if gate.request.needsUnlocked { try requireUnlocked(since: gate.epoch, job) }
    if gate.request.opens, context.lock.epoch != gate.epoch { throw Self.lockedMeanwhile }
    guard !job.cancellation.isCancelled else {
      throw WalletError(.cancelled, "The request was cancelled before it did anything.")
    }
  }

  private func requireRegistration(_ job: JobQueue.Job) throws(WalletError) {
    guard let store = try openStore(job, creating: false), try Account.isRegistered(in: store)
    else { throw Self.notRegistered }
  }
}
