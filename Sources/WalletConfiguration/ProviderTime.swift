internal import WalletPlatform

/// The provider's time, in seconds since 1970: that of the last policy that told one, plus what has
/// passed since on a clock that also runs while the device sleeps.
struct ProviderTime: Sendable {
  /// An answer with the nonce of its request.
  struct Answer: Sendable {
    let issuedAt: Int64
    /// The readings of the clock when the request was sent and when the answer came.
    let sentAt: Milliseconds
    let receivedAt: Milliseconds

    /// The bounds of the provider's time: it wrote the answer between the request and its arrival.
    func earliest(at now: Milliseconds) -> Int64 {
      ProviderTime.sum(issuedAt, ProviderTime.seconds(from: receivedAt, to: now))
    }
    func latest(at now: Milliseconds) -> Int64 {
      ProviderTime.sum(issuedAt, ProviderTime.seconds(from: sentAt, to: now))
    }
  }

  /// Seconds by which two right clocks may differ.
  private static let tolerance: Int64 = 10

  /// The time when the clock showed `since`.
  private var time: Int64 = 0
  /// Like `time`, but without what the device's calendar added.
  private var signed: Int64 = 0
  /// Nil until a time is known.
  private var since: Milliseconds?
  /// The highest reading of the clock. A clock that goes back has no effect.
  private var highest = Milliseconds.min
  /// The last answer with the nonce of its request.
  private(set) var lastAnswer: Answer?

  mutating func start(_ time: Int64, signed: Int64, at now: Milliseconds) {
    self.time = time
    self.signed = signed
    since = now
    highest = now
  }

  /// 0 if no time is known.
  mutating func now(at now: Milliseconds) -> Int64 { Self.sum(time, elapsed(now)) }

  /// Like `now(at:)`, but without what the device's calendar added.
  mutating func signed(at now: Milliseconds) -> Int64 { Self.sum(signed, elapsed(now)) }

  /// Takes in the time of an accepted policy.
  ///
  /// A delayed policy does not turn the time back. An answer with the nonce shows that a provider's
  /// clock was ahead, if the known time is later than it can be. After such an answer, a policy
  /// without the nonce moves nothing, until a restart.
  ///
  /// - Parameters:
  ///   - issuedAt: The time in the policy.
  ///   - isNew: Whether it is another policy than the known one.
  ///   - sentAt: When the request was sent whose nonce the policy has; nil if it has none.
  mutating func take(
    _ issuedAt: Int64, isNew: Bool, sentAt: Milliseconds?, at now: Milliseconds
  ) {
    var signed = max(issuedAt, signed(at: now))
    guard let sentAt else {
      guard lastAnswer == nil, isNew else { return }
      return start(max(signed, self.now(at: now)), signed: signed, at: now)
    }
    let answer = Answer(issuedAt: issuedAt, sentAt: sentAt, receivedAt: now)
    let latest = answer.latest(at: now)
    if signed > Self.sum(latest, Self.tolerance) { signed = latest }
    // What the calendar added counts as long as the answer does not contradict it.
    start(max(signed, min(self.now(at: now), latest)), signed: signed, at: now)
    lastAnswer = answer
  }

  /// Whether an answer with the nonce contradicts a policy of the time `issuedAt`: it was written while
  /// the provider's clock was ahead.
  mutating func contradicts(_ issuedAt: Int64, at now: Milliseconds) -> Bool {
    guard let lastAnswer else { return false }
    return issuedAt > Self.sum(max(signed(at: now), lastAnswer.latest(at: now)), Self.tolerance)
  }

  /// Seconds since `since`.
  private mutating func elapsed(_ now: Milliseconds) -> Int64 {
    guard let since else { return 0 }
    highest = max(highest, now)
    return Self.seconds(from: since, to: highest)
  }

  private static func sum(_ time: Int64, _ elapsed: Int64) -> Int64 {
    let (sum, overflows) = time.addingReportingOverflow(elapsed)
    return overflows ? .max : sum
  }

  private static func seconds(from start: Milliseconds, to end: Milliseconds) -> Int64 {
    let (passed, overflows) = end.subtractingReportingOverflow(start)
    return overflows ? 0 : max(0, passed) / 1000
  }
}
