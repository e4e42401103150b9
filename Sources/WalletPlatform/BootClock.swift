internal import Synchronization
internal import WalletSystem

/// A point in time or a duration, in milliseconds.
public typealias Milliseconds = Int64

/// The clock of the core: it counts from an arbitrary start, is never set and runs while the device
/// sleeps.
public protocol BootClock: Sendable {
  /// Milliseconds since the clock's start.
  func now() -> Milliseconds
  /// Whether tests can move the clock. If so, code that waits must read the clock again and again.
  var isAdjustable: Bool { get }
}

/// The clock of the system, CLOCK_BOOTTIME.
public struct SystemBootClock: BootClock {
  public init() {}

  public var isAdjustable: Bool { false }

  public func now() -> Milliseconds { SystemClock.bootMilliseconds }
}

/// The clock of the system with an offset that tests can change. Tests can also stop it.
public final class AdjustableClock: BootClock {
  private let offset = Atomic<Milliseconds>(0)
  private let stopped = Mutex<Milliseconds?>(nil)

  public init() {}

  public var isAdjustable: Bool { true }

  public func now() -> Milliseconds {
    (stopped.withLock { $0 } ?? SystemBootClock().now()) &+ offset.load(ordering: .relaxed)
  }

  /// Stops the clock: from now on only `advance(by:)` moves it. So a slow machine does not change
  /// the outcome of a test.
  public func stop() {
    stopped.withLock { $0 = $0 ?? SystemBootClock().now() }
  }

  /// Moves the clock; a negative value moves it back.
  public func advance(by milliseconds: Milliseconds) {
    offset.wrappingAdd(milliseconds, ordering: .relaxed)
  }
}
