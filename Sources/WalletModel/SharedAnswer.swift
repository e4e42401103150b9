/// How a request of a relying party ended.
public struct SharedAnswer: Equatable, Sendable {
  public var result: Activity.Result
  /// What the host opens, once and as it is; nil if the relying party has given nothing.
  public var redirectURI: String?

  public init(result: Activity.Result, redirectURI: String?) {
    self.result = result
    self.redirectURI = redirectURI
  }
}
