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

  /// Asks the provider in the background what a right PIN would have been told: another wallet that
  /// waits to take the place of this one, and wrong PINs. Does nothing if it was asked lately.
  ///
  /// - Returns: Its answer; nil if it was not asked or has not answered.
  func askForNotices(_ job: JobQueue.Job) -> PinStateResult? {
    var answer: PinStateResult?
    context.attempt("account", "The provider was not asked for notices") {
      () throws(WalletError) in
      guard context.replacement.isOld(now: context.environment.clock.now()) else { return }
      answer = try pinState(job)
    }
    return answer
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
