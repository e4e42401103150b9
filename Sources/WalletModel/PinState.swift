/// The provider's answer to the question whether it accepts a PIN.
public enum PinState: Equatable, Sendable {
  /// No block is running, and the round has this many attempts left.
  case notBlocked(attemptsLeft: UInt32, finalRound: Bool)
  /// Blocked for this many milliseconds from the answer on.
  case blocked(milliseconds: UInt64)
  case blockedPermanently
}
