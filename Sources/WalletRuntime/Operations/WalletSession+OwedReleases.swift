internal import WalletAccount
internal import WalletModel
internal import WalletPlatform

extension WalletSession {
  /// Whether the provider has to be told of claims that the user has left; false if that is not
  /// known.
  var owesReleases: Bool {
    store.flatMap { try? Account.owesReleases(in: $0) } ?? false
  }

  /// Tells the provider of the claims that the user has left. A failure is only logged, because this
  /// is background work and the next start tries again.
  func releaseOwedClaims(_ job: JobQueue.Job) {
    context.attempt("proofing", "A claim will be released later") { () throws(WalletError) in
      try account(job, creating: false).releaseOwedClaims()
    }
  }

  /// Tells the provider in the background of the claims that the user has left. If a request
  /// interrupts this, it is done again after the request.
  static func releaseOwedClaims(by jobs: JobQueue) {
    jobs.addUntilDone { session, job in
      if session.owesReleases { session.releaseOwedClaims(job) }
    }
  }
}
