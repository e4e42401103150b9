internal import CWalletCoreTesting
internal import WalletPlatform

// The functions of wallet_core_testing.h. Each one first installs the test environment. A core that
// was initialised before keeps the environment that it started with.

@_cdecl("wallet_core_testing_advance_clock") @implementation
public func wallet_core_testing_advance_clock(_ milliseconds: Int64) {
  TestEnvironment.shared.clock.advance(by: milliseconds)
}

@_cdecl("wallet_core_testing_stop_clock") @implementation
public func wallet_core_testing_stop_clock() {
  TestEnvironment.shared.clock.stop()
}

@_cdecl("wallet_core_testing_advance_calendar") @implementation
public func wallet_core_testing_advance_calendar(_ seconds: Int64) {
  TestEnvironment.shared.advanceCalendar(by: seconds)
}

@_cdecl("wallet_core_testing_set_network_fault") @implementation
public func wallet_core_testing_set_network_fault(_ fault: Int32, _ count: Int32) {
  TestEnvironment.shared.network.set(
    NetworkFault(rawValue: fault) ?? .none, count: count)
}

@_cdecl("wallet_core_testing_set_crash_point") @implementation
public func wallet_core_testing_set_crash_point(_ name: UnsafePointer<CChar>?) {
  TestEnvironment.shared.crashPoints.arm(name.map { String(cString: $0) })
}

@_cdecl("wallet_core_testing_crash_point_count") @implementation
public func wallet_core_testing_crash_point_count(_ name: UnsafePointer<CChar>) -> Int64 {
  TestEnvironment.shared.crashPoints.count(String(cString: name))
}

@_cdecl("wallet_core_testing_reset_process") @implementation
public func wallet_core_testing_reset_process() -> Int32 {
  _ = TestEnvironment.shared
  guard let reset = SystemEnvironment.processReset.withLock({ $0 }) else { return 1 }
  return reset() ? 1 : 0
}

@_cdecl("wallet_core_testing_configuration") @implementation
public func wallet_core_testing_configuration() -> UnsafePointer<CChar>? {
  TestingConfiguration.text()
}

@_cdecl("wallet_core_testing_serve_http_bridge") @implementation
public func wallet_core_testing_serve_http_bridge(_ directory: UnsafePointer<CChar>) -> Int32 {
  guard let bridge = SystemEnvironment.httpBridge.withLock({ $0 }), bridge.isPresent else {
    return -1
  }
  do {
    try HTTPBridgeService.serve(String(cString: directory), by: bridge)
    return 0
  } catch { return -1 }
}
