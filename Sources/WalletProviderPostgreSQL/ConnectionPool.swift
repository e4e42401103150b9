import Foundation
import WalletProvider

/// A fixed set of threads, each with its own connection. A connection is made when its thread first
/// needs one, and again after it was lost.
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
  /// - Throws: `StoreFailure` if too many wait or no connection became free in time; otherwise any
  ///   error of `work`.
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

/// A job that waits for a worker. It is run once: with the worker or, if none was free in time,
/// with nil.
final class ConnectionJob: @unchecked Sendable {
  private let lock = NSLock()
  // Accessed only while `lock` is held.
  private var work: (@Sendable (ConnectionWorker?) -> Void)?
  private var end: Task<Void, Never>?
  private var isOver: Bool { work == nil }

  private let deadline: ContinuousClock.Instant

  init(wait: Duration, _ work: @escaping @Sendable (ConnectionWorker?) -> Void) {
    deadline = .now + wait
    self.work = work
  }

  /// Runs the job; does nothing if it was run before.
  func run(_ worker: ConnectionWorker?) {
    let (work, end) = lock.withLock {
      defer { self.work = nil }
      return (self.work, self.end)
    }
    end?.cancel()
    work?(ContinuousClock.now < deadline ? worker : nil)
  }

  /// At the job's deadline, calls `remove` and runs the job without a worker, unless it was run
  /// before.
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

/// A queue of jobs, first in, first out.
final class ConnectionJobs: @unchecked Sendable {
  enum Admission {
    /// A worker is idle and takes the job at once.
    case taken
    case queued
    /// Too many jobs wait.
    case refused
  }

  private let condition = NSCondition()
  private let limit: Int
  // Everything below is accessed only while `condition` is held.
  private var jobs: [ConnectionJob] = []
  /// The index in `jobs` of the first job that waits. The jobs before it were taken, and are
  /// removed from the array only now and then.
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

  /// Removes a job that no longer waits.
  func remove(_ job: ConnectionJob) {
    condition.lock()
    defer { condition.unlock() }
    guard let index = jobs[first...].firstIndex(where: { $0 === job }) else { return }
    jobs.remove(at: index)
  }

  /// Waits for a job; nil once the queue is closed and empty.
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

  /// Closes the queue. Jobs that wait are still run.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
  }
}
