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
    return try asking(\.check) { () throws(WalletError) in
      try account.decideReplacement(decision, on: session, pin) { () throws(WalletError) in
        try admit(job)
      }
    }
  }

  /// Asks the provider in the background whether another wallet waits to take the place of this one,
  /// unless it has told so lately. A wallet without a PID is not proofed and need not ask.
  func askAboutReplacement(_ job: JobQueue.Job) {
    context.attempt("account", "The provider was not asked about another wallet") {
      () throws(WalletError) in
      guard context.replacement.isOld(now: context.environment.clock.now()),
        try account(job, creating: false).hasPID()
      else { return }
      _ = try pinState(job)
    }
  }
}

extension OwnerNotices.Replacement {
  /// - Parameter now: on the core's clock.
  init(_ replacement: Replacement, now: Milliseconds) {
    let (left, overflow) = replacement.takesEffectAt.subtractingReportingOverflow(now)
    self.init(session: replacement.session, takesEffectIn: overflow ? .max : max(0, left))
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
