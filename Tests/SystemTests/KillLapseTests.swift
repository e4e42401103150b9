import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletProtocol
import XCTest

/// A registration that was never confirmed and has lapsed at the provider.
final class KillLapseTests: XCTestCase {
  func testARegistrationThatWaitsWhileTheLapseIsLearnedEndsUnlocked() throws {
    _ = wallet_core_testing_reset_process()
    defer { _ = wallet_core_testing_reset_process() }
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    let provider = try TestProvider()
    let host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    // No confirmation reaches the provider, neither that of the registration nor one that the start
    // has left to the background.
    try provider.control(
      "/faults",
      ["kind": "unavailable", "count": 1000, "path": Route.instruction(.challenge)])
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(try provider.control("/counts")["pending"] as? Int, 1)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try provider.advanceClock(milliseconds: 7 * 86_400_000)
    try provider.control("/faults", [:])
    let unlock = try host.begin(wallet_core_unlock, "142032")
    let register = try host.begin(wallet_core_register, "271828")
    XCTAssertEqual(
      try host.complete(unlock).status, WALLET_CORE_ERROR_NOT_REGISTERED)
    XCTAssertEqual(try host.complete(register), .done)
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(try host.unlock("271828"), .valid)
    XCTAssertEqual(host.keys.keyCount, 2)
  }

  func testALapsedRegistrationDeletesItsBiometricUnlock() throws {
    _ = wallet_core_testing_reset_process()
    defer { _ = wallet_core_testing_reset_process() }
    let provider = try TestProvider()
    let host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    try provider.control(
      "/faults",
      ["kind": "unavailable", "count": 1000, "path": Route.instruction(.challenge)])
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    // As after a flow that enables biometrics before the provider confirms.
    try BiometricRows().write(into: host.storage)
    try provider.advanceClock(milliseconds: 7 * 86_400_000)
    try host.start()
    XCTAssertTrue(host.isBiometric)
    try provider.control("/faults", [:])
    XCTAssertEqual(try host.unlock("142032").status, WALLET_CORE_ERROR_NOT_REGISTERED)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(try host.register("271828"), .done)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    XCTAssertThrowsError(try BiometricRows(in: host.storage), "nothing is left of it")
  }
}
