internal import WalletCrypto
internal import WalletSystem

/// A value behind a lock, with a condition to wait for changes: the only lock of the core.
///
/// It uses a pthread mutex rather than `Synchronization.Mutex`, which causes false reports under
/// ThreadSanitizer and breaks in a forked child. Hold a monitor briefly: never over I/O, never
/// while host code runs. If a thread drops the last reference to a secret while it holds a monitor,
/// the secret is released when the thread holds no monitor any more.
public final class Monitor<Value>: @unchecked Sendable {
  // Sendable: the value is used only by `withLock` and `wait`, which hold the mutex. The value
  // stays at a fixed address from init to deinit, so Swift does not check exclusive access to it.
  // The mutex already ensures that.
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

  /// Changes the value and wakes all waiting threads. It unlocks first, so that a woken thread need
  /// not wait once more, for the lock.
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
      // A secret that `body` has dropped must not stay in memory during the wait. While it is
      // released the value may change, so `body` is called again.
      if releaseSecrets(releases) { continue }
      guard sleep(until: deadline, clock) else { return nil }
    }
  }

  /// Takes the lock. Returns what `unlock` needs to release postponed secrets; nil if the thread
  /// holds another monitor, which releases them later.
  @usableFromInline func lock() -> UnsafeMutablePointer<Int>? {
    let releases = SecretReleases.postpone()
    condition.lock()
    return releases
  }

  @usableFromInline func unlock(_ releases: UnsafeMutablePointer<Int>?) {
    condition.unlock()
    if let releases { SecretReleases.resume(releases) }
  }

  /// Unlocks, releases the secrets that `body` has dropped, and locks again. Returns whether there
  /// were such secrets.
  @usableFromInline func releaseSecrets(_ releases: UnsafeMutablePointer<Int>?) -> Bool {
    guard let releases, SecretReleases.areWaiting(releases) else { return false }
    unlock(releases)
    _ = lock()
    return true
  }

  @usableFromInline func wakeAll() { condition.wakeAll() }

  /// The longest uninterrupted wait, in milliseconds. A deadline that passes while the device
  /// sleeps is noticed within this time after the device wakes up.
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
    // The system's wait does not count the time that the device sleeps, so it is kept short and the
    // clock is read again. A test that moves its clock does not end a wait either.
    let pause = min(deadline - now, clock.isAdjustable ? 5 : Self.longestSleep)
    condition.sleep(milliseconds: pause)
    return true
  }
}
