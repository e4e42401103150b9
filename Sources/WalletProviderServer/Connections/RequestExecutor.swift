import Dispatch

/// Runs the tasks of a server on threads that may wait for a disk.
///
/// A request commits up to four times one after the other. On the threads of Swift's pool, which are as
/// many as the cores and must not wait, it would pass to another thread and back for each commit.
final class RequestExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "wallet-provider.requests", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
