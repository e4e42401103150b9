import ServiceLifecycle
import WalletProtocol
public import WalletProvider

/// Whether the store answers. However often that is asked, the store is asked once a second at most, and
/// by one at a time.
public actor Readiness {
  private let provider: Provider
  private let metrics: ServerMetrics
  private let clock: any MonotonicClock
  private let deadline: Duration
  private var latest: (isReady: Bool, time: Int64)?
  private var question: Task<Bool, Never>?

  private static let life: Int64 = 1_000_000

  /// - Parameter deadline: how long the store may take.
  public init(
    _ provider: Provider, metrics: ServerMetrics, deadline: Duration = .seconds(2),
    clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.provider = provider
    self.metrics = metrics
    self.deadline = deadline
    self.clock = clock
  }

  /// - Throws: `ProblemError`, unavailable, when the store does not answer or the server is ending.
  func check() async throws(ProblemError) {
    guard !Task.isShuttingDownGracefully, await doesStoreAnswer() else {
      throw ProblemError(.unavailable)
    }
  }

  private func doesStoreAnswer() async -> Bool {
    if let latest, clock.microseconds - latest.time < Self.life { return latest.isReady }
    let question = question ?? ask()
    return await question.value(within: deadline) ?? false
  }

  private func ask() -> Task<Bool, Never> {
    let question = Task {
      let isReady = (try? await provider.ping()) != nil
      if !isReady { metrics.storeFailures.add() }
      answered(isReady)
      return isReady
    }
    self.question = question
    return question
  }

  private func answered(_ isReady: Bool) {
    latest = (isReady, clock.microseconds)
    question = nil
  }
}

extension Task where Failure == Never {
  /// The value, or nil when it is not there in time; the task goes on then.
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
