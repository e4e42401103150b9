/// A block of PIN attempts: a duration that starts at a time of the provider's clock.
public struct AttemptBlock: Sendable, Equatable, Codable {
  /// Milliseconds since 1970.
  public var since: Int64
  /// Milliseconds. Stored with the block, so that a change of policy never shortens it.
  public var duration: Int64
  /// The start that counts instead of `since` while the clock is behind `since`, in milliseconds
  /// since 1970; nil if the clock was never seen behind `since`.
  public var restarted: Int64?

  public init(since: Int64, duration: Int64, restarted: Int64? = nil) {
    self.since = since
    self.duration = duration
    self.restarted = restarted
  }

  /// The remaining time; nil once the block is over. If the clock went back behind the start, the
  /// block restarts, so that it does end. If the clock is corrected afterwards, the block counts
  /// from `since` again, so it does not end any sooner.
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
