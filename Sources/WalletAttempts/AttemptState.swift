public import WalletProtocol

/// A wallet's attempts at the PIN, and the rules by which they are counted.
///
/// An attempt is counted when it begins: when the PIN is evaluated. Only the proof that the PIN was
/// right takes the count back. An attempt that is never answered therefore counts like a wrong PIN.
public struct AttemptState: Sendable, Equatable, Codable {
  /// How long after its beginning an attempt can be answered, in milliseconds. The answer to the
  /// attempt that begins a block is accepted that long too, and a right PIN then ends the block.
  public static let answerLife: Int64 = 120_000

  /// The number of attempts since the last right PIN.
  public var wrongAttempts: Int
  /// The block after the last completed round; it may be over.
  public var block: AttemptBlock?
  /// Whether no further attempt is allowed.
  public var blockedPermanently: Bool
  /// The number of wrong PINs since the registration, for the owner, without the open attempt.
  public var failures: Int
  /// When the last wrong PIN came, in milliseconds since 1970; nil if there was none.
  public var failedAt: Int64?
  /// The wrong PINs of the last 30 days, without the open attempt.
  public var recent: RecentFailures
  /// When the newest attempt began, in milliseconds since 1970, while it has no answer.
  public var openSince: Int64?

  public init(
    wrongAttempts: Int = 0, block: AttemptBlock? = nil, blockedPermanently: Bool = false,
    failures: Int = 0, failedAt: Int64? = nil, recent: RecentFailures = RecentFailures(),
    openSince: Int64? = nil
  ) {
    self.wrongAttempts = wrongAttempts
    self.block = block
    self.blockedPermanently = blockedPermanently
    self.failures = failures
    self.failedAt = failedAt
    self.recent = recent
    self.openSince = openSince
  }

  /// What the answer to a right PIN tells of wrong PINs; nil if there was none.
  public var told: FailedAttempts? {
    failedAt.map { FailedAttempts(count: UInt64(clamping: failures), lastAt: $0 / 1000) }
  }

  /// The answer if no attempt is allowed; nil if one is. At the very end of a block, an attempt is
  /// allowed.
  public mutating func refusal(now: Int64) -> InstructionOutcome? {
    if blockedPermanently { return .blockedPermanently(counted: false) }
    return block?.remaining(now: now).map {
      .blocked(milliseconds: UInt64(clamping: $0), counted: false)
    }
  }

  /// The answer to `pin_state`: the block, or how many attempts the round has left. Counts nothing
  /// but an attempt that can no longer be answered.
  public mutating func state(policy: AttemptPolicy, now: Int64) -> InstructionOutcome {
    closeUnanswered(now: now)
    if let refusal = refusal(now: now) { return refusal }
    let (left, isFinal) = attemptsLeft(policy: policy, now: now)
    return .notBlocked(attemptsLeft: left, finalRound: isFinal)
  }

  /// Begins an attempt and counts it. An earlier one that has no answer counts as a wrong PIN.
  ///
  /// - Returns: The answer if no attempt is allowed; nil if one has begun.
  public mutating func begin(policy: AttemptPolicy, now: Int64) -> InstructionOutcome? {
    if let refusal = refusal(now: now) { return refusal }
    closeAsWrong()
    wrongAttempts = min(max(wrongAttempts, 0), policy.lastAttempt) + 1
    openSince = now
    block = nil
    guard wrongAttempts < policy.lastAttempt, recent.count(now: now) + 1 < policy.failuresPerMonth
    else {
      blockedPermanently = true
      return nil
    }
    let (round, inRound) = wrongAttempts.quotientAndRemainder(dividingBy: policy.attemptsPerRound)
    if inRound == 0 {
      block = AttemptBlock(since: now, duration: policy.blockDurations[round - 1])
    }
    return nil
  }

  /// Whether the newest attempt can still be answered.
  public func isOpen(now: Int64) -> Bool {
    guard let openSince else { return false }
    let (difference, overflow) = now.subtractingReportingOverflow(openSince)
    // The clock may have been set back meanwhile.
    return !overflow && difference.magnitude <= UInt64(Self.answerLife)
  }

