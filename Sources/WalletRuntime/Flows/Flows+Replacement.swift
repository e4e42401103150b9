internal import WalletAccount
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol
internal import WalletUseCases

// Another wallet that waits to take the place of this one (UC7.1 rows 4.1 to 4.5).

extension Flows {
  /// Called after an unlock without the provider. Asks the provider in the background, so that the
  /// owner hears in time of another wallet that waits to take the place of this one.
  func askAboutReplacement() {
    guard context.replacement.isOld(now: context.environment.clock.now()) else { return }
    jobs.addUntilDone { [self] session, job in
      session.askAboutReplacement(job)
      guard !job.cancellation.isCancelled else { return }
      post(.factsChanged)
      post(.blockChanged)
    }
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
