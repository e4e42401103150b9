/// What became of a judged attempt.
public enum AttemptOutcome: String, Sendable, CaseIterable {
  case right
  /// Wrong, and more attempts are left in the round.
  case wrong
  /// Wrong, and the round ended with a block for a time.
  case blocked
  /// Wrong, and the last one.
  case blockedPermanently
}

/// Hears of what happens, for logs and measurements. It is never told of whom.
public protocol ProviderObserver: Sendable {
  /// A PIN signature was looked at, and the result is on disk.
  func attemptAnswered(_ outcome: AttemptOutcome)
  /// An instruction of the identity proofing was answered, and the result is on disk.
  func proofingAnswered(_ notice: ProofingNotice)
}

extension ProviderObserver {
  public func proofingAnswered(_: ProofingNotice) {}
}

/// Hears and forgets.
public struct SilentObserver: ProviderObserver {
  public init() {}

  public func attemptAnswered(_: AttemptOutcome) {}
}
