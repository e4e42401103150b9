import WalletSystem

/// Converts the time of a store into the time that the rules use, so that a test can move it.
public protocol ProviderClock: Sendable {
  /// The time that the rules use, in milliseconds since 1970, never negative. It may go back; the
  /// rules still hold.
  ///
  /// - Parameter time: the time of the store's clock.
  func time(_ time: Int64) -> Int64
}

extension ProviderClock {
  /// The time by the clock of this machine, for use outside of transactions.
  public var machineTime: Int64 { time(SystemWallClock().now) }
}

/// The real time.
public struct SystemWallClock: ProviderClock {
  public init() {}

  public func time(_ time: Int64) -> Int64 { time }

  /// The machine's wall clock, in milliseconds since 1970, never negative. A monotonic clock would
  /// not do, because blocks must outlive the process.
  public var now: Int64 { SystemClock.calendarMilliseconds }
}
