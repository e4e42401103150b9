/// Another wallet of the same account that waits to take the place of this one, as the provider told.
public struct Replacement: Equatable, Sendable {
  /// The id by which a decision names it.
  public let session: String
  /// When it takes effect unless the owner refuses, on the core's clock, in milliseconds.
  public let takesEffectAt: Int64

  public init(session: String, takesEffectAt: Int64) {
    self.session = session
    self.takesEffectAt = takesEffectAt
  }
}
