// The messages by which a proofed wallet learns of another wallet that waits to take its place, and
// decides on it.

/// Another wallet of the same account was accepted. It takes the place of the wallet that gets this
/// notice unless that wallet's owner refuses.
public struct ReplacementNotice: Codable, Equatable, Sendable {
  /// The id of the other wallet's proofing session, by which a decision names the replacement. Only
  /// the other wallet can use the session.
  public var session: String
  /// The time until the replacement takes effect, in milliseconds; 0 from then on.
  public var takesEffectInMilliseconds: UInt64

  public init(session: String, takesEffectInMilliseconds: UInt64) {
    self.session = session
    self.takesEffectInMilliseconds = takesEffectInMilliseconds
  }

  enum CodingKeys: String, CodingKey {
    case session
    case takesEffectInMilliseconds = "takes_effect_in_ms"
  }
}

/// What the owner of a proofed wallet decides on a replacement.
public enum ReplacementDecision: String, Codable, Sendable, CaseIterable {
  /// The other wallet need not wait any longer.
  case allow
  /// The other wallet is declined.
  case refuse
}

/// The inner payload of `decide_replacement`.
public struct ReplacementPayload: Codable, Equatable, Sendable {
  /// As in `PinPayload`.
  public var shareRecipient: String
  /// The `session` of the `ReplacementNotice`.
  public var session: String
  public var decision: ReplacementDecision

  public init(shareRecipient: String, session: String, decision: ReplacementDecision) {
    self.shareRecipient = shareRecipient
    self.session = session
    self.decision = decision
  }

  enum CodingKeys: String, CodingKey {
    case session, decision
    case shareRecipient = "share_recipient"
  }
}
