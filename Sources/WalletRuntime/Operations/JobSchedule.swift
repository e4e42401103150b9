/// One of the two threads of the job queue.
enum JobThread: CaseIterable, Sendable {
  case provider, device

  var other: JobThread { self == .provider ? .device : .provider }

  var name: String { self == .provider ? "wallet_core.wrk" : "wallet_core.loc" }
}

/// The jobs that wait and run, and which of them may start. Pure.
///
/// A job waits only for running jobs and for those before it: requests come before background work,
/// and otherwise the order of arrival counts. So no two jobs wait for each other.
struct JobSchedule: Sendable {
  /// In the order of arrival.
  private var waiting: [JobQueue.Job] = []
  var running: [JobThread: JobQueue.Job] = [:]
  var isStoreOpen = false
  var isStopping = false
  /// Whether each thread sleeps because it can start nothing.
  private var isSleeping = (provider: false, device: false)

  /// All jobs that have not ended. The waiting ones come first: whoever cancels all in this order
  /// has cancelled a waiting job before the end of a running one lets it begin.
  var jobs: [JobQueue.Job] { waiting + Array(running.values) }

  /// Adds a job, unless the queue is stopping. Returns also the background jobs that would delay it
  /// and are interrupted: not by a job that waits for them, nor one that finishes its answers by other
  /// background work.
  mutating func add(_ job: JobQueue.Job) -> (isAdded: Bool, interrupted: [JobQueue.Job]) {
    guard !isStopping else { return (false, []) }
    waiting.append(job)
    guard !job.waitsForBackground else { return (true, []) }
    let thread = thread(of: job)
    let delaying = running.filter { $0.key == thread || $0.value.excludes(job) }.values
    return (true, delaying.filter { $0.isBackground && !(job.isBackground && $0.finishesAnswers) })
  }

  /// Removes and returns the next job of a thread, which then counts as running; nil if none may
  /// start now.
  mutating func takeNext(for thread: JobThread) -> JobQueue.Job? {
    guard let next = next(for: thread) else { return nil }
    let job = waiting.remove(at: next)
    running[thread] = job
    return job
  }

  /// Notes that a thread sleeps until `takeThreadsToWake` returns it.
  mutating func sleep(_ thread: JobThread) {
    switch thread {
    case .provider: isSleeping.provider = true
    case .device: isSleeping.device = true
    }
  }

  /// The sleeping threads that can start a job or end, which then no longer count as sleeping.
  mutating func takeThreadsToWake() -> [JobThread] {
    var woken: [JobThread] = []
    if isSleeping.provider, mustWake(.provider) {
      isSleeping.provider = false
      woken.append(.provider)
    }
    if isSleeping.device, mustWake(.device) {
      isSleeping.device = false
      woken.append(.device)
    }
    return woken
  }

  private func mustWake(_ thread: JobThread) -> Bool {
    next(for: thread) != nil || isOver(for: thread)
  }

  /// Whether nothing is left to do for a thread, and nothing can come.
  func isOver(for thread: JobThread) -> Bool { isStopping && !mayHaveWork(for: thread) }

  /// The place of the next job of a thread.
  private func next(for thread: JobThread) -> Int? {
    // Reading cards may overtake a change of biometric unlock that waits for the other thread.
    var passesChange = false
    for isBackground in [false, true] {
      for next in waiting.indices
      where waiting[next].isBackground == isBackground && self.thread(of: waiting[next]) == thread {
        let order = waiting[next].order
        if passesChange, order != .free { continue }
        if !isHeldBack(next, by: thread.other) { return next }
        guard thread == .device, order == .changesBiometrics else { return nil }
        passesChange = true
      }
    }
    return nil
  }

  /// Whether jobs wait that this thread may have to do.
  private func mayHaveWork(for thread: JobThread) -> Bool {
    waiting.contains { self.thread(of: $0) == thread || thread == .device && $0.need == .device }
  }

  private func thread(of job: JobQueue.Job) -> JobThread {
    isStoreOpen && job.need == .device ? .device : .provider
  }

  /// Whether the job at `index` must wait for a job of another thread.
  private func isHeldBack(_ index: Int, by other: JobThread) -> Bool {
    let job = waiting[index]
    if let busy = running[other], busy.excludes(job) { return true }
    return waiting.indices.contains { position in
      let rival = waiting[position]
      let comesFirst =
        rival.isBackground == job.isBackground ? position < index : job.isBackground
      return comesFirst && thread(of: rival) == other && rival.excludes(job)
    }
  }
}

extension JobQueue.Job {
  /// Whether the two jobs must not run at the same time.
  fileprivate func excludes(_ job: JobQueue.Job) -> Bool {
    order == .alone || job.order == .alone
      || need == .device && job.need == .device
      || order == .changesBiometrics && job.order == .changesBiometrics
  }
}
