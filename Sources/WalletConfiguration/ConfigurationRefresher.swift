public import WalletModel
public import WalletPlatform
internal import WalletProtocol
public import WalletTransport

/// Fetches the configuration and the update policy in the background: once at the start, then
/// hourly, and after a failure sooner, with growing pauses.
public final class ConfigurationRefresher: Sendable {
  /// The pause after a success.
  static let interval: Milliseconds = 60 * 60 * 1000
  /// The pause after the first failure; it doubles with every further failure in a row.
  static let firstRetry: Milliseconds = 15 * 1000
  /// How long a caller waits for a refresh.
  static let refreshTimeout: Milliseconds = 10 * 1000

  private let repository: ConfigurationRepository
  private let updatePolicy: UpdatePolicyRepository
  private let makeTransport: @Sendable () -> any Transport
  private let clock: any BootClock
  private let log: Log
  private let cancellation = Cancellation()
  private let state = Monitor(State())

  private struct State: Sendable {
    var thread: NamedThread?
    var isStopping = false
    /// The callers that wait for the update policy.
    var waiting: [@Sendable (WalletError?) -> Void] = []
    /// Whether a caller waits for the configuration.
    var isConfigurationWanted = false
    /// The callers that wait for both, by number.
    var refreshes: [UInt64: @Sendable (WalletError?) -> Void] = [:]
    var lastRefresh: UInt64 = 0
    /// The number of rounds that have begun, and whether the last one is still running.
    var rounds: UInt64 = 0
    var isInRound = false
    /// The failure of the last round that has ended.
    var lastFailure: WalletError?

    var isSomethingWanted: Bool {
      !waiting.isEmpty || isConfigurationWanted || !refreshes.isEmpty
    }
  }

  /// - Parameter makeTransport: Makes a transport that only the refresher's thread uses.
  public init(
    repository: ConfigurationRepository, updatePolicy: UpdatePolicyRepository, clock: any BootClock,
    log: Log,
    makeTransport: @escaping @Sendable () -> any Transport
  ) {
    self.repository = repository
    self.updatePolicy = updatePolicy
    self.makeTransport = makeTransport
    self.clock = clock
    self.log = log
  }

  /// Starts the thread, once. If it cannot be started, there is no refresh.
  public func start() {
    state.withLock { state in
      guard state.thread == nil, !state.isStopping else { return }
      state.thread = NamedThread("wallet_core.cfg", signals: .blocked) { self.run() }
    }
  }

  /// Fetches the update policy as soon as possible.
  ///
  /// - Parameter completion: Called once, on the refresher's thread, with the failure if there was
  ///   one; called immediately if there is no thread; not called if the refresher ends first.
  public func fetchUpdatePolicySoon(_ completion: @escaping @Sendable (WalletError?) -> Void) {
    // If `start` failed before, the system may be able to start a thread by now.
    start()
    let isAwaited = state.update { state in
      guard state.thread != nil else { return false }
      state.waiting.append(completion)
      return true
    }
    if !isAwaited {
      completion(
        WalletError(.outOfResources, "No thread could be started to fetch the update policy."))
    }
  }

  /// Fetches the update policy and the configuration as soon as possible. Success means that
  /// everything published before the call is in force. A round that has already begun does not
  /// ensure that, so the caller waits for the next one. All callers during a round share the next
  /// one.
  ///
  /// - Parameter completion: Called exactly once, with the first failure if there was one:
  ///   `cancelled` after a cancellation or if the refresher ends. Must not wait.
  public func refresh(
    cancellation: Cancellation, _ completion: @escaping @Sendable (WalletError?) -> Void
  ) {
    start()
    let number = state.update { state -> UInt64? in
      guard state.thread != nil else { return nil }
      state.lastRefresh &+= 1
      state.refreshes[state.lastRefresh] = completion
      return state.lastRefresh
    }
    guard let number else {
      return completion(
        WalletError(.outOfResources, "No thread could be started for the refresh."))
    }
    cancellation.onCancel { [state] in
      Self.end([number], in: state, WalletError(.cancelled, "The refresh was cancelled."))
    }
  }

  /// Completes the refreshes with these numbers that have not ended yet.
  private static func end(
    _ numbers: [UInt64], in state: Monitor<State>, _ failure: WalletError?
  ) {
    let ended = state.withLock { state in
      numbers.compactMap { state.refreshes.removeValue(forKey: $0) }
    }
    for completion in ended { completion(failure) }
  }

  /// Fetches the update policy and the configuration, and waits for the attempt, at most 10 s.
  ///
  /// - Returns: Nil if the update policy and the configuration in force are now those that the
  ///   provider sent; otherwise the failure.
  @discardableResult
  public func refreshNow(cancellation: Cancellation) -> WalletError? {
    start()
    let deadline = clock.now() &+ Self.refreshTimeout
    return cancellation.whileCancellable(onCancel: { [state] in state.update { _ in } }) {
      let round = state.update { state -> UInt64 in
        state.isConfigurationWanted = true
        // A round that has already begun may have sent its requests before this call.
        return state.rounds &+ 1
      }
      let end = state.wait(until: deadline, clock: clock) { state -> Ending? in
        let isOver = state.rounds > round || (state.rounds == round && !state.isInRound)
        if isOver { return Ending(failure: state.lastFailure) }
        if cancellation.isCancelled {
          return Ending(failure: WalletError(.cancelled, "The refresh was cancelled."))
        }
        guard state.thread == nil else { return nil }
        return Ending(
          failure: WalletError(.outOfResources, "No thread could be started for the refresh."))
      }
      return end.map(\.failure)
        ?? WalletError(.serverUnreachable, "The provider did not answer in time.")
    }
  }

