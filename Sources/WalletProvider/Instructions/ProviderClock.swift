import WalletSystem

/// What the rules take for the time where a store says another; one door, so that a test can stand in it.
public protocol ProviderClock: Sendable {
  /// The time that counts, in milliseconds since 1970, never negative. It may go back; the rules hold
  /// all the same.
  ///
  /// - Parameter time: the same by the clock of the store.
  func time(_ time: Int64) -> Int64
}

extension ProviderClock {
  /// The time that counts, by the clock of this machine: for what is outside of transactions.
  public var machineTime: Int64 { time(SystemWallClock().now) }
}

/// No other time than the true one.
public struct SystemWallClock: ProviderClock {
  public init() {}

  public func time(_ time: Int64) -> Int64 { time }

  /// The machine's wall clock, in milliseconds since 1970, never negative. Blocks must outlive the
  /// process, so no monotonic clock will do.
  public var now: Int64 { SystemClock.calendarMilliseconds }
}
