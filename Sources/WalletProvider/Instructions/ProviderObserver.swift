/// The outcome of a PIN attempt.
public enum AttemptOutcome: String, Sendable, CaseIterable {
  case right
  /// Wrong; more attempts are left in the round.
  case wrong
  /// Wrong; the round ended with a temporary block.
  case blocked
  /// Wrong; this was the last attempt.
  case blockedPermanently
}

/// Is told the outcomes, for logs and metrics, but never which wallet they are of.
public protocol ProviderObserver: Sendable {
  /// Called after a PIN was checked and the result is on disk.
  func attemptAnswered(_ outcome: AttemptOutcome)
  /// Called after an instruction of identity proofing was answered and the result is on disk.
  func proofingAnswered(_ notice: ProofingNotice)
}

extension ProviderObserver {
  public func proofingAnswered(_: ProofingNotice) {}
}

/// An observer that does nothing.
public struct SilentObserver: ProviderObserver {
  public init() {}

  public func attemptAnswered(_: AttemptOutcome) {}
}
