internal import CWalletCoreTesting
internal import WalletPlatform

// The functions of wallet_core_testing.h. Each installs the tests' outside world first; a core that
// was initialised before keeps the one it has.

@_cdecl("wallet_core_testing_advance_clock") @implementation
public func wallet_core_testing_advance_clock(_ milliseconds: Int64) {
  TestWorld.shared.clock.advance(by: milliseconds)
}

@_cdecl("wallet_core_testing_stop_clock") @implementation
public func wallet_core_testing_stop_clock() {
  TestWorld.shared.clock.stop()
}

@_cdecl("wallet_core_testing_advance_calendar") @implementation
public func wallet_core_testing_advance_calendar(_ seconds: Int64) {
  TestWorld.shared.advanceCalendar(by: seconds)
}

@_cdecl("wallet_core_testing_set_network_fault") @implementation
public func wallet_core_testing_set_network_fault(_ fault: Int32, _ count: Int32) {
  TestWorld.shared.network.set(SystemEnvironment.NetworkFault(rawValue: fault) ?? .none, count: count)
}

@_cdecl("wallet_core_testing_set_crash_point") @implementation
public func wallet_core_testing_set_crash_point(_ name: UnsafePointer<CChar>?) {
  TestWorld.shared.crashPoints.arm(name.map { String(cString: $0) })
}

@_cdecl("wallet_core_testing_crash_point_count") @implementation
public func wallet_core_testing_crash_point_count(_ name: UnsafePointer<CChar>) -> Int64 {
  TestWorld.shared.crashPoints.count(String(cString: name))
}

@_cdecl("wallet_core_testing_reset_process") @implementation
public func wallet_core_testing_reset_process() -> Int32 {
  _ = TestWorld.shared
  guard let reset = SystemEnvironment.processReset.withLock({ $0 }) else { return 1 }
  return reset() ? 1 : 0
}
