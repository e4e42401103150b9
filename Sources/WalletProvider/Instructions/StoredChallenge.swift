/// A challenge, and once it was used the answer that its request got.
public struct StoredChallenge: Sendable, Equatable {
  /// What a used challenge was used for.
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

  /// 32 random bytes.
  public var challenge: [UInt8]
  /// The wire name of the only instruction that it may be used for; a store only keeps it.
  public var purpose: String
  /// The wallet that it was given to; nil for an enrolment challenge that was not used yet.
  public var wallet: String?
  /// Milliseconds since 1970; at this time it is no longer alive.
  public var expiresAt: Int64
  /// Nil as long as it was not used.
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
