/// Whether the wallet's cards can be seen.
public enum LockState: Equatable, Sendable {
  case locked
  /// `locksIn`: milliseconds until the wallet locks by itself, once the warning is due; else nil.
  case unlocked(locksIn: Int64? = nil)

  /// Whether the wallet is locked.
  public var isLocked: Bool { self == .locked }
}
