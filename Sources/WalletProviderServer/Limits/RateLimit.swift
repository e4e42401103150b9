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

  /// The limit for the answers to challenges that this limit has allowed, if only the newest
  /// challenge can be answered. However late they come, it refuses none that is sent once or twice:
  /// in any time there are answers to the challenges of that time, and to the one before it.
  var ofAnswers: RateLimit {
    RateLimit(
      perMinute: 2 * min(perMinute, Self.fastest / 2),
      burst: 2 * (min(burst, Self.fastest / 2 - 1) + 1))
  }
}
