internal import WalletCrypto
internal import WalletSystem

/// A value behind a lock, with a condition to wait for changes: the only lock of the core.
///
/// A pthread mutex rather than `Synchronization.Mutex`, which misreports under ThreadSanitizer and
/// breaks in a forked child. Hold it briefly: never over I/O, never while host code runs. A secret
/// whose last reference goes while a thread holds a monitor is released when the thread holds none.
public final class Monitor<Value>: @unchecked Sendable {
  // Sendable: the value is used only by `withLock` and `wait`, which hold the mutex. It stays at a
  // fixed address from init to deinit. Swift then does not check exclusive access to it, which the
  // mutex already ensures.
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

  /// Runs `body` with exclusive access to the value.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let releases = lock()
    defer { unlock(releases) }
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
    let releases = lock()
    defer { unlock(releases) }
    while true {
      if let result = body(&value.pointee) { return result }
      // A secret must not stay in memory during the wait. The value may change meanwhile, so it is
      // checked again.
      if releaseSecrets(releases) { continue }
      guard sleep(until: deadline, clock) else { return nil }
    }
  }

  /// Returns what `unlock` needs to release secrets: nil if the thread holds another monitor.
  @usableFromInline func lock() -> UnsafeMutablePointer<Int>? {
    let releases = SecretReleases.postpone()
    condition.lock()
    return releases
  }

  @usableFromInline func unlock(_ releases: UnsafeMutablePointer<Int>?) {
    condition.unlock()
    if let releases { SecretReleases.resume(releases) }
  }

  /// Gives the lock up to release secrets that `body` has dropped. Returns whether there were any.
  @usableFromInline func releaseSecrets(_ releases: UnsafeMutablePointer<Int>?) -> Bool {
    guard let releases, SecretReleases.areWaiting(releases) else { return false }
    unlock(releases)
    _ = lock()
    return true
  }

  @usableFromInline func wakeAll() { condition.wakeAll() }

  /// The longest wait in one piece, in milliseconds. After a device woke up, what is due is done
  /// within this time.
  private static var longestSleep: Milliseconds { 5000 }

  /// Releases the lock until the value must be checked again. Returns false if the deadline has
  /// passed.
  @usableFromInline func sleep(until deadline: Milliseconds?, _ clock: any BootClock) -> Bool {
    guard let deadline else {
      condition.sleep()
      return true
    }
    let now = clock.now()
    guard now < deadline else { return false }
    // The system's wait does not count the time in which the device sleeps, so the clock is read
    // again soon. Tests move their clock without ending a wait.
    let pause = min(deadline - now, clock.isAdjustable ? 5 : Self.longestSleep)
    condition.sleep(milliseconds: pause)
    return true
  }
}
