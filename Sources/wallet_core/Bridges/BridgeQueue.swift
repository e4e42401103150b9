internal import WalletPlatform

/// A queue that runs bridge functions on one thread, one at a time and in order. If a function runs
/// too long, it keeps its thread, and the queue continues on a new one. So a host that blocks
/// delays only itself.
final class BridgeQueue: Sendable {
  /// Host code to run, with an id.
  struct Job: Sendable {
    let id: UInt64
    let run: @Sendable () -> Void
  }

  /// How long a function may occupy the queue, in milliseconds.
  static let timeLimit: Milliseconds = 10_000

  private struct State {
    var jobs: [Job] = []
    var running: (job: UInt64, since: Milliseconds)?
    /// The generation of the thread that serves the queue. An older thread ends when its function
    /// returns.
    var generation: UInt64 = 0
    var thread: NamedThread?
    /// Since when jobs wait because the system starts no thread; nil if there is a thread.
    var threadlessSince: Milliseconds?
    /// Nil before init, when no thread may start.
    var hostThreads: HostThreads?
    var clock: any BootClock = SystemBootClock()
    var isClosed = false
  }

  private let name: String
  private let state = Monitor(State())

  init(_ name: String) { self.name = name }

  /// Allows threads. Jobs that were added before init start now.
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

  /// The time at which the running job exceeds the time limit; nil if none runs.
  var timeLimitEnds: Milliseconds? {
    state.withLock { $0.running.map { $0.since &+ Self.timeLimit } }
  }

  /// Since when jobs wait because no thread can be started; nil if there is a thread.
  var threadlessSince: Milliseconds? { state.withLock { $0.threadlessSince } }

  /// Replaces the thread if its function exceeds the time limit or belongs to `job`. Starts a
  /// thread if none could be started before.
  func replaceThreadIfStuck(in job: UInt64? = nil) {
    state.update { state in
      guard let hostThreads = state.hostThreads, !state.isClosed else { return }
      guard let running = state.running else { return startThread(&state) }
      let isOverdue = running.since &+ Self.timeLimit <= state.clock.now()
      guard isOverdue || running.job == job else { return }
      state.generation &+= 1
      state.running = nil
      state.thread?.detach()
      state.thread = nil
      hostThreads.retire()
      startThread(&state)
    }
  }

  /// Drops all jobs. The thread ends by itself.
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

  /// Starts the thread if there are jobs and none runs. If the system cannot start one, the next
  /// job and every waiting call try again.
  private func startThread(_ state: inout State) {
    guard let hostThreads = state.hostThreads, state.thread == nil, !state.jobs.isEmpty else {
      return
    }
    let generation = state.generation
    state.thread = hostThreads.start(name, .bridges) { [self] in serve(hostThreads, generation) }
    state.threadlessSince =
      state.thread == nil ? state.threadlessSince ?? state.clock.now() : nil
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
