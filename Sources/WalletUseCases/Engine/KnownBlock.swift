internal import WalletModel

/// The last known block of the PIN, for the step that asks for a PIN. It only informs: a PIN can be
/// entered all the same, because the provider alone decides.
public struct KnownBlock: Equatable, Sendable {
  /// When the provider told of it, on the core's clock, in milliseconds.
  public let toldAt: Int64
  /// Milliseconds from then on; nil if the block is permanent.
  public let duration: Int64?

  public init(toldAt: Int64, duration: Int64?) {
    self.toldAt = toldAt
    self.duration = duration
  }

  /// When it ends, on the core's clock; nil if never.
  public var end: Int64? {
    duration.map { duration in
      let (end, overflow) = toldAt.addingReportingOverflow(duration)
      return overflow ? .max : end
    }
  }

  public func isOver(now: Int64) -> Bool { end.map { $0 <= now } ?? false }

  /// The arguments of a step that tells of it.
  func arguments(now: Int64) -> [String: Step.Value] {
    let age = max(0, now &- toldAt)
    guard let end else {
      return ["block_age_ms": .number(age), "is_permanently_blocked": .truth(true)]
    }
    return ["block_age_ms": .number(age), "blocked_for_ms": .number(max(0, end &- now))]
  }
}

extension Engine {
  /// When the block ends that the visible step tells of, on the core's clock; nil if it tells of
  /// none, or of a permanent one.
  public var blockEnd: Int64? { tellsOfBlock ? facts.pinBlock?.end : nil }

  /// Whether the visible step tells of the last known block of the PIN.
  private var tellsOfBlock: Bool { pending == nil && position?.row == .pinEntry }

  /// Shows the step again if the block that it tells of has ended, if there is a block that it does
  /// not tell of, or if the number of attempts left has changed. The passing of time alone is no
  /// change: a new serial would invalidate the user's tap.
  mutating func blockChanged() {
    guard tellsOfBlock else { return }
    let (shown, known) = (shownFacts.pinBlock, facts.pinBlock)
    let isSame =
      (shown == nil) == (known == nil) && (shown?.end == nil) == (known?.end == nil)
      && shownFacts.pinAttempts == facts.pinAttempts
    if !isSame { showAgain() }
  }
}
