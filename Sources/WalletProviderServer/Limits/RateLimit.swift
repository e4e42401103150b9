/// So many requests per minute, and so many at once.
public struct RateLimit: Sendable, Equatable {
  /// What comes back per minute; 0 is no limit.
  public var perMinute: Int64
  /// How many may come at once after a pause; at least 1.
  public var burst: Int64

  public init(perMinute: Int64, burst: Int64) {
    self.perMinute = perMinute
    self.burst = burst
  }

  /// Per minute: one per microsecond.
  static let fastest: Int64 = 60_000_000
}
