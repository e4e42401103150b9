import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// UC3.1 row 1 of a wallet without a PID needs only this device and the policy, so it does not wait
/// for a PIN that the provider does not answer.
final class LocalProofingTests: UnansweredPinTestCase {
  func testUC3_1_1aAWalletThatAFingerOpensIsReadyWhileAPinWaits() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    host.keys.hasBiometrics = true
    try host.restart()
    let unlock = try beginUnanswered(wallet_core_unlock)
    try flow.launch()
    try flow.expect("UC3.1 2b")
    XCTAssertFalse(host.isLocked)
    held.letGo()
    XCTAssertEqual(try host.complete(unlock), .valid)
  }

  /// The record of the claim is deleted only behind the PIN.
  func testUC3_1_1aAClaimThatWasLeftWhileAPinWaitsDoesNotComeBack() throws {
    let link = try account().link
    try flow.claim(link)
    let check = try beginUnanswered(wallet_core_check_pin)
    flow.choose("exit")
    try flow.expect("UC3.1 5d")
    flow.choose("stop")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
    held.letGo()
    XCTAssertEqual(try host.complete(check), .valid)
    // The same session is claimed again, and is not the one that was left.
    try flow.claim(link)
    try restart(to: "UC3.1 5c")
  }
}
