/// The account of a person as it is stored. The personal data is sealed.
public struct StoredAccount: Sendable, Equatable {
  /// Random, assigned by the provider.
  public var id: String
  /// The id of the key that `sealedPerson` is sealed with.
  public var sealingKey: String
  /// The JSON of an `AccountPerson`, sealed.
  public var sealedPerson: [UInt8]
  /// Milliseconds since 1970.
  public var createdAt: Int64
  /// Whether the account is closed, so that nobody can be proofed for it.
  public var closed: Bool
  /// Milliseconds since 1970: until then its codes are refused, because its attempts were used up.
  public var lockedUntil: Int64?
  /// How often evidence failed since the last verdict, whichever code it was for.
  public var failedAttempts: Int
  /// The time of the latest failure, in milliseconds since 1970.
  public var failedAt: Int64?
  /// The time of the latest proofing, in milliseconds since 1970.
  public var proofedAt: Int64?
  /// The wallet proofed for the account; nil before the first proofing and after that wallet was
  /// deleted.
  public var wallet: String?
  /// The time at which the owner or support last refused another wallet, in milliseconds since
  /// 1970. A session that was waiting at that time is never accepted. It also shows support that
  /// somebody else may know a code and the data of a document.
  public var replacementRefusedAt: Int64?

  public init(
    id: String, sealingKey: String, sealedPerson: [UInt8], createdAt: Int64, closed: Bool = false,
    lockedUntil: Int64? = nil, failedAttempts: Int = 0, failedAt: Int64? = nil,
    proofedAt: Int64? = nil, wallet: String? = nil, replacementRefusedAt: Int64? = nil
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
    self.replacementRefusedAt = replacementRefusedAt
  }

  /// How often evidence may fail for a code that is made now. Failures for earlier codes still
  /// count until `exhaustedPause` has passed.
  func attemptsLeft(now: Int64, settings: ProofingSettings) -> Int {
    guard let failedAt, now - failedAt < settings.exhaustedPause else { return settings.attempts }
    return max(1, settings.attempts - failedAttempts)
  }

  /// Counts failed evidence.
  mutating func countFailure(now: Int64, settings: ProofingSettings) {
    failedAttempts = settings.attempts - attemptsLeft(now: now, settings: settings) + 1
    failedAt = now
  }

  /// Resets the failures after a verdict.
  mutating func forgetFailures() {
    failedAttempts = 0
    failedAt = nil
  }
}
