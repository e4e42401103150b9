/// Whether the wallet is locked or unlocked.
public enum LockState: Equatable, Sendable {
  case locked
  /// `locksIn` is the time in milliseconds until the wallet locks by itself. It is nil until the
  /// warning is due.
  case unlocked(locksIn: Int64? = nil)

  /// Whether the wallet is locked.
  public var isLocked: Bool { self == .locked }
}
