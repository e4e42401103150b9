/// What the owner of the wallet must hear, as an answer to a request tells it.
public struct OwnerNotices: Equatable, Sendable {
  /// Another wallet that waits to take the place of this one.
  public struct Replacement: Equatable, Sendable {
    /// The id by which a decision names it.
    public let session: String
    /// The milliseconds until it takes effect; 0 from then on.
    public let takesEffectIn: Int64

    public init(session: String, takesEffectIn: Int64) {
      self.session = session
      self.takesEffectIn = takesEffectIn
    }
  }

  /// Wrong PINs that the owner has not been told of.
  public var failures: PinFailures?
  public var replacement: Replacement?

  public init(failures: PinFailures? = nil, replacement: Replacement? = nil) {
    self.failures = failures
    self.replacement = replacement
  }
}
