/// Another wallet of the same account that waits to take the place of this one, as the provider told.
public struct Replacement: Equatable, Sendable {
  /// The id by which the owner's decision names this replacement.
  public let session: String
  /// Unless the owner refuses, the replacement takes effect at this time on the core's clock, in
  /// milliseconds.
  public let takesEffectAt: Int64

  public init(session: String, takesEffectAt: Int64) {
    self.session = session
    self.takesEffectAt = takesEffectAt
  }
}
