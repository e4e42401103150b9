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
  /// The number of wrong PINs since the registration, for the owner.
  public var failures: Int
  /// When the last of them came, in milliseconds since 1970; nil if there was none.
  public var failedAt: Int64?
  /// Those of the last 30 days.
  public var recent: RecentFailures

  public init(
    wrongAttempts: Int = 0, block: AttemptBlock? = nil, blockedPermanently: Bool = false,
    failures: Int = 0, failedAt: Int64? = nil, recent: RecentFailures = RecentFailures()
  ) {
    self.wrongAttempts = wrongAttempts
    self.block = block
    self.blockedPermanently = blockedPermanently
    self.failures = failures
    self.failedAt = failedAt
    self.recent = recent
  }

  /// What a right PIN and `pin_state` are told of wrong ones; nil if there was none.
  var told: FailedAttempts? {
    failedAt.map { FailedAttempts(count: UInt64(clamping: failures), lastAt: $0 / 1000) }
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
    let (left, isFinal) = attemptsLeft(policy: policy, now: now)
    return .notBlocked(attemptsLeft: left, finalRound: isFinal)
  }

  /// Counts a wrong PIN and returns the answer to it.
  mutating func countWrongAttempt(policy: AttemptPolicy, now: Int64) -> InstructionOutcome {
    wrongAttempts = min(max(wrongAttempts, 0), policy.lastAttempt) + 1
    failures = min(max(failures, 0), Int(Int32.max) - 1) + 1
    failedAt = now
    recent.add(now: now)
    block = nil
    guard wrongAttempts < policy.lastAttempt, recent.count(now: now) < policy.failuresPerMonth
    else {
      blockedPermanently = true
      return .blockedPermanently(counted: true)
    }
    let (round, inRound) = wrongAttempts.quotientAndRemainder(dividingBy: policy.attemptsPerRound)
    if inRound == 0 {
      let duration = policy.blockDurations[round - 1]
      block = AttemptBlock(since: now, duration: duration)
      return .blocked(milliseconds: UInt64(clamping: duration), counted: true)
    }
    let (left, isFinal) = attemptsLeft(policy: policy, now: now)
    return .wrong(attemptsLeft: left, finalRound: isFinal)
  }

  /// How many attempts are left until the next block, and whether that is permanent: at the end of
  /// the last round, or where the limit of 30 days ends the round.
  private func attemptsLeft(policy: AttemptPolicy, now: Int64) -> (UInt32, isFinal: Bool) {
    let wrong = min(max(wrongAttempts, 0), policy.lastAttempt - 1)
    let (round, inRound) = wrong.quotientAndRemainder(dividingBy: policy.attemptsPerRound)
    let left = policy.attemptsPerRound - inRound
    // At least one, also under a stricter policy than that of the last attempt.
    let leftInMonth = max(1, policy.failuresPerMonth - recent.count(now: now))
    return (
      UInt32(clamping: min(left, leftInMonth)), round == policy.rounds - 1 || leftInMonth <= left
    )
  }

  /// Begins the rounds anew after a right PIN. The wrong ones of 30 days still count, and the owner
  /// is still told.
  mutating func reset() {
    wrongAttempts = 0
    block = nil
    blockedPermanently = false
  }

  /// Begins the rounds and the 30 days anew, as the operator wants it. The owner is still told.
  mutating func unblock() {
    reset()
    recent = RecentFailures()
  }
}
