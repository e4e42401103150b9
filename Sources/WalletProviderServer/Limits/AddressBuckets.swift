/// Limits each address, and each IPv6 /48 to sixteen times as much: a customer with a /48 has 65,536
/// networks, each of which counts as one address.
final class AddressBuckets: Sendable {
  /// How many addresses a /48 counts as.
  static let siteFactor = 16

  private let addresses: TokenBuckets<ClientAddress>
  private let sites: TokenBuckets<ClientAddress>

  /// - Parameter capacity: the maximum number of addresses that are remembered, and also of /48s.
  init(_ limit: RateLimit, capacity: Int, clock: any MonotonicClock) {
    addresses = TokenBuckets(limit, capacity: capacity, clock: clock)
    sites = TokenBuckets(limit.times(Int64(Self.siteFactor)), capacity: capacity, clock: clock)
  }

  /// Counts a request. Returns nil if it is accepted, otherwise the seconds until one would be, at
  /// least 1.
  ///
  /// A request that the address's own limit refuses does not count for the /48. Otherwise one busy
  /// address could use up the allowance of all addresses in the /48.
  func take(_ client: ClientAddress) -> Int64? {
    if let seconds = addresses.take(client) { return seconds }
    return client.site.flatMap { sites.take($0) }
  }
}

extension RateLimit {
  /// The limit for `count` times as many requests.
  fileprivate func times(_ count: Int64) -> RateLimit {
    RateLimit(
      perMinute: min(perMinute, Self.fastest / count) * count,
      burst: min(burst, Self.fastest / count) * count)
  }
}
