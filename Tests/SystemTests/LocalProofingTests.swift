import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// What of UC3.1 needs only this device, or this device and the policy, does not wait for a PIN that
/// the provider does not answer: row 1, row 7 and the end of a claim.
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
  func testUC3_1_7ALicenceIsReadWhileAPinWaits() throws {
    try flow.claim(account().link)
    let check = try beginUnanswered(wallet_core_check_pin)
    flow.choose("scan-licence")
    try flow.expect("UC3.1 6")
    flow.scan(WALLET_CORE_SYMBOLOGY_PDF417, Array("no licence".utf8))
    try flow.expect("UC3.1 8b")
    flow.choose("scan-again")
    try flow.expect("UC3.1 6")
    flow.scanLicence(applicant)
    try flow.expect("UC3.1 9a")
    held.letGo()
    XCTAssertEqual(try host.complete(check), .valid)
    try flow.expectPID()
  }

  /// The storage is what a kill at that moment would leave.
  func testUC3_1_5dAClaimThatWasLeftWhileAPinWaitsIsOverAfterAKill() throws {
    try flow.claim(account().link)
    let check = try beginUnanswered(wallet_core_check_pin)
    flow.choose("exit")
    try flow.expect("UC3.1 5d")
    flow.choose("stop")
    try flow.expect("UC7.1 1.1")
    flow.choose("obtain-pid")
    try flow.expect("UC3.1 2b")
    XCTAssertEqual(requests("release_claim"), 0)
    let image = try Scratch.directory("image").appendingPathComponent("storage")
    try FileManager.default.copyItem(at: host.storage, to: image)
    held.letGo()
    XCTAssertEqual(try host.complete(check), .valid)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let told = requests("release_claim")
    try FileManager.default.removeItem(at: host.storage)
    try FileManager.default.copyItem(at: image, to: host.storage)
    try restart(to: "UC3.1 2b")
    XCTAssertTrue(eventually { requests("release_claim") > told }, "the provider is told")
  }
}
