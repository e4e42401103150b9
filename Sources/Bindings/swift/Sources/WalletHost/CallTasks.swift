// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The tasks of calls that were not answered yet. The library calls and cancels on its own threads;
/// each call becomes a task, so that these threads do not wait.
final class CallTasks: Sendable {
  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    /// Calls that were cancelled before they came here, on another thread; the latest 64.
    var early: [UInt64] = []
  }

  private let state = Mutex(State())

  func start(_ call: UInt64, _ work: @escaping @Sendable () async -> Void) {
    // Under the lock, so that the task is added before it removes itself.
    state.withLock { state in
      let isCancelled = state.early.contains(call)
      state.tasks[call] = Task {
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        await work()
        self.state.withLock { _ = $0.tasks.removeValue(forKey: call) }
      }
    }
  }

  func cancel(_ call: UInt64) {
    let task = state.withLock { state -> Task<Void, Never>? in
      if let task = state.tasks[call] { return task }
      state.early = state.early.suffix(63) + [call]
      return nil
    }
    task?.cancel()
  }
}
