internal import WalletAccount
internal import WalletConfiguration
internal import WalletModel
internal import WalletPlatform
internal import WalletUseCases

// The last known block of the PIN. Every answer of the provider replaces what is known of it.

extension WalletSession {
  /// Asks the provider whether it accepts a PIN.
  func pinState(_ job: JobQueue.Job) throws(WalletError) -> PinState {
    let account = try account(job, creating: false)
    do {
      let state = try account.pinState()
      switch state {
      case .notBlocked(let left, let isFinalRound):
        keep(nil)
        // More than was known is a new round, about which there is nothing to tell.
        let isSameRound = context.storage.pinAttempts.map { left <= $0.left } ?? false
        context.storage.setPinAttempts(
          isSameRound ? KnownAttempts(left: left, isFinalRound: isFinalRound) : nil)
      case .blocked(let milliseconds): keep(block(of: milliseconds))
      case .blockedPermanently: keep(block(of: nil))
      }
      return state
    } catch {
      noteIfLapsed(error)
      throw error
    }
  }

  /// Keeps what the provider's answer to a PIN says about a block and the attempts left.
  func noteBlock(_ check: PinCheck) {
    switch check {
    case .valid:
      keep(nil)
      context.storage.setPinAttempts(nil)
    case .wrong(let left, let isFinalRound):
      keep(nil)
      context.storage.setPinAttempts(KnownAttempts(left: left, isFinalRound: isFinalRound))
    case .blocked(let milliseconds): keep(block(of: milliseconds))
    case .blockedPermanently: keep(block(of: nil))
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
    // An unlock without a block before it writes nothing.
    guard let store, block != nil || context.storage.pinBlock != nil else { return }
    context.storage.setPinBlock(
      block.map { .since(context.environment.clock.now(), duration: $0.duration) })
    do {
      try Account.setPinBlock(block, in: store)
    } catch {
      context.log(.warning, "account", "The block of the PIN was not stored: \(error.message)")
    }
  }
}
