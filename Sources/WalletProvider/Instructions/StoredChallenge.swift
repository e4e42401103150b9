/// A challenge and, once it was used, the answer to its request. The challenge of a registration is
/// stored only once it was used.
public struct StoredChallenge: Sendable, Equatable {
  /// The request that used a challenge, and its answer.
  public struct Use: Sendable, Equatable {
    /// SHA-256 of the request's outer compact JWS.
    public var requestHash: [UInt8]
    /// The signed answer, a compact JWS.
    public var answer: String

    public init(requestHash: [UInt8], answer: String) {
      self.requestHash = requestHash
      self.answer = answer
    }
  }

  /// 32 bytes: random ones, or for a registration those of `RegistrationChallenges`.
  public var challenge: [UInt8]
  /// The wire name of the only instruction that it may be used for. The store does not interpret
  /// it.
  public var purpose: String
  /// The wallet that it was given to, with which it is deleted; nil for a registration.
  public var wallet: String?
  /// Milliseconds since 1970; the challenge is invalid from this time on.
  public var expiresAt: Int64
  /// Nil until it is used.
  public var use: Use?

  public init(
    challenge: [UInt8], purpose: String, wallet: String?, expiresAt: Int64,
    use: Use? = nil
  ) {
    self.challenge = challenge
    self.purpose = purpose
    self.wallet = wallet
    self.expiresAt = expiresAt
    self.use = use
  }
}
