internal import WalletPlatform

/// A thread for bridge functions, one at a time and in order. A function that keeps it too long
/// loses it to a new thread, so that a host that blocks delays only itself.
final class BridgeQueue: Sendable {
  /// Host code to run, with a number to know it by.
  struct Job: Sendable {
    let id: UInt64
    let run: @Sendable () -> Void
  }

  /// A function may keep the queue so long.
  static let patience: Milliseconds = 10_000

  private struct State {
    var jobs: [Job] = []
    var running: (job: UInt64, since: Milliseconds)?
    /// Of the thread that serves the queue; an older thread leaves when its function returns.
    var generation: UInt64 = 0
    var thread: NamedThread?
    /// The hostThreads and the clock of the core; nil before init, when no thread may start.
    var hostThreads: HostThreads?
    var clock: any BootClock = SystemBootClock()
    var isClosed = false
  }

  private let name: String
  private let state = Monitor(State())

  init(_ name: String) { self.name = name }

  /// Allows threads; what waited since before init is served now.
  func start(hostThreads: HostThreads, clock: any BootClock) {
    state.update { state in
      state.hostThreads = hostThreads
      state.clock = clock
      startThread(&state)
    }
  }

  /// Queues a job.
  func add(_ job: Job) {
    state.update { state in
      guard !state.isClosed else { return }
      state.jobs.append(job)
      startThread(&state)
    }
  }

  /// When the job that runs now will have kept the queue too long; nil where none runs.
  var patienceEnds: Milliseconds? {
    state.withLock { $0.running.map { $0.since &+ Self.patience } }
  }

  /// Replaces the thread if the function on it has kept it too long, or is that of `job`; tries for
  /// one where none could be had before.
  func relieve(from job: UInt64? = nil) {
    state.update { state in
      guard let hostThreads = state.hostThreads, !state.isClosed else { return }
      guard let running = state.running else { return startThread(&state) }
      let isOverdue = running.since &+ Self.patience <= state.clock.now()
      guard isOverdue || running.job == job else { return }
      state.generation &+= 1
      state.running = nil
      state.thread?.detach()
      state.thread = nil
      hostThreads.retire()
      startThread(&state)
    }
  }

  /// Drops all jobs; the thread leaves on its own.
  func close() {
    state.update { state in
      state.isClosed = true
      state.jobs = []
      state.generation &+= 1
      if state.running != nil { state.hostThreads?.retire() }
      state.thread?.detach()
      state.thread = nil
    }
  }

  /// Starts the thread where there is work and none runs. Where the system has none left, the next
  /// job tries again, and so does whoever waits for one.
  private func startThread(_ state: inout State) {
    guard let hostThreads = state.hostThreads, state.thread == nil, !state.jobs.isEmpty else { return }
    let generation = state.generation
    state.thread = hostThreads.start(name, .bridges) { [self] in serve(hostThreads, generation) }
  }

  private func serve(_ hostThreads: HostThreads, _ generation: UInt64) {
    while let job = nextJob(generation) {
      job.run()
      let isOurs = state.withLock { state in
        guard state.generation == generation else { return false }
        state.running = nil
        return true
      }
      if !isOurs { return hostThreads.threadReturned() }
    }
  }

  private func nextJob(_ generation: UInt64) -> Job? {
    let job = state.wait(clock: SystemBootClock()) { state -> Job?? in
      guard state.generation == generation else { return .some(nil) }
      guard let job = state.jobs.first else { return nil }
      state.jobs.removeFirst()
      state.running = (job.id, state.clock.now())
      return job
    }
    return job ?? nil
  }
}
