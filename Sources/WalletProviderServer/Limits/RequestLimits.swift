import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import WalletProtocol
public import WalletProvider

/// Who is served when: requests per address and per wallet, requests and bytes at once. One for all
/// connections of a process.
public final class RequestLimits: Sendable {
  let settings: LimitSettings
  /// Counts what is kept out, and all else that this process does.
  public let metrics: ServerMetrics
  let connections: ConnectionCounter
  private let proxyHeader: ProxyHeader?
  private let addresses: TokenBuckets<ClientAddress>
  private let registrations: TokenBuckets<ClientAddress>
  private let enrolments: TokenBuckets<ClientAddress>
  private let walletBuckets: TokenBuckets<WalletKey>
  let bodies: BodyMemory
  private let inProgress = Atomic(0)

  /// - Parameter proxyHeader: where a proxy in front names its clients; nil where there is none.
  public init(
    _ settings: LimitSettings = LimitSettings(), proxyHeader: ProxyHeader? = nil,
    metrics: ServerMetrics = ServerMetrics(), clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.settings = settings
    self.metrics = metrics
    self.proxyHeader = proxyHeader
    connections = ConnectionCounter(
      limit: settings.connections, limitPerAddress: settings.connectionsPerAddress)
    addresses = TokenBuckets(settings.address, capacity: settings.entries, clock: clock)
    registrations = TokenBuckets(settings.registration, capacity: settings.entries, clock: clock)
    enrolments = TokenBuckets(settings.enrolment, capacity: settings.entries, clock: clock)
    // Each wallet has two keys.
    walletBuckets = TokenBuckets(settings.wallet, capacity: 2 * settings.entries, clock: clock)
    bodies = BodyMemory(small: settings.smallBodiesBytes, any: settings.anyBodiesBytes)
    metrics.addGauge("wallet_provider_connections", "Open connections.") { [connections] in
      Double(connections.count)
    }
    metrics.addGauge(
      "wallet_provider_requests_in_progress", "Requests that are worked on."
    ) { [weak self] in Double(self?.requestsInProgress ?? 0) }
  }

  /// How often one wallet is served.
  public var wallets: any WalletLimiter { Wallets(buckets: walletBuckets, metrics: metrics) }

  /// Whether connections are counted per address: behind a proxy they are all the proxy's.
  var areConnectionsOfClients: Bool { proxyHeader == nil }

  /// Whom a request is counted for: behind a proxy whom that names, else the other end.
  func client(_ headers: HTTPFields, peer: SocketAddress?) -> ClientAddress? {
    proxyHeader?.client(headers) ?? ClientAddress(peer)
  }

  /// Counts a request of `client`, which is nil on a Unix socket and has no limit then.
  ///
  /// - Throws: `ProblemError`, too-many-requests.
  func count(_ client: ClientAddress?) throws(ProblemError) {
    try take(client, addresses, .addressRate)
  }

  /// Counts a challenge for a registration that `client` asks for; throws as `count(_:)`.
  func countRegistration(_ client: ClientAddress?) throws(ProblemError) {
    try take(client, registrations, .registrationRate)
  }

  /// Counts a form that `client` sent to `/enrol`; throws as `count(_:)`.
  func countForm(_ client: ClientAddress?) throws(ProblemError) {
    try take(client, enrolments, .enrolRate)
  }

  private func take(
    _ client: ClientAddress?, _ buckets: TokenBuckets<ClientAddress>, _ limit: Limit
  ) throws(ProblemError) {
    guard let client, let seconds = buckets.take(client) else { return }
    metrics.limitsHit.add(limit.rawValue)
    throw ProblemError(.tooManyRequests, retryAfterSeconds: seconds)
  }

  /// Does `work`, which is one of the requests in progress meanwhile.
  ///
  /// - Throws: `ProblemError`, unavailable, before it begins, when there are too many.
  func inProgress<Result>(_ work: () async throws -> Result) async throws -> Result {
    let count = inProgress.add(1, ordering: .relaxed).newValue
    defer { inProgress.subtract(1, ordering: .relaxed) }
    guard count <= settings.requestsInProgress else { throw overload(.requestsInProgress) }
    return try await work()
  }

  /// Requests that are worked on.
  var requestsInProgress: Int { inProgress.load(ordering: .relaxed) }

  /// Memory for a body of at most `bytes`, to be given back to `bodies`.
  ///
  /// - Throws: `ProblemError`, unavailable, when all bodies together are too long.
  func memory(forBody bytes: Int) throws(ProblemError) -> BodyMemory.Share {
    guard let share = bodies.take(bytes) else { throw overload(.bodyMemory) }
    return share
  }

  private func overload(_ limit: Limit) -> ProblemError {
    metrics.limitsHit.add(limit.rawValue)
    return ProblemError(.unavailable, retryAfterSeconds: 1)
  }

  private struct WalletKey: Hashable {
    let wallet: String
    let isForChallenge: Bool

    init(_ wallet: String, _ instruction: InstructionName) {
      self.wallet = wallet
      isForChallenge = instruction == .challenge
    }
  }

  private struct Wallets: WalletLimiter {
    let buckets: TokenBuckets<WalletKey>
    let metrics: ServerMetrics

    func pause(wallet: String, for instruction: InstructionName) -> Int64? {
      counted(buckets.pause(WalletKey(wallet, instruction)))
    }

    func count(wallet: String, for instruction: InstructionName) -> Int64? {
      counted(buckets.take(WalletKey(wallet, instruction)))
    }

    private func counted(_ seconds: Int64?) -> Int64? {
      if seconds != nil { metrics.limitsHit.add(Limit.walletRate.rawValue) }
      return seconds
    }
  }
}
