internal import WalletSystem

/// The environment of the core that tests can control: clock and crash points.
///
/// The released library only uses `SystemEnvironment()`: the system's clock and no crash points.
/// Tests install another one through `SystemEnvironment.replacement` before init.
public struct SystemEnvironment: Sendable {
  /// The clock that counts sleep.
  public var clock: any BootClock = SystemBootClock()
  /// The device's calendar, seconds since 1970; the user may set it to anything.
  public var calendarSeconds: @Sendable () -> Int64 = { SystemClock.calendarSeconds }
  /// Called with the name of each crash point, a point at which tests can kill the process.
  public var passCrashPoint: @Sendable (String) -> Void = { _ in }

  public init() {}

  /// Set by wallet_core_testing before init; nil in the released library.
  public static let replacement = Monitor<SystemEnvironment?>(nil)
  /// Set by wallet_core when it is first used: resets the process's wallet. Returns true if all
  /// threads have ended.
  public static let processReset = Monitor<(@Sendable () -> Bool)?>(nil)

  /// Set by wallet_core with `processReset`: the HTTP bridge of the process.
  public static let httpBridge = Monitor<(any HTTPBridge)?>(nil)

  /// The environment that the core uses.
  public static var current: SystemEnvironment {
    replacement.withLock { $0 } ?? SystemEnvironment()
  }
}
