import WalletProvider

/// How much of everything is taken from others. Each process counts for itself.
public struct LimitSettings: Sendable, Equatable {
  /// The longest body that is read, in bytes.
  public var bodyBytes = 256 * 1024
  /// The longest request line with all headers, in bytes.
  public var headerBytes = 16 * 1024
  /// Seconds for the head of a request; on a new connection TLS is in it.
  public var headerSeconds = 10
  /// Seconds from the head of a request to the end of its body.
  public var bodySeconds = 30
  /// Seconds that a connection may wait for its next request, or take nothing of an answer.
  public var idleSeconds = 60
  /// Seconds that requests under way have after SIGTERM.
  public var shutdownSeconds = 10
  /// Connections in all.
  public var connections = 10_000
  /// Connections from one address; 0 is no limit. Behind a proxy there is none.
  public var connectionsPerAddress = 256
  /// Requests that are worked on at once.
  public var requestsInProgress = 256
  /// Requests of one address.
  public var address = RateLimit(perMinute: 6000, burst: 1000)
  /// Instructions of one wallet.
  public var wallet = RateLimit(perMinute: 120, burst: 240)
  /// Challenges for registrations that one address fetches.
  public var registration = RateLimit(perMinute: 60, burst: 60)
  /// Forms that one address sends to `/enrol`.
  public var enrolment = RateLimit(perMinute: 10, burst: 20)
  /// Addresses that are remembered, and as many wallets.
  public var entries = 100_000

  public init() {}

  /// What bodies of any length may take of the memory together, in bytes.
  var anyBodiesBytes: Int { max(192 * 1024 * 1024, 4 * bodyBytes) }
  /// What small bodies may take before that, in bytes.
  var smallBodiesBytes: Int { 64 * 1024 * 1024 }
}
