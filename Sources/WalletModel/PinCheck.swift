/// The provider's answer to a PIN.
public enum PinCheck: Equatable, Sendable {
  case valid
  /// Wrong and counted as an attempt.
  case wrong(attemptsLeft: UInt32, finalRound: Bool)
  /// Blocked for this many milliseconds from the answer on.
  case blocked(milliseconds: UInt64)
  case blockedPermanently
}
