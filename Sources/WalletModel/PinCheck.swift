/// What the provider said of a PIN.
public enum PinCheck: Equatable, Sendable {
  case valid
  /// Wrong and counted.
  case wrong(attemptsLeft: UInt32, finalRound: Bool)
  /// Blocked for so many milliseconds from the answer on.
  case blocked(milliseconds: UInt64)
  case blockedPermanently
}
