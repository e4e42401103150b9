internal import WalletModel
internal import WalletPlatform

/// The one thread that does the wallet's slow work, one job after another in the order of arrival.
/// It may wait for bridges and the network, so that callers of the core never do.
final class JobQueue: Sendable {
  /// A job and its cancellations.
  struct Job: Sendable {
    /// The cancellation of the request; heeded until the point of no return.
    let cancellation: Cancellation
    /// Heeded at any time.
    let abort: Cancellation
    /// Whether this is background work, which a request interrupts.
    let isBackground: Bool
    /// Whether this is a wipe, which another wipe does not cancel.
    let isWipe: Bool
    let body: @Sendable (WalletSession, Job) -> Void

    /// The same job for steps that must be completed even after the request was cancelled.
    var uncancelled: Job {
      Job(
        cancellation: Cancellation(), abort: abort, isBackground: isBackground, isWipe: isWipe,
        body: body)
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

  /// Starts the thread. `makeSession` runs on it, and the session never leaves it.
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
      throw WalletError(.outOfResources, "The system could not start the wallet's thread.")
    }
    thread.withLock { $0 = started }
  }

  /// Adds a job. Returns false once the queue is stopping.
  ///
  /// - Parameter isBackground: Whether a request may interrupt the job.
  @discardableResult
  func add(
    cancellation: Cancellation = Cancellation(), isBackground: Bool = false,
    isWipe: Bool = false, _ body: @escaping @Sendable (WalletSession, Job) -> Void
  ) -> Bool {
    let job = Job(
      cancellation: cancellation, abort: Cancellation(), isBackground: isBackground,
      isWipe: isWipe, body: body)
    let (isAdded, interrupted) = state.update { state -> (Bool, Job?) in
      guard !state.isStopping else { return (false, nil) }
      state.waiting.append(job)
      return (true, state.running.flatMap { $0.isBackground ? $0 : nil })
    }
    interrupted?.cancel()
    return isAdded
  }

  /// Cancels the running job and all waiting jobs, except wipes. Each still runs, and ends soon.
  func cancelForWipe() {
    for job in jobs where !job.isWipe { job.cancel() }
  }

  private var jobs: [Job] {
    state.withLock { state in (state.running.map { [$0] } ?? []) + state.waiting }
  }

  /// Cancels all jobs and ends the thread once they have run; returns when it has ended.
  func shutDown() {
    state.update { $0.isStopping = true }
    for job in jobs { job.cancel() }
    let thread = thread.withLock { current in
      defer { current = nil }
      return current
    }
    thread?.join()
  }

  private func next() -> Job? {
    let job: Job?? = state.wait(clock: clock) { state in
      if !state.waiting.isEmpty {
        // Requests run before background work.
        let job = state.waiting.remove(at: state.waiting.firstIndex { !$0.isBackground } ?? 0)
        state.running = job
        return .some(job)
      }
      return state.isStopping ? .some(nil) : nil
    }
    return job ?? nil
  }
}
