/// An enrolment code as it is stored, without its secret.
public struct StoredEnrolmentCode: Sendable, Equatable {
  /// The state of a code.
  public enum State: String, Sendable, CaseIterable {
    case issued, claimed, consumed
  }

  /// SHA-256 of the secret. The secret is 32 random bytes, so the hash needs no salt.
  public var hash: [UInt8]
  /// The account that the code is for.
  public var account: String
  /// Milliseconds since 1970; from then on the code can no longer be claimed.
  public var expiresAt: Int64
  /// The wallet that claimed the code. Until there is a verdict, the claim counts only while its
  /// session exists.
  public var wallet: String?
  /// The verdict that consumed the code; nil if there is none yet.
  public var verdict: StoredProofingSession.State?
  /// How often evidence may still fail. It is stored with the code and not with the claim, so that
  /// releasing a claim gains no attempts. A new code starts with the attempts its account has left.
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
