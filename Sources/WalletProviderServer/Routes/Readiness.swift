import ServiceLifecycle
import WalletProtocol
public import WalletProvider

/// Whether the store responds. The store is queried at most once a second and never concurrently,
/// however many requests ask.
public actor Readiness {
  private let ping: @Sendable () async throws -> Void
  private let metrics: ServerMetrics
  private let clock: any MonotonicClock
  private let deadline: Duration
  private var latest: (isReady: Bool, time: Int64)?
  private var pendingPing: Task<Bool, Never>?

  private static let life: Int64 = 1_000_000

  /// - Parameter deadline: the maximum time for the store to respond.
  public init(
    _ provider: Provider, metrics: ServerMetrics, deadline: Duration = .seconds(2),
    clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.init(metrics: metrics, deadline: deadline, clock: clock) { try await provider.ping() }
  }

  /// - Parameter ping: throws if the store does not respond.
  init(
    metrics: ServerMetrics, deadline: Duration = .seconds(2),
    clock: any MonotonicClock = SystemMonotonicClock(),
    ping: @escaping @Sendable () async throws -> Void
  ) {
    self.ping = ping
    self.metrics = metrics
    self.deadline = deadline
    self.clock = clock
  }

  /// - Throws: `ProblemError`, unavailable, if the store does not respond or the server is shutting
  ///   down.
  func check() async throws(ProblemError) {
    guard !Task.isShuttingDownGracefully, await doesStoreAnswer() else {
      throw ProblemError(.unavailable)
    }
  }

  private func doesStoreAnswer() async -> Bool {
    if let latest, clock.microseconds - latest.time < Self.life { return latest.isReady }
    let pendingPing = pendingPing ?? ask()
    return await pendingPing.value(within: deadline) ?? false
  }

  private func ask() -> Task<Bool, Never> {
    let pendingPing = Task {
      let isReady = (try? await ping()) != nil
      if !isReady { metrics.storeFailures.add() }
      answered(isReady)
      return isReady
    }
    self.pendingPing = pendingPing
    return pendingPing
  }

  private func answered(_ isReady: Bool) {
    latest = (isReady, clock.microseconds)
    pendingPing = nil
  }
}

extension Task where Failure == Never {
  /// The value, or nil if it is not available in time; the task then continues.
  func value(within time: Duration) async -> Success? {
    let (values, continuation) = AsyncStream.makeStream(
      of: Success?.self, bufferingPolicy: .bufferingOldest(1))
    Task<Void, Never> { continuation.yield(await value) }
    let timer = Task<Void, Never> {
      try? await Task<Never, Never>.sleep(for: time)
      continuation.yield(nil)
    }
    defer { timer.cancel() }
    for await value in values { return value }
    return nil
  }
}
