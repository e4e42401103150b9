/// An enrolment code as it lies in the store, which never sees its secret.
public struct StoredEnrolmentCode: Sendable, Equatable {
  /// What a code has come to.
  public enum State: String, Sendable, CaseIterable {
    case issued, claimed, consumed
  }

  /// SHA-256 of the secret. The secret is 32 random bytes, so its hash needs no salt.
  public var hash: [UInt8]
  /// The account that it is for.
  public var account: String
  /// Milliseconds since 1970; from then on it can no longer be claimed.
  public var expiresAt: Int64
  /// The wallet that claimed it. A store sets it to nil when that wallet goes.
  public var wallet: String?
  /// The verdict that consumed it; nil as long as there is none.
  public var verdict: StoredProofingSession.State?
  /// How often evidence may still fail. It belongs to the code and not to the claim, so that giving
  /// a claim back brings no attempts; a new code begins with what its account has left.
  public var attemptsLeft: Int

  public init(
    hash: [UInt8], account: String, expiresAt: Int64, wallet: String? = nil,
    verdict: StoredProofingSession.State? = nil, attemptsLeft: Int
  ) {
    self.hash = hash
    self.account = account
    self.expiresAt = expiresAt
    self.wallet = wallet
    self.verdict = verdict
    self.attemptsLeft = attemptsLeft
  }

  public var state: State { verdict != nil ? .consumed : wallet == nil ? .issued : .claimed }
}
