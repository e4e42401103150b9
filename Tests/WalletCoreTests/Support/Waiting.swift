import Foundation

/// A value that several threads of a test share, with waiting.
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

  /// Waits until the value is as wanted; false if that takes longer than `seconds`.
  func wait(_ seconds: Double = 5, until isWanted: (Value) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !isWanted(value) {
      if !condition.wait(until: deadline) { return isWanted(value) }
    }
    return true
  }
}

/// Milliseconds of a clock that nobody sets.
func monotonicMilliseconds() -> Double {
  Double(DispatchTime.now().uptimeNanoseconds) / 1_000_000
}

/// Runs `body` on a thread of its own and shares what it returned.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Shared<Result?> {
  let result = Shared<Result?>(nil)
  Thread.detachNewThread {
    let value = body(); result.withLock { $0 = value }
  }
  return result
}

/// The threads of this process.
func threadCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// The name of the calling thread.
func threadName() -> String {
  let bytes = FileManager.default.contents(atPath: "/proc/thread-self/comm") ?? Data()
  return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
