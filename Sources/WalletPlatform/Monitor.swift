internal import Glibc

/// A value behind a lock, with a condition to wait for changes: the only lock of the core.
///
/// A pthread mutex rather than `Synchronization.Mutex`, which misreports under ThreadSanitizer and
/// breaks in a forked child. Hold it briefly: never over I/O, never while host code runs.
public final class Monitor<Value>: @unchecked Sendable {
  // Sendable: the value is used only by `withLock` and `wait`, which hold the mutex. All three
  // objects stay at a fixed address from init to deinit: POSIX requires it, and Swift then does not
  // check exclusive access to the value, which the mutex already ensures.
  @usableFromInline let value: UnsafeMutablePointer<Value>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  public init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
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
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&value.pointee)
  }

  /// Changes the value and wakes all waiting threads. The wake-up follows the unlock, which saves
  /// the woken thread a second wait.
  @inlinable
  public func update<Result>(_ body: (inout Value) -> Result) -> Result {
    let result = withLock(body)
    wakeAll()
    return result
  }

  /// Waits until `body` returns a result. `body` is called again after every `update`.
  ///
  /// - Parameter deadline: The time of `clock` at which to stop waiting; nil waits without limit.
  /// - Returns: Nil if the deadline has passed.
  @inlinable
  public func wait<Result>(
    until deadline: Milliseconds? = nil, clock: any BootClock,
    for body: (inout Value) -> Result?
  ) -> Result? {
    lock()
    defer { unlock() }
    while true {
      if let result = body(&value.pointee) { return result }
      guard sleep(until: deadline, clock) else { return nil }
    }
  }

  @usableFromInline func lock() { pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
  @usableFromInline func wakeAll() { pthread_cond_broadcast(condition) }

  /// Releases the lock until the value must be checked again. Returns false if the deadline has
  /// passed.
  @usableFromInline func sleep(until deadline: Milliseconds?, _ clock: any BootClock) -> Bool {
    guard let deadline else {
      pthread_cond_wait(condition, mutex)
      return true
    }
    let now = clock.now()
    guard now < deadline else { return false }
    // A clock that tests move does not end a wait, so it is read again soon.
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
    return true
  }
}
