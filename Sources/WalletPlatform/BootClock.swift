internal import Synchronization
internal import WalletSystem

/// A point in time or a duration, in milliseconds.
public typealias Milliseconds = Int64

/// Time as the core counts it: from an arbitrary start, never set, running while the device sleeps.
public protocol BootClock: Sendable {
  /// Milliseconds since the start.
  func now() -> Milliseconds
  /// Whether tests may move the clock, so that waits must look at it more than once.
  var isAdjustable: Bool { get }
}

/// The clock of the system, CLOCK_BOOTTIME.
public struct SystemBootClock: BootClock {
  public init() {}

  public var isAdjustable: Bool { false }

  public func now() -> Milliseconds { SystemClock.bootMilliseconds }
}

/// The clock of the system with an offset that tests move, and that they can stop.
public final class AdjustableClock: BootClock {
  private let offset = Atomic<Milliseconds>(0)
  private let stopped = Mutex<Milliseconds?>(nil)

  public init() {}

  public var isAdjustable: Bool { true }

  public func now() -> Milliseconds {
    (stopped.withLock { $0 } ?? SystemBootClock().now()) &+ offset.load(ordering: .relaxed)
  }

  /// From now on the clock moves by `advance(by:)` alone, so that no time passes on a slow machine.
  public func stop() {
    stopped.withLock { $0 = $0 ?? SystemBootClock().now() }
  }

  /// Moves the clock, back with a negative value.
  public func advance(by milliseconds: Milliseconds) {
    offset.wrappingAdd(milliseconds, ordering: .relaxed)
  }
}
