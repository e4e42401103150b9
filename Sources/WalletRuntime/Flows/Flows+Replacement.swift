internal import WalletAccount
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletUseCases

// What the owner hears besides the answer to a PIN: another wallet that waits to take the place of
// this one (UC7.1 rows 4.1 to 4.5), and wrong PINs.

extension Flows {
  /// Called after an unlock without the provider. Asks the provider in the background, so that the
  /// owner hears in time of another wallet that waits to take the place of this one, and of wrong
  /// PINs.
  func askForNotices() {
    guard context.replacement.isOld(now: context.environment.clock.now()) else { return }
    // If the wallet is locked before the provider was asked, the next unlock tells or asks.
    let epoch = context.lock.epoch
    jobs.addRepeated { [self] session, job in
      guard context.lock.epoch == epoch else { return true }
      let answer = session.askForNotices(job)
      // An answer is enough, even if a request came right after it: a second one would tell of wrong
      // PINs that the user has entered meanwhile.
      guard answer != nil || !job.cancellation.isCancelled else { return false }
      if let failures = answer?.failures { state.withLock { $0.untoldFailures = failures } }
      post(.factsChanged)
      post(.blockChanged)
      return true
    }
  }

  /// Forgets the wrong PINs that were learned without a PIN: the answer to a right one tells of all, or
  /// says that there are none.
  func forgetUntoldFailures() { state.withLock { $0.untoldFailures = nil } }

  /// Forgets those of which a completion has told.
  func forget(told failures: PinFailures) {
    state.withLock { state in
      guard let untold = state.untoldFailures, untold.wallet == failures.wallet,
        untold.total <= failures.total
      else { return }
      state.untoldFailures = nil
    }
  }

  /// Notes that a step tells of the wrong PINs that were learned without a PIN. If a lock came
  /// first, the step is not shown, and the next unlock tells them.
  func noteFailuresTold() {
    guard !context.lock.current.value.isLocked else { return }
    state.withLock { state in
      state.shownFailures = state.untoldFailures ?? state.shownFailures
      state.untoldFailures = nil
    }
  }

  /// Notes that a host has taken `step`, which may tell of wrong PINs.
  func noteTold(by step: Step) {
    guard step.notices.contains(Notice.failedAttempts.rawValue),
      let told = state.withLock({ $0.takeShownFailures(of: step) })
    else { return }
    jobs.add(waitsForBackground: true) { session, job in session.noteTold(told, job) }
  }

  /// Sends the provider the PIN together with the decision that the user made before, and replies
  /// to the engine with the result.
  func decideReplacement(
    _ decision: ReplacementDecision, _ pending: Pending, _ session: WalletSession,
    _ job: JobQueue.Job
  ) throws(WalletError) {
    guard let seen = state.withLock({ $0.engine.seenReplacement }) else {
      throw WalletError(.internalDefect, "There is no replacement to decide on.")
    }
    let checked = try session.decideReplacement(decision, on: seen, pin(pending), job)
    reply(pending.id, checked)
  }
}

extension ReplacementDecision {
  /// The decision that the user confirms with the PIN in the row `caller`; nil if the PIN in that
  /// row confirms something else.
  init?(caller: RowID?) {
    switch caller {
    case .refuseByPin: self = .refuse
    case .allowByPin: self = .allow
    default: return nil
    }
  }
}