  /// Ends the open attempt with a right PIN: the rounds begin anew, and a block that this attempt
  /// has begun is lifted. The wrong PINs of the last 30 days still count, and the owner is still
  /// told of them.
  public mutating func endWithRightPin() {
    openSince = nil
    wrongAttempts = 0
    block = nil
    blockedPermanently = false
  }

  /// Ends the open attempt with a wrong PIN and returns the answer to it. A block that this attempt
  /// has begun begins now, in full.
  public mutating func endWithWrongPin(policy: AttemptPolicy, now: Int64) -> InstructionOutcome {
    if let block, openSince != nil {
      self.block = AttemptBlock(since: max(block.since, now), duration: block.duration)
    }
    closeAsWrong()
    if blockedPermanently { return .blockedPermanently(counted: true) }
    if let left = block?.remaining(now: now) {
      return .blocked(milliseconds: UInt64(clamping: left), counted: true)
    }
    let (left, isFinal) = attemptsLeft(policy: policy, now: now)
    return .wrong(attemptsLeft: left, finalRound: isFinal)
  }

  /// What another counter of the same attempts needs to know to be at least as strict.
  public mutating func standing(now: Int64) -> AttemptStanding {
    AttemptStanding(
      attempts: UInt64(clamping: wrongAttempts),
      blockedMilliseconds: block?.remaining(now: now).map { UInt64(clamping: $0) },
      isBlockedPermanently: blockedPermanently)
  }

  /// Takes over whatever is stricter at the other counter.
  public mutating func tighten(to other: AttemptStanding, now: Int64) {
    wrongAttempts = max(wrongAttempts, Int(clamping: min(other.attempts, UInt64(Int32.max))))
    if other.isBlockedPermanently { blockedPermanently = true }
    guard let theirs = other.blockedMilliseconds.map({ Int64(clamping: $0) }) else { return }
    if theirs > block?.remaining(now: now) ?? 0 {
      block = AttemptBlock(since: now, duration: theirs)
    }
  }

  /// Blocks the wallet permanently, for an operator. The answer to an open attempt does not lift
  /// this block.
  public mutating func blockForGood() {
    closeAsWrong()
    blockedPermanently = true
    block = nil
  }

  /// Begins the rounds and the count of 30 days anew, for an operator. The owner is still told of
  /// the earlier wrong PINs.
  public mutating func unblock() {
    closeAsWrong()
    endWithRightPin()
    recent = RecentFailures()
  }

  /// Begins in the last round, because the true count is not known. An attempt that a right PIN
  /// answers begins the rounds anew.
  public mutating func beginInLastRound(policy: AttemptPolicy) {
    wrongAttempts = max(wrongAttempts, (policy.rounds - 1) * policy.attemptsPerRound)
  }

  /// Whether an attempt of the last round was made since the last right PIN.
  public func isInLastRound(policy: AttemptPolicy) -> Bool {
    blockedPermanently || wrongAttempts > (policy.rounds - 1) * policy.attemptsPerRound
  }

  /// Counts the open attempt as a wrong PIN if it can no longer be answered.
  public mutating func closeUnanswered(now: Int64) {
    if !isOpen(now: now) { closeAsWrong() }
  }

  private mutating func closeAsWrong() {
    guard let openSince else { return }
    self.openSince = nil
    failures = min(max(failures, 0), Int(Int32.max) - 1) + 1
    failedAt = openSince
    recent.add(now: openSince)
  }

  /// How many attempts are left until the next block, and whether that block is permanent. It is
  /// permanent in the last round, and if the limit for 30 days will be reached in this round.
  private func attemptsLeft(policy: AttemptPolicy, now: Int64) -> (UInt32, isFinal: Bool) {
    let wrong = min(max(wrongAttempts, 0), policy.lastAttempt - 1)
    let (round, inRound) = wrong.quotientAndRemainder(dividingBy: policy.attemptsPerRound)
    let left = policy.attemptsPerRound - inRound
    // At least one attempt is left, even if the policy has become stricter since the last attempt.
    let leftInMonth = max(1, policy.failuresPerMonth - recent.count(now: now))
    return (
      UInt32(clamping: min(left, leftInMonth)), round == policy.rounds - 1 || leftInMonth <= left
    )
  }
}
