import Foundation
import WalletProvider

/// A fixed set of threads, each with a connection of its own that it makes when it first needs one, and
/// anew after it was lost.
final class ConnectionPool: Sendable {
  private let queue: ConnectionJobs
  private let limits: DatabaseLimits

  init(_ url: DatabaseURL, limits: DatabaseLimits) {
    let queue = ConnectionJobs(limit: limits.waiting)
    self.queue = queue
    self.limits = limits
    for number in 1...max(1, limits.connections) {
      let thread = Thread {
        let worker = ConnectionWorker(url, limits: limits)
        while let job = queue.next() { job.run(worker) }
      }
      thread.name = "postgresql-\(number)"
      thread.start()
    }
  }

  deinit { queue.close() }

  /// Runs `work` on one of the threads.
  ///
  /// - Throws: `StoreFailure` when too many wait, or none was free in time; else what `work` throws.
  func run<Answer: Sendable>(
    _ work: @escaping @Sendable (ConnectionWorker) throws -> Answer
  ) async throws -> Answer {
    let wait = Duration.milliseconds(limits.connectionWait)
    return try await withCheckedThrowingContinuation { continuation in
      let job = ConnectionJob(wait: wait) { worker in
        guard let worker else {
          return continuation.resume(throwing: StoreFailure("no connection to PostgreSQL was free"))
        }
        continuation.resume(with: Result { try work(worker) })
      }
      switch queue.add(job) {
      case .taken: break
      case .queued: job.giveUpInTime { [queue] in queue.remove($0) }
      case .refused: job.run(nil)
      }
    }
  }
}

/// What waits for a worker; it is run once, with the worker or, when none came in time, without.
final class ConnectionJob: @unchecked Sendable {
  private let lock = NSLock()
  // The three are touched only while `lock` is held.
  private var work: (@Sendable (ConnectionWorker?) -> Void)?
  private var end: Task<Void, Never>?
  private var isOver: Bool { work == nil }

  private let deadline: ContinuousClock.Instant

  init(wait: Duration, _ work: @escaping @Sendable (ConnectionWorker?) -> Void) {
    deadline = .now + wait
    self.work = work
  }

  /// Nothing happens when it was run before.
  func run(_ worker: ConnectionWorker?) {
    let (work, end) = lock.withLock {
      defer { self.work = nil }
      return (self.work, self.end)
    }
    end?.cancel()
    work?(ContinuousClock.now < deadline ? worker : nil)
  }

  /// Has it run without a worker at its deadline, after `remove`.
  func giveUpInTime(_ remove: @escaping @Sendable (ConnectionJob) -> Void) {
    let end = Task { [weak self, deadline] in
      try? await Task.sleep(until: deadline, clock: .continuous)
      guard !Task.isCancelled, let self else { return }
      remove(self)
      self.run(nil)
    }
    let isOver = lock.withLock {
      self.end = end
      return self.isOver
    }
    if isOver { end.cancel() }
  }
}

/// Jobs in the order that they came in.
final class ConnectionJobs: @unchecked Sendable {
  enum Admission {
    /// Somebody is free for it.
    case taken
    case queued
    /// Too many wait.
    case refused
  }

  private let condition = NSCondition()
  private let limit: Int
  // All below is touched only while `condition` is held.
  private var jobs: [ConnectionJob] = []
  /// Where the first job stands: the array is cut only now and then.
  private var first = 0
  private var idle = 0
  private var isClosed = false

  init(limit: Int) { self.limit = limit }

  func add(_ job: ConnectionJob) -> Admission {
    condition.lock()
    defer { condition.unlock() }
    let waiting = jobs.count - first
    guard !isClosed, waiting < limit + idle else { return .refused }
    jobs.append(job)
    condition.signal()
    return waiting < idle ? .taken : .queued
  }

  /// Takes out what waits no longer, so that it takes nobody's place.
  func remove(_ job: ConnectionJob) {
    condition.lock()
    defer { condition.unlock() }
    guard let index = jobs[first...].firstIndex(where: { $0 === job }) else { return }
    jobs.remove(at: index)
  }

  /// Waits for a job; nil when there will be none any more.
  func next() -> ConnectionJob? {
    condition.lock()
    defer { condition.unlock() }
    idle += 1
    defer { idle -= 1 }
    while first == jobs.count {
      if isClosed { return nil }
      condition.wait()
    }
    let job = jobs[first]
    first += 1
    if first == jobs.count || first >= limit {
      jobs.removeFirst(first)
      first = 0
    }
    return job
  }

  /// What waits is still run.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
  }
}
