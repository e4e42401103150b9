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

  /// The limit for the answers to requests that are themselves limited by this one. It refuses none
  /// that is sent at most `milliseconds` after its request, nor one that is sent twice.
  func ofAnswers(within milliseconds: Int64) -> RateLimit {
    let rate = min(perMinute, Self.fastest / 2)
    let late = (rate * min(milliseconds, 3_600_000) + 59_999) / 60_000
    return RateLimit(
      perMinute: 2 * rate, burst: min(2 * (min(burst, Self.fastest) + late), Self.fastest))
  }
}