  /// Tries again soon what failed because there was nothing to send requests with.
  public func transportIsReady() {
    state.update { state in
      // A round that is under way may have failed like that already.
      if state.isInRound || state.lastFailure?.kind == .transportMissing {
        state.isConfigurationWanted = true
      }
    }
  }

  /// How an awaited round ended.
  private struct Ending: Sendable {
    let failure: WalletError?
  }

  /// Ends the thread and waits for it. It cannot be started again.
  public func shutDown() {
    cancellation.cancel()
    let thread = state.update { state in
      state.isStopping = true
      defer { state.thread = nil }
      return state.thread
    }
    thread?.join()
    Self.end(
      state.withLock { Array($0.refreshes.keys) }, in: state,
      WalletError(.cancelled, "The wallet is shutting down."))
  }

  private func run() {
    let transport = makeTransport()
    var pause = Self.firstRetry
    while !cancellation.isCancelled {
      // The pause counts from here, so it includes the duration of the round.
      let start = clock.now()
      let (isWanted, refreshes) = state.withLock { state in
        state.rounds &+= 1
        state.isInRound = true
        defer { state.isConfigurationWanted = false }
        return (state.isConfigurationWanted, Array(state.refreshes.keys))
      }
      // The update policy comes first, because a launch waits for it.
      let failure = fetchUpdatePolicy(transport)
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        return state.waiting
      }
      for completion in waiting { completion(failure) }
      let configurationFailure = refresh(transport)
      state.update { state in
        state.isInRound = false
        state.lastFailure = failure ?? configurationFailure
      }
      Self.end(refreshes, in: state, failure ?? configurationFailure)
      let succeeded = failure == nil && configurationFailure == nil
      let wait = succeeded ? Self.interval : pause
      // A round that a caller asked for does not change the pause after failures.
      if waiting.isEmpty, refreshes.isEmpty, !isWanted {
        pause = succeeded ? Self.firstRetry : min(pause * 2, Self.interval)
      }
      sleep(until: start &+ wait)
    }
  }

  /// Waits until the deadline or until a caller waits for a refresh. Evaluates the update policy
  /// whenever time alone changes its state.
  private func sleep(until deadline: Milliseconds) {
    while !cancellation.isCancelled, clock.now() < deadline,
      state.withLock({ !$0.isSomethingWanted })
    {
      _ = updatePolicy.current
      let change = updatePolicy.untilNextChange.map { clock.now() + $0 } ?? deadline
      _ = state.wait(until: min(change, deadline), clock: clock) {
        $0.isStopping || $0.isSomethingWanted ? true : nil
      }
    }
  }

  /// Fetches the update policy once. Returns nil if the policy in force is now the published one.
  func fetchUpdatePolicy(_ transport: any Transport) -> WalletError? {
    do {
      let request = updatePolicy.request()
      let response = try transport.send(
        HTTPRequest(
          .get, Route.updatePolicy,
          headers: ["accept": "application/jwt", Route.nonceHeader: request.nonce]),
        cancellation: cancellation)
      guard response.status == 200 else {
        log(
          .info, "update-policy", "The provider answered the refresh with HTTP \(response.status).")
        updatePolicy.keepTime()
        return WalletError(
          .serverUnreachable, "The provider answered with HTTP \(response.status).")
      }
      let isInForce = try updatePolicy.accept(
        String(decoding: response.body, as: UTF8.self), answering: request)
      return isInForce
        ? nil : WalletError(.serverUnreachable, "The provider's update policy does not verify.")
    } catch {
      if error.kind != .cancelled {
        log(.info, "update-policy", "The refresh failed: \(error.message)")
        updatePolicy.keepTime()
      }
      return error
    }
  }

  /// Fetches the configuration once. Returns nil if the configuration in force is now known to be
  /// the published one.
  func refresh(_ transport: any Transport) -> WalletError? {
    var headers = ["accept": "application/jwt"]
    headers["if-none-match"] = repository.etag
    do {
      let response = try transport.send(
        HTTPRequest(.get, Route.configuration, headers: headers),
        cancellation: cancellation)
      switch response.status {
      case 200:
        let compact = String(decoding: response.body, as: UTF8.self)
        return try repository.accept(compact, etag: response.entityTag) != .refused
          ? nil
          : WalletError(.serverUnreachable, "The provider's configuration does not verify.")
      case 304: return nil
      default:
        log(
          .info, "configuration", "The provider answered the refresh with HTTP \(response.status).")
        return WalletError(
          .serverUnreachable, "The provider answered with HTTP \(response.status).")
      }
    } catch {
      if error.kind != .cancelled {
        log(.info, "configuration", "The refresh failed: \(error.message)")
      }
      return error
    }
  }
}
