import Foundation
import TestSupport

/// A value that several threads of a test share and can wait for.
final class Shared<Value>: @unchecked Sendable {
  // Sendable: `value` is only touched with the condition's lock held.
  private var value: Value
  private let condition = NSCondition()

  init(_ value: Value) { self.value = value }

  var current: Value { withLock { $0 } }

  @discardableResult
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return body(&value)
  }

  /// Waits until `isWanted` is true. Returns false if it never is.
  ///
  /// - Parameter times: The deadline as a multiple of that of tests, for long work.
  func wait(times: Double = 1, until isWanted: (Value) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: times * Patience.seconds)
    condition.lock()
    defer { condition.unlock() }
    while !isWanted(value) {
      if !condition.wait(until: deadline) { return isWanted(value) }
    }
    return true
  }
}

/// The time in milliseconds of a clock that is never set.
func monotonicMilliseconds() -> Double {
  Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000
}

/// Runs `body` on a new thread and shares its result.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Shared<Result?> {
  let result = Shared<Result?>(nil)
  Thread.detachNewThread {
    let value = body(); result.withLock { $0 = value }
  }
  return result
}

/// Like `onThread`, but returns once the thread sleeps inside `body` or has ended.
func onWaitingThread<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) -> Shared<Result?> {
  let thread = Shared("")
  let result = onThread {
    let link = "/proc/thread-self"
    thread.withLock {
      $0 = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? ""
    }
    return body()
  }
  _ = thread.wait { $0 != "" }
  _ = eventually {
    let before = sleeps(of: thread.current)
    usleep(2_000)
    return result.current != nil || before != nil && before == sleeps(of: thread.current)
  }
  return result
}

/// The number of times that a thread went to sleep; nil if it does not sleep now.
private func sleeps(of thread: String) -> Substring? {
  let status = FileManager.default.contents(atPath: "/proc/\(thread)/status") ?? Data()
  let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
  guard lines.contains(where: { $0.hasPrefix("State:\tS") }) else { return nil }
  return lines.first { $0.hasPrefix("voluntary_ctxt_switches") }
}

/// The number of threads of this process.
func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// The threads of the library in this process.
func coreThreads() -> [String] {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return threads.map { thread in
    let bytes = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/comm") ?? Data()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }.filter { $0.hasPrefix("wallet_core.") }
}

/// The name of the calling thread.
func threadName() -> String {
  let bytes = FileManager.default.contents(atPath: "/proc/thread-self/comm") ?? Data()
  return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
