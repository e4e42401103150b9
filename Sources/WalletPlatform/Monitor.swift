internal import WalletSystem

/// A value behind a lock, with a condition to wait for changes: the only lock of the core.
///
/// A pthread mutex rather than `Synchronization.Mutex`, which misreports under ThreadSanitizer and
/// breaks in a forked child. Hold it briefly: never over I/O, never while host code runs.
public final class Monitor<Value>: @unchecked Sendable {
  // Sendable: the value is touched only by `withLock` and `wait`, which hold the lock. It lives at a fixed
  // address from init to deinit, so that Swift checks no access to it, which the lock already keeps apart.
  @usableFromInline let value: UnsafeMutablePointer<Value>
  private let condition = LockCondition()

  public init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Runs `body` with the value, alone.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&value.pointee)
  }

  /// Changes the value and wakes all that wait. The wake-up follows the unlock, which saves the
  /// woken thread a second wait.
  @inlinable
  public func update<Result>(_ body: (inout Value) -> Result) -> Result {
    let result = withLock(body)
    wakeAll()
    return result
  }

  /// Waits until `body` returns a result, asking it again after every `update`.
  ///
  /// - Parameter deadline: when to give up by `clock`; nil waits without end.
  /// - Returns: nil when the deadline has passed.
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

  @usableFromInline func lock() { condition.lock() }
  @usableFromInline func unlock() { condition.unlock() }
  @usableFromInline func wakeAll() { condition.wakeAll() }

  /// Gives the lock up until it is time to look again; false when the deadline has passed.
  @usableFromInline func sleep(until deadline: Milliseconds?, _ clock: any BootClock) -> Bool {
    guard let deadline else {
      condition.sleep()
      return true
    }
    let now = clock.now()
    guard now < deadline else { return false }
    // A clock that tests move does not wake a sleeper, so look at it again soon.
    let pause = clock.isAdjustable ? min(deadline - now, 5) : deadline - now
    condition.sleep(milliseconds: pause)
    return true
  }
}
