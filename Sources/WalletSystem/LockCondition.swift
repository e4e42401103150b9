internal import CPosix

/// A mutex with one condition, whose waits the date does not change.
public struct LockCondition: ~Copyable, @unchecked Sendable {
  // Sendable: the pointer never changes, and what it leads to is for all threads. POSIX asks for a
  // fixed address from init to deinit.
  private let condition: UnsafeMutablePointer<wallet_condition>

  public init() {
    condition = .allocate(capacity: 1)
    condition.initialize(to: wallet_condition())
    wallet_condition_init(condition)
  }

  deinit {
    wallet_condition_destroy(condition)
    condition.deallocate()
  }

  /// Not while the caller holds it already.
  public func lock() { wallet_condition_lock(condition) }

  /// By the thread that holds it.
  public func unlock() { wallet_condition_unlock(condition) }

  /// Wakes all that sleep.
  public func wakeAll() { wallet_condition_wake_all(condition) }

  /// Gives the lock up until it is woken, perhaps for nothing; holds it again on return.
  public func sleep() { wallet_condition_sleep(condition) }

  /// The same for at most so many milliseconds, which are not negative.
  public func sleep(milliseconds: Int64) { wallet_condition_sleep_for(condition, milliseconds) }
}
