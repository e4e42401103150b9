internal import WalletSystem

/// The environment of the core that tests can control: clock, network faults and crash points.
///
/// The released library only uses `SystemEnvironment()`: the system's clock, no faults and no crash
/// points. Tests install another one through `SystemEnvironment.replacement` before init.
public struct SystemEnvironment: Sendable {
  /// A fault of a request to the provider.
  public enum NetworkFault: Int32, Sendable {
    case none = 0
    case noInternet = 1
    case refused = 2
    /// The request is sent and its answer dropped.
    case answerLost = 3
  }

  /// The clock that counts sleep.
  public var clock: any BootClock = SystemBootClock()
  /// The device's calendar, seconds since 1970; the user may set it to anything.
  public var calendarSeconds: @Sendable () -> Int64 = { SystemClock.calendarSeconds }
  /// Returns the fault of the next request; called once for each request.
  public var nextNetworkFault: @Sendable () -> NetworkFault = { .none }
  /// Called with the name of each crash point, a point at which tests can kill the process.
  public var passCrashPoint: @Sendable (String) -> Void = { _ in }

  public init() {}

  /// Set by wallet_core_testing before init; nil in the released library.
  public static let replacement = Monitor<SystemEnvironment?>(nil)
  /// Set by wallet_core when it is first used: resets the process's wallet. Returns true if all
  /// threads have ended.
  public static let processReset = Monitor<(@Sendable () -> Bool)?>(nil)

  /// The environment that the core uses.
  public static var current: SystemEnvironment {
    replacement.withLock { $0 } ?? SystemEnvironment()
  }
}
