internal import Glibc

/// A value behind a lock, with a condition to wait for changes: the only lock of the core.
///
/// A pthread mutex rather than `Synchronization.Mutex`, which misreports under ThreadSanitizer and
/// breaks in a forked child. Hold it briefly: never over I/O, never while host code runs.
public final class Monitor<Value>: @unchecked Sendable {
  // Sendable: `value` is touched only by `withLock` and `wait`, which hold the mutex; the two
  // pthread objects live at a fixed address from init to deinit, as POSIX asks.
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  public init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the value, alone.
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value and wakes all that wait. The wake-up follows the unlock, which saves the
  /// woken thread a second wait.
  public func update<Result>(_ body: (inout Value) -> Result) -> Result {
    let result = withLock(body)
    pthread_cond_broadcast(condition)
    return result
  }

  /// Waits until `body` returns a result, asking it again after every `update`.
  ///
  /// - Parameter deadline: when to give up by `clock`; nil waits without end.
  /// - Returns: nil when the deadline has passed.
  public func wait<Result>(
    until deadline: Milliseconds? = nil, clock: any Clock,
    for body: (inout Value) -> Result?
  ) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let now = clock.now()
      guard now < deadline else { return nil }
      // A clock that tests move does not wake a sleeper, so look at it again soon.
      let pause = clock.isAdjustable ? min(deadline - now, 5) : deadline - now
      var wake = timespec()
      clock_gettime(CLOCK_MONOTONIC, &wake)
      let (seconds, milliseconds) = pause.quotientAndRemainder(dividingBy: 1000)
      wake.tv_sec = wake.tv_sec.addingReportingOverflow(Int(clamping: seconds)).partialValue
      wake.tv_nsec += Int(milliseconds) * 1_000_000
      if wake.tv_nsec >= 1_000_000_000 {
        wake.tv_sec += 1
        wake.tv_nsec -= 1_000_000_000
      }
      pthread_cond_timedwait(condition, mutex, &wake)
    }
  }
}
