internal import WalletModel

/// The last known block of the PIN. The step that asks for a PIN shows it for information only: a
/// PIN can be entered all the same, because the provider alone decides.
public struct KnownBlock: Equatable, Sendable {
  /// When the provider told of the block, on the core's clock, in milliseconds.
  public let toldAt: Int64
  /// How long the block lasts from `toldAt` on, in milliseconds; nil if it is permanent.
  public let duration: Int64?

  public init(toldAt: Int64, duration: Int64?) {
    self.toldAt = toldAt
    self.duration = duration
  }

  /// When the block ends, on the core's clock; nil if it is permanent.
  public var end: Int64? {
    duration.map { duration in
      let (end, overflow) = toldAt.addingReportingOverflow(duration)
      return overflow ? .max : end
    }
  }

  public func isOver(now: Int64) -> Bool { end.map { $0 <= now } ?? false }

  /// The arguments of a step that tells of the block.
  func arguments(now: Int64) -> [StepArgument: Step.Value] {
    let age = max(0, now &- toldAt)
    guard let end else {
      return [.blockAge: .number(age), .isPermanentlyBlocked: .truth(true)]
    }
    return [.blockAge: .number(age), .blockedFor: .number(max(0, end &- now))]
  }
}

extension Engine {
  /// When the block ends that the visible step tells of, on the core's clock; nil if the step tells
  /// of no block or of a permanent one.
  public var blockEnd: Int64? { tellsOfBlock ? facts.pinBlock?.end : nil }

  /// Whether the visible step tells of the last known block of the PIN.
  private var tellsOfBlock: Bool { pending == nil && position?.row == .pinEntry }

  /// Shows the step again if the block that it tells of has ended, if there is a block that it does
  /// not tell of yet, or if the number of attempts left has changed. It is not shown again merely
  /// because time passes: a new serial would invalidate the user's tap.
  mutating func blockChanged() {
    guard tellsOfBlock else { return }
    let (shown, known) = (shownFacts.pinBlock, facts.pinBlock)
    let isSame =
      (shown == nil) == (known == nil) && (shown?.end == nil) == (known?.end == nil)
      && shownFacts.pinAttempts == facts.pinAttempts
    if !isSame { showAgain() }
  }
}
