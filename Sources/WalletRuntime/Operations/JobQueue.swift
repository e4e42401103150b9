internal import WalletModel
internal import WalletPlatform

/// The one thread that does the wallet's slow work, one job after another, in the order in which
/// they came. It may wait for bridges and the network; whoever calls the core never does.
final class JobQueue: Sendable {
  /// A job and whom to tell to hurry.
  struct Job: Sendable {
    /// The request's own; heeded until its point of no return.
    let cancellation: Cancellation
    /// Heeded at every moment.
    let abort: Cancellation
    /// Whether nobody asked for it, so that it makes way for whoever asks for something.
    let isBackground: Bool
    let body: @Sendable (WalletSession, Job) -> Void

    /// The same for what must be done although nobody waits for it.
    var uncancelled: Job {
      Job(cancellation: Cancellation(), abort: abort, isBackground: isBackground, body: body)
    }

    func cancel() {
      cancellation.cancel()
      abort.cancel()
    }
  }

  private struct State: Sendable {
    var waiting: [Job] = []
    var running: Job?
    var isStopping = false
  }

  private let state = Monitor(State())
  private let thread = Monitor<NamedThread?>(nil)
  private let clock: any BootClock

  init(clock: any BootClock) { self.clock = clock }

  /// Starts the thread; `makeSession` runs on it, and what it makes never leaves it.
  func start(_ makeSession: @escaping @Sendable () -> WalletSession) throws(WalletError) {
    let started = NamedThread("wallet_core.wrk", signals: .blocked) {
      let session = makeSession()
      while let job = self.next() {
        job.body(session, job)
        self.state.withLock { $0.running = nil }
      }
      session.close()
    }
    guard let started else {
      throw WalletError(.outOfResources, "The system has no thread left for the wallet.")
    }
    thread.withLock { $0 = started }
  }

  /// Adds a job; false once the worker is stopping.
  ///
  /// - Parameter isBackground: Whether nobody asked for it.
  @discardableResult
  func add(
    cancellation: Cancellation = Cancellation(), isBackground: Bool = false,
    _ body: @escaping @Sendable (WalletSession, Job) -> Void
  ) -> Bool {
    let job = Job(
      cancellation: cancellation, abort: Cancellation(), isBackground: isBackground, body: body)
    let (isAdded, makesWay) = state.update { state -> (Bool, Job?) in
      guard !state.isStopping else { return (false, nil) }
      state.waiting.append(job)
      return (true, state.running.flatMap { $0.isBackground ? $0 : nil })
    }
    makesWay?.cancel()
    return isAdded
  }

  /// Cancels the running and all waiting jobs; each still runs, and ends soon.
  func cancelAll() {
    let jobs = state.withLock { state in (state.running.map { [$0] } ?? []) + state.waiting }
    for job in jobs { job.cancel() }
  }

  /// Ends the thread after the jobs that wait, which are cancelled, and waits for it.
  func shutDown() {
    state.update { $0.isStopping = true }
    cancelAll()
    let thread = thread.withLock { current in
      defer { current = nil }
      return current
    }
    thread?.join()
  }

  private func next() -> Job? {
    let job: Job?? = state.wait(clock: clock) { state in
      if !state.waiting.isEmpty {
        // Whoever asked for something goes before what nobody asked for.
        let job = state.waiting.remove(at: state.waiting.firstIndex { !$0.isBackground } ?? 0)
        state.running = job
        return .some(job)
      }
      return state.isStopping ? .some(nil) : nil
    }
    return job ?? nil
  }
}
