/// A limit of requests per minute, with bursts.
public struct RateLimit: Sendable, Equatable {
  /// Requests per minute; 0 for no limit.
  public var perMinute: Int64
  /// The maximum number of requests at once after a pause; at least 1.
  public var burst: Int64

  public init(perMinute: Int64, burst: Int64) {
    self.perMinute = perMinute
    self.burst = burst
  }

  /// The highest rate per minute: one request per microsecond.
  static let fastest: Int64 = 60_000_000
}
