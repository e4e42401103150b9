import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import WalletProtocol
public import WalletProvider

/// The limits of a process, shared by all its connections: requests per address and per wallet, and
/// requests and bytes in progress.
public final class RequestLimits: Sendable {
  let settings: LimitSettings
  /// The metrics of the process, which also count refused requests.
  public let metrics: ServerMetrics
  let connections: ConnectionCounter
  private let proxyHeader: ProxyHeader?
  private let trustedProxies: [AddressRange]
  private let addresses: AddressBuckets
  private let registrations: AddressBuckets
  private let enrolments: AddressBuckets
  private let walletLimiter: Wallets
  let bodies: BodyMemory
  private let inProgress = Atomic(0)

  /// - Parameters:
  ///   - proxyHeader: the header in which a proxy names its clients; nil without a proxy.
  ///   - trustedProxies: the proxies whose header is believed.
  public init(
    _ settings: LimitSettings = LimitSettings(), proxyHeader: ProxyHeader? = nil,
    trustedProxies: [AddressRange] = AddressRange.loopback,
    metrics: ServerMetrics = ServerMetrics(), clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.settings = settings
    self.metrics = metrics
    self.proxyHeader = proxyHeader
    self.trustedProxies = trustedProxies
    connections = ConnectionCounter(
      limit: settings.connections, limitPerAddress: settings.connectionsPerAddress)
    addresses = AddressBuckets(settings.address, capacity: settings.entries, clock: clock)
    registrations = AddressBuckets(settings.registration, capacity: settings.entries, clock: clock)
    enrolments = AddressBuckets(settings.enrolment, capacity: settings.entries, clock: clock)
    walletLimiter = Wallets(
      // Each wallet has two of these: one for challenges, one for instructions that are no attempt.
      requests: TokenBuckets(settings.wallet, capacity: 2 * settings.entries, clock: clock),
      answers: TokenBuckets(settings.wallet.ofAnswers, capacity: settings.entries, clock: clock),
      metrics: metrics)
    bodies = BodyMemory(small: settings.smallBodiesBytes, any: settings.anyBodiesBytes)
    metrics.addGauge("wallet_provider_connections", "Open connections.") { [connections] in
      Double(connections.count)
    }
    metrics.addGauge(
      "wallet_provider_requests_in_progress", "Requests that are worked on."
    ) { [weak self] in Double(self?.requestsInProgress ?? 0) }
  }

  /// The limiter for wallets.
  public var wallets: any WalletLimiter { walletLimiter }

  /// Whether the peer of a connection is a proxy whose header is believed. A proxy's connections
  /// are not counted per address, because it carries those of all clients. A peer without an IP
  /// address counts as a proxy, because it is a program on this machine.
  func isProxy(_ peer: SocketAddress?) -> Bool {
    guard proxyHeader != nil else { return false }
    guard let peer, peer.ipAddress != nil else { return true }
    return trustedProxies.contains { $0.contains(peer) }
  }

  /// The address for which a request is counted: the one that a trusted proxy names, otherwise the
  /// peer.
  func client(_ headers: HTTPFields, peer: SocketAddress?) -> ClientAddress? {
    guard let proxyHeader, isProxy(peer) else { return ClientAddress(peer) }
    return proxyHeader.client(headers) ?? ClientAddress(peer)
  }

  /// Counts a request of `client`. On a Unix socket `client` is nil, and the request is not
  /// limited.
  ///
  /// - Throws: `ProblemError`, too-many-requests.
  func count(_ client: ClientAddress?) throws(ProblemError) {
    try take(client, addresses, .addressRate)
  }

  /// Counts a challenge that `client` requests for a registration; throws like `count(_:)`.
  func countRegistration(_ client: ClientAddress?) throws(ProblemError) {
    try take(client, registrations, .registrationRate)
  }

  /// Counts a form that `client` sent to `/enrol`; throws like `count(_:)`.
  func countForm(_ client: ClientAddress?) throws(ProblemError) {
    try take(client, enrolments, .enrolRate)
  }

  private func take(
    _ client: ClientAddress?, _ buckets: AddressBuckets, _ limit: Limit
  ) throws(ProblemError) {
    guard let client, let seconds = buckets.take(client) else { return }
    metrics.limitsHit.add(limit.rawValue)
    throw ProblemError(.tooManyRequests, retryAfterSeconds: seconds)
  }

  /// Runs `work` as one of the requests in progress.
  ///
  /// - Throws: `ProblemError`, unavailable, if there are too many; `work` then does not begin. Also
  ///   any error of `work`.
  func inProgress<Result>(_ work: () async throws -> Result) async throws -> Result {
    let count = inProgress.add(1, ordering: .relaxed).newValue
    defer { inProgress.subtract(1, ordering: .relaxed) }
    guard count <= settings.requestsInProgress else { throw overload(.requestsInProgress) }
    return try await work()
  }

  /// The number of requests in progress.
  var requestsInProgress: Int { inProgress.load(ordering: .relaxed) }

  /// Reserves memory for a body of at most `bytes`. The caller must give it back to `bodies`.
  ///
  /// - Throws: `ProblemError`, unavailable, if the bodies of all requests together are too long.
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
    let requests: TokenBuckets<WalletKey>
    /// For the instructions that answer an attempt at the PIN, by the wallet's id.
    let answers: TokenBuckets<String>
    let metrics: ServerMetrics

    func pause(wallet: String, for instruction: InstructionName) -> Int64? {
      counted(
        instruction.isAttempt
          ? answers.pause(wallet) : requests.pause(WalletKey(wallet, instruction)))
    }

    func count(wallet: String, for instruction: InstructionName) -> Int64? {
      counted(
        instruction.isAttempt
          ? answers.take(wallet) : requests.take(WalletKey(wallet, instruction)))
    }

    private func counted(_ seconds: Int64?) -> Int64? {
      if seconds != nil { metrics.limitsHit.add(Limit.walletRate.rawValue) }
      return seconds
    }
  }
}
