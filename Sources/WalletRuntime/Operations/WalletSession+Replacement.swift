internal import WalletAccount
internal import WalletCrypto
internal import WalletModel
internal import WalletPlatform
internal import WalletProtocol

extension WalletSession {
  /// Has the provider check the PIN and carry out the owner's decision on another wallet.
  func decideReplacement(
    _ decision: ReplacementDecision, on session: String, _ pin: Pin, _ job: JobQueue.Job
  ) throws(WalletError) -> PinCheckResult {
    let account = try account(job, creating: false)
    do {
      let checked = try account.decideReplacement(decision, on: session, pin)
      noteBlock(checked.check)
      logRefusal(checked.check)
      return checked
    } catch {
      noteIfLapsed(error)
      throw error
    }
  }

  /// Asks the provider in the background whether another wallet waits to take the place of this one,
  /// unless it has told so lately. A wallet without a PID is not proofed and need not ask.
  func askAboutReplacement(_ job: JobQueue.Job) {
    do throws(WalletError) {
      guard context.replacement.isOld(now: context.environment.clock.now()),
        try account(job, creating: false).hasPID()
      else { return }
      _ = try pinState(job)
    } catch {
      context.log(
        .debug, "account", "The provider could not be asked in the background: \(error.message)")
    }
  }
}

extension Replacement {
  /// - Parameter now: on the core's clock.
  init(_ notice: ReplacementNotice, now: Milliseconds) {
    let (end, overflow) = now.addingReportingOverflow(
      Milliseconds(clamping: notice.takesEffectInMilliseconds))
    self.init(session: notice.session, takesEffectAt: overflow ? .max : end)
  }
}
