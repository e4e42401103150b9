/// The account of a person as it lies in the store. Who the person is lies sealed.
public struct StoredAccount: Sendable, Equatable {
  /// Random, given by the provider.
  public var id: String
  /// The id of the key that `sealedPerson` is sealed with.
  public var sealingKey: String
  /// The JSON of an `AccountPerson`, sealed.
  public var sealedPerson: [UInt8]
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// Whether nobody may be proofed for it any more.
  public var closed: Bool
  /// Milliseconds since 1970: until then its codes are refused, because attempts were spent.
  public var lockedUntil: Int64?
  /// How often evidence failed since the last verdict, whichever code it was for.
  public var failedAttempts: Int
  /// Milliseconds since 1970 of the latest of them.
  public var failedAt: Int64?
  /// Milliseconds since 1970 of the latest proofing.
  public var proofedAt: Int64?
  /// The wallet that is proofed for it; nil before the first proofing and when that wallet is gone.
  public var wallet: String?

  public init(
    id: String, sealingKey: String, sealedPerson: [UInt8], createdAt: Int64, closed: Bool = false,
    lockedUntil: Int64? = nil, failedAttempts: Int = 0, failedAt: Int64? = nil,
    proofedAt: Int64? = nil, wallet: String? = nil
  ) {
    self.id = id
    self.sealingKey = sealingKey
    self.sealedPerson = sealedPerson
    self.createdAt = createdAt
    self.closed = closed
    self.lockedUntil = lockedUntil
    self.failedAttempts = failedAttempts
    self.failedAt = failedAt
    self.proofedAt = proofedAt
    self.wallet = wallet
  }

  /// How often evidence may fail for a code that is made now: what fails before a new code still counts
  /// until the pause that spent attempts would bring is over.
  func attemptsLeft(now: Int64, settings: ProofingSettings) -> Int {
    guard let failedAt, now - failedAt < settings.exhaustedPause else { return settings.attempts }
    return max(1, settings.attempts - failedAttempts)
  }

  /// Counts evidence that failed.
  mutating func countFailure(now: Int64, settings: ProofingSettings) {
    failedAttempts = settings.attempts - attemptsLeft(now: now, settings: settings) + 1
    failedAt = now
  }

  /// After a verdict they count no more.
  mutating func forgetFailures() {
    failedAttempts = 0
    failedAt = nil
  }
}
