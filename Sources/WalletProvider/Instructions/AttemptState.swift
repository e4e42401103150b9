import WalletProtocol

/// A block of PIN attempts: a duration that starts at a time of the provider's clock.
public struct AttemptBlock: Sendable, Equatable {
  /// Milliseconds since 1970.
  public var since: Int64
  /// Milliseconds. Stored with the block, so that a change of policy never shortens it.
  public var duration: Int64
  /// Milliseconds since 1970: the start that counts while the clock is behind `since`; nil if the
  /// clock was never seen behind it.
  public var restarted: Int64?

  public init(since: Int64, duration: Int64, restarted: Int64? = nil) {
    self.since = since
    self.duration = duration
    self.restarted = restarted
  }

  /// The remaining time; nil once the block is over. A clock that went back behind the start
  /// restarts the block, so that it does end. Correcting the clock afterwards does not end it any
  /// sooner.
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

/// A wallet's wrong PINs, and the rules by which they are counted.
public struct AttemptState: Sendable, Equatable {
  /// The number of wrong PINs since the last right one.
  public var wrongAttempts: Int
  /// The block after the last completed round; it may be over.
  public var block: AttemptBlock?
  /// Whether no PIN is ever checked again.
  public var blockedPermanently: Bool

  public init(wrongAttempts: Int = 0, block: AttemptBlock? = nil, blockedPermanently: Bool = false)
  {
    self.wrongAttempts = wrongAttempts
    self.block = block
    self.blockedPermanently = blockedPermanently
  }

  /// The answer while no attempt is allowed; nil if one is. When a block is just over, an attempt
  /// is allowed.
  mutating func refusal(now: Int64) -> InstructionOutcome? {
    if blockedPermanently { return .blockedPermanently(counted: false) }
    return block?.remaining(now: now).map {
      .blocked(milliseconds: UInt64(clamping: $0), counted: false)
    }
  }

  /// The answer to `pin_state`: the block, or how many attempts the round has left. Counts nothing.
  mutating func state(policy: AttemptPolicy, now: Int64) -> InstructionOutcome {
    if let refusal = refusal(now: now) { return refusal }
    let wrong = min(max(wrongAttempts, 0), policy.lastAttempt - 1)
    let (round, inRound) = wrong.quotientAndRemainder(dividingBy: policy.attemptsPerRound)
    return .notBlocked(
      attemptsLeft: UInt32(clamping: policy.attemptsPerRound - inRound),
      finalRound: round == policy.rounds - 1)
  }

  /// Counts a wrong PIN and returns the answer to it.
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

  /// Resets the count after a right PIN.
  mutating func reset() { self = AttemptState() }
}
