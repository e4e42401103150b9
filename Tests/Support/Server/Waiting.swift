import Foundation

/// Starts tasks one after the other while a transaction has the database, and lets them go when all of
/// them wait.
///
/// - Parameters:
///   - waiting: how many wait.
///   - transaction: runs the closure in a transaction.
/// - Returns: What came of each.
public func whileADatabaseIsHeld<Value: Sendable>(
  waiting: () -> Int,
  _ transaction: @escaping @Sendable (@escaping @Sendable () -> Void) async throws -> Void,
  _ tasks: [@Sendable () async throws -> Value]
) async throws -> [Result<Value, any Error>] {
  let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  // On a thread of its own: it blocks, and Swift's pool may have one thread only.
  let first = Task(executorPreference: BlockingExecutor()) {
    try await transaction {
      begun.signal()
      mayEnd.wait()
    }
  }
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      begun.wait()
      continuation.resume()
    }
  }
  var started: [Task<Value, any Error>] = []
  for (index, task) in tasks.enumerated() {
    started.append(Task { try await task() })
    while waiting() <= index { await Task.yield() }
  }
  mayEnd.signal()
  try await first.value
  var results: [Result<Value, any Error>] = []
  for task in started { results.append(await task.result) }
  return results
}

/// Runs jobs on threads that may block.
private final class BlockingExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "blocking", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
