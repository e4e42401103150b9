internal import WalletAccount
internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// The last known block of the PIN. Every answer of the provider replaces what is known of it.

extension WalletSession {
  /// Asks the provider whether it accepts a PIN.
  func pinState(_ job: JobQueue.Job) throws(WalletError) -> PinStateResult {
    let account = try account(job, creating: false)
    let asked = try notingLapse { () throws(WalletError) in
      try account.pinState { () throws(WalletError) in try admit(job) }
    }
    context.replacement.note(untold: asked.failures)
    switch asked.state {
    case .notBlocked(let left, let isFinalRound):
      keep(nil)
      // A higher count means a new round, in which no PIN was wrong yet.
      let isSameRound = context.storage.pinAttempts.map { left <= $0.left } ?? false
      context.storage.setPinAttempts(
        isSameRound ? KnownAttempts(left: left, isFinalRound: isFinalRound) : nil)
    case .blocked(let milliseconds): keep(block(of: milliseconds))
    case .blockedPermanently: keep(block(of: nil))
    }
    return asked
  }

  /// Asks the provider about a PIN. Keeps what the answer says about a block and the attempts left,
  /// and logs a refusal, without the PIN.
  func asking<Answer>(
    _ check: KeyPath<Answer, PinCheck>, _ ask: () throws(WalletError) -> Answer
  ) throws(WalletError) -> Answer {
    let answer = try notingLapse(ask)
    var refusal: String?
    switch answer[keyPath: check] {
    case .valid:
      keep(nil)
      context.storage.setPinAttempts(nil)
    case .wrong(let left, let isFinalRound):
      keep(nil)
      context.storage.setPinAttempts(KnownAttempts(left: left, isFinalRound: isFinalRound))
      refusal = "; attempts left: \(left)" + (isFinalRound ? " of the final round" : "")
    case .blocked(let milliseconds):
      keep(block(of: milliseconds))
      refusal = " and accepts none for \(milliseconds) ms"
    case .blockedPermanently:
      keep(block(of: nil))
      refusal = " and accepts none any more"
    }
    if let refusal {
      context.replacement.askAgain()
      context.log(.debug, "account", "The provider refused the PIN\(refusal).")
    }
    return answer
  }

  /// Locks if the PIN has reached a block.
  func lockIfBlocked(_ check: PinCheck) -> PinCheck {
    switch check {
    case .valid, .wrong: break
    case .blocked, .blockedPermanently: context.lockAfterBlock()
    }
    return check
  }

  /// Asks the provider what an account needs that has not lapsed.
  private func notingLapse<Answer>(
    _ ask: () throws(WalletError) -> Answer
  ) throws(WalletError) -> Answer {
    do {
      return try ask()
    } catch {
      noteIfLapsed(error)
      throw error
    }
  }

  /// A block that the provider told of just now; permanent if `milliseconds` is nil.
  private func block(of milliseconds: UInt64?) -> PinBlock {
    PinBlock(
      toldAt: context.updatePolicy.providerTime,
      duration: milliseconds.map { Int64(clamping: $0) })
  }

  /// Keeps a block, or that there is none. A failure is only logged, because the block is known in
  /// this process all the same.
  private func keep(_ block: PinBlock?) {
    // The next round begins when the block ends.
    if block != nil { context.storage.setPinAttempts(nil) }
    // Nothing to write: there was no block and there is none now.
    guard let store, block != nil || context.storage.pinBlock != nil else { return }
    context.storage.setPinBlock(
      block.map { .since(context.environment.clock.now(), duration: $0.duration) })
    context.attempt("account", "The block of the PIN was not stored", level: .warning) {
      () throws(WalletError) in
      try Account.setPinBlock(block, in: store)
    }
  }
}

extension WalletContext {
  /// Locks after the last attempt, whoever asked for it: the person who holds the unlocked phone is
  /// guessing the PIN. A locked wallet is not locked again: that would end what was asked for since.
  func lockAfterBlock() {
    if !lock.current.value.isLocked { lock.lock() }
  }
}
