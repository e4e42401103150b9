internal import CPosix

/// A mutex with one condition. Changes of the date have no effect on its waits.
public struct LockCondition: ~Copyable, @unchecked Sendable {
  // Sendable: the pointer never changes, and all threads may use what it points to. POSIX requires
  // a fixed address from init to deinit.
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

  /// Takes the lock. The caller must not hold it already.
  public func lock() { wallet_condition_lock(condition) }

  /// Releases the lock. Must be called by the thread that holds it.
  public func unlock() { wallet_condition_unlock(condition) }

  /// Wakes all sleeping threads.
  public func wakeAll() { wallet_condition_wake_all(condition) }

  /// Releases the lock, waits to be woken and takes the lock again. May return without a wake-up.
  public func sleep() { wallet_condition_sleep(condition) }

  /// Like `sleep()`, but waits at most `milliseconds`, which must not be negative.
  public func sleep(milliseconds: Int64) { wallet_condition_sleep_for(condition, milliseconds) }
}
