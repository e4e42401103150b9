import WalletProtocol

/// A running block: a duration from a point of the provider's clock.
public struct AttemptBlock: Sendable, Equatable {
  /// Milliseconds since 1970.
  public var since: Int64
  /// Milliseconds. Kept here and not looked up: a change of policy never shortens a block.
  public var duration: Int64
  /// Milliseconds since 1970: from where it is counted while the clock is behind `since`; nil where
  /// the clock was never seen there.
  public var restarted: Int64?

  public init(since: Int64, duration: Int64, restarted: Int64? = nil) {
    self.since = since
    self.duration = duration
    self.restarted = restarted
  }

  /// The time left; nil at the very end. A clock that went back behind the start starts the block
  /// anew, so that it ends; one that is put right again afterwards ends it no sooner for that.
  public mutating func remaining(now: Int64) -> Int64? {
    var start = since
    if now < since {
      start = min(restarted ?? now, now)
      restarted = start
    }
    let (elapsed, overflow) = now.subtractingReportingOverflow(start)
    return overflow || elapsed >= duration ? nil : duration - elapsed
  }
}

/// What the provider remembers of a wallet's wrong PINs, and the rules by which it changes.
public struct AttemptState: Sendable, Equatable {
  /// Since the last right PIN.
  public var wrongAttempts: Int
  /// The block that the last round ended with; it may have run out.
  public var block: AttemptBlock?
  /// No PIN is ever looked at again.
  public var blockedPermanently: Bool

  public init(wrongAttempts: Int = 0, block: AttemptBlock? = nil, blockedPermanently: Bool = false)
  {
    self.wrongAttempts = wrongAttempts
    self.block = block
    self.blockedPermanently = blockedPermanently
  }

  /// The answer while no attempt is allowed; nil when one is. At the very end of a block one is.
  mutating func refusal(now: Int64) -> InstructionOutcome? {
    if blockedPermanently { return .blockedPermanently(counted: false) }
    return block?.remaining(now: now).map {
      .blocked(milliseconds: UInt64(clamping: $0), counted: false)
    }
  }

  /// Counts a wrong PIN; the answer to it.
  mutating func countWrongAttempt(policy: AttemptPolicy, now: Int64) -> InstructionOutcome {
    wrongAttempts = min(max(wrongAttempts, 0), policy.lastAttempt) + 1
    block = nil
    guard wrongAttempts < policy.lastAttempt else {
      blockedPermanently = true
      return .blockedPermanently(counted: true)
    }
    let (round, inRound) = wrongAttempts.quotientAndRemainder(dividingBy: policy.attemptsPerRound)
    if inRound == 0 {
      let duration = policy.blockDurations[round - 1]
      block = AttemptBlock(since: now, duration: duration)
      return .blocked(milliseconds: UInt64(clamping: duration), counted: true)
    }
    return .wrong(
      attemptsLeft: UInt32(clamping: policy.attemptsPerRound - inRound),
      finalRound: round == policy.rounds - 1)
  }

  /// A right PIN forgets all wrong ones.
  mutating func reset() { self = AttemptState() }
}
