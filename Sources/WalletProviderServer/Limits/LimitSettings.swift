import WalletProvider

/// The limits for clients. Each server process counts separately.
public struct LimitSettings: Sendable, Equatable {
  /// The maximum length of a body, in bytes.
  public var bodyBytes = 256 * 1024
  /// The maximum length of the request line with all headers, in bytes.
  public var headerBytes = 16 * 1024
  /// Seconds for the head of a request; on a new connection this includes the TLS handshake.
  public var headerSeconds = 10
  /// Seconds from the head of a request to the end of its body.
  public var bodySeconds = 30
  /// Seconds that a connection may stay open without a next request, or while the client reads
  /// nothing of an answer.
  public var idleSeconds = 60
  /// Seconds that requests in progress may still take after SIGTERM.
  public var shutdownSeconds = 10
  /// The maximum number of connections.
  public var connections = 10_000
  /// The maximum number of connections from one address; 0 for no limit. Does not apply behind a
  /// proxy.
  public var connectionsPerAddress = 256
  /// The maximum number of requests in progress.
  public var requestsInProgress = 256
  /// Requests per address.
  public var address = RateLimit(perMinute: 6000, burst: 1000)
  /// Challenges per wallet, and as many other instructions; answers to attempts at the PIN have `ofAnswers`.
  public var wallet = RateLimit(perMinute: 120, burst: 240)
  /// Challenges for registrations per address.
  public var registration = RateLimit(perMinute: 60, burst: 60)
  /// Forms sent to `/enrol` per address.
  public var enrolment = RateLimit(perMinute: 10, burst: 20)
  /// The number of addresses to remember, and also the number of wallets.
  public var entries = 100_000

  public init() {}

  /// The memory for bodies of any length together, in bytes.
  var anyBodiesBytes: Int { max(192 * 1024 * 1024, 4 * bodyBytes) }
  /// The additional memory for small bodies only, in bytes. They use it first.
  var smallBodiesBytes: Int { 64 * 1024 * 1024 }
}
