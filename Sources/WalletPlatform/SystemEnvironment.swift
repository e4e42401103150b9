internal import WalletSystem

/// What tests control of the outside world: clock, network faults, crash points.
///
/// The shipped library only ever has `SystemEnvironment()`: the system's clock, no faults, no crash
/// points. Tests install another one through `SystemEnvironment.replacement` before init.
public struct SystemEnvironment: Sendable {
  /// What happens to a request to the provider.
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
  /// The fault of the next request; asked once for each.
  public var nextNetworkFault: @Sendable () -> NetworkFault = { .none }
  /// Called at each place where a kill is interesting, with the place's name.
  public var passCrashPoint: @Sendable (String) -> Void = { _ in }

  public init() {}

  /// Set by wallet_core_testing before init; nil in the shipped library.
  public static let replacement = Monitor<SystemEnvironment?>(nil)
  /// Set by wallet_core when it is initialised: forgets the process's wallet. True if no thread had
  /// to be left behind.
  public static let processReset = Monitor<(@Sendable () -> Bool)?>(nil)

  /// The world that the core lives in.
  public static var current: SystemEnvironment { replacement.withLock { $0 } ?? SystemEnvironment() }
}
