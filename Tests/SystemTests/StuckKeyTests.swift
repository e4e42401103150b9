import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Platform keys that a host cannot delete: the wallet is deleted anyway, no request waits for the
/// keys, and their deletion is tried again.
final class StuckKeyTests: XCTestCase {
  private let pin = "142032"
  private let otherPin = "271828"
  private let all: Set = ["signing-", "encryption-"]
  private var provider: TestProvider!
  private var host: TestHost!

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  /// Checks that a wipe fails only because of the keys, and says so.
  private func assertAWipeLeavesOnlyKeys(_ count: Int, line: UInt = #line) throws {
    let wipe = try host.wipe()
    XCTAssertEqual(wipe.status, WALLET_CORE_ERROR_BRIDGE_FAILED, line: line)
    XCTAssertTrue(wipe.message.contains("wallet_core_wipe()"), wipe.message, line: line)
    XCTAssertTrue(wipe.message.contains("the key store is stuck"), wipe.message, line: line)
    XCTAssertTrue(wipe.data.contains("\"keys_left\":\(count)"), wipe.data, line: line)
    XCTAssertFalse(host.isRegistered, line: line)
    let files = try FileManager.default.contentsOfDirectory(atPath: host.storage.path)
    XCTAssertFalse(files.contains { $0.hasPrefix("wallet.db") }, "\(files)", line: line)
    XCTAssertFalse(files.contains("wipe.json"), "\(files)", line: line)
    XCTAssertEqual(host.keys.keyCount, count, line: line)
    XCTAssertEqual(try provider.control("/counts")["confirmed"] as? Int, 0, line: line)
  }

  private func waitForKeyCount(_ count: Int) -> Bool {
    eventually { host.keys.keyCount == count }
  }

  func testAWipeDeletesTheOtherKeyAndIsDoneOnceTheKeyCanBeDeleted() throws {
    XCTAssertEqual(try host.register(pin), .done)
    for kind in ["signing-", "encryption-"] {
      host.keys.refuseDeletion(of: [kind])
      try assertAWipeLeavesOnlyKeys(1)
      try assertAWipeLeavesOnlyKeys(1)
      host.keys.refuseDeletion(of: [])
      XCTAssertEqual(try host.wipe(), .done)
      XCTAssertEqual(host.keys.keyCount, 0)
      XCTAssertEqual(try host.register(pin), .done)
    }
  }

  func testARegistrationDoesNotWaitForTheKeysAndTheNextStartDeletesThem() throws {
    XCTAssertEqual(try host.register(pin), .done)
    host.keys.refuseDeletion(of: all)
    try assertAWipeLeavesOnlyKeys(2)
    XCTAssertEqual(try host.register(otherPin), .done)
    XCTAssertEqual(host.keys.keyCount, 4)
    // After a start the new wallet is complete, whatever happened to the old keys.
    try host.restart()
    XCTAssertTrue(host.isRegistered)
    XCTAssertEqual(try host.unlock(otherPin), .valid)
    XCTAssertEqual(host.keys.keyCount, 4)
    host.keys.refuseDeletion(of: [])
    try host.restart()
    XCTAssertTrue(waitForKeyCount(2))
    XCTAssertEqual(try host.unlock(pin), .wrong(3))
    XCTAssertEqual(try host.unlock(otherPin), .valid)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  func testTheFlowsLearnThatTheWalletIsGoneEvenIfItsKeysAreLeft() throws {
    let flow = FlowHost(host)
    try flow.walkToChoosePin()
    try flow.setUp(pin)
    flow.choose("next")
    try flow.expect("UC3.1 2b")
    host.keys.refuseDeletion(of: all)
    _ = try host.begin(wallet_core_wipe)
    // The lock comes first.
    let shown = try flow.next { $0.isPassing || $0.row == "UC2.3 1.3" }
    XCTAssertEqual(shown.row, "UC1.1 1.1")
    XCTAssertFalse(host.isRegistered)
  }

  func testTheKeysOfSeveralWalletsStayNotedAndGoWithTheNextWipe() throws {
    host.keys.refuseDeletion(of: all)
    for round in 1...3 {
      XCTAssertEqual(try host.register(pin), .done)
      try assertAWipeLeavesOnlyKeys(2 * round)
    }
    XCTAssertEqual(try host.register(pin), .done)
    host.keys.refuseDeletion(of: [])
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  func testAStartWithoutAWalletDeletesTheKeysThatWereLeft() throws {
    XCTAssertEqual(try host.register(pin), .done)
    host.keys.refuseDeletion(of: all)
    try assertAWipeLeavesOnlyKeys(2)
    host.keys.refuseDeletion(of: [])
    try host.restart()
    XCTAssertFalse(host.isRegistered)
    XCTAssertTrue(waitForKeyCount(0))
  }

  func testABridgeThatNeverAnswersIsAskedOnceAWipeHoweverManyKeysItHas() throws {
    for round in 1...2 {
      XCTAssertEqual(try host.register(pin), .done)
      host.keys.refuseDeletion(of: all)
      host.keys.keepSilentOnDeletion()
      // Between the wipes, neither the start nor the registration asks for the keys that were left.
      let before = 2 * (round - 1)
      XCTAssertEqual(host.keys.calls(of: "delete"), before)
      var request: UInt64 = 0
      XCTAssertEqual(wallet_core_wipe(host.client, &request, nil), WALLET_CORE_OK)
      for call in 1...2 {
        XCTAssertTrue(eventually { host.keys.calls(of: "delete") >= before + call })
        wallet_core_testing_advance_clock(10_001)
      }
      let wipe = try host.complete(request)
      XCTAssertEqual(wipe.status, WALLET_CORE_ERROR_BRIDGE_TIMEOUT, wipe.message)
      XCTAssertEqual(host.keys.calls(of: "delete"), before + 2, "each bridge once")
      XCTAssertFalse(host.isRegistered)
      XCTAssertEqual(host.keys.keyCount, 2 * round)
    }
    host.keys.refuseDeletion(of: [])
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  /// The provider has deleted the wallet, so even an image of the files does not restore it.
  func testAWalletWhoseKeysAreLeftCannotBeOpenedAgain() throws {
    XCTAssertEqual(try host.register(pin), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let image = try Scratch.directory("image").appendingPathComponent("storage")
    try FileManager.default.copyItem(at: host.storage, to: image)
    try host.start()
    host.keys.refuseDeletion(of: all)
    try assertAWipeLeavesOnlyKeys(2)
    XCTAssertEqual(try host.unlock(pin).status, WALLET_CORE_ERROR_NOT_REGISTERED)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    try FileManager.default.removeItem(at: host.storage)
    try FileManager.default.copyItem(at: image, to: host.storage)
    try host.start()
    XCTAssertEqual(try host.unlock(pin).status, WALLET_CORE_ERROR_ACCOUNT_DIVERGED)
    XCTAssertTrue(host.isLocked)
  }

  /// Many abandoned attempts to enable biometric unlock, on a platform that deletes no key.
  func testKeysThatAreNeverDeletedDoNotMakeTheirNotesUnreadable() throws {
    XCTAssertEqual(try host.register(pin), .done)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    // As 1,400 attempts of an earlier version have left them.
    let file = host.storage.appendingPathComponent("platform-keys")
    let left = (1000..<2400).map { "wallet_core.biometric.0123456789abcdef0123\($0)" }
    try (String(contentsOf: file, encoding: .utf8) + left.joined(separator: "\n") + "\n")
      .write(to: file, atomically: true, encoding: .utf8)
    try host.start()
    XCTAssertEqual(try host.unlock(pin), .valid)
    host.keys.refuseDeletion(of: all)
    for _ in 0..<3 {
      host.keys.prompts.expect(.refused(WALLET_CORE_BRIDGE_NOT_RECOGNISED))
      XCTAssertEqual(
        try host.enableBiometrics(pin).status, WALLET_CORE_ERROR_BIOMETRICS_FAILED)
      XCTAssertLessThan(try Data(contentsOf: file).count, 128 * 1024)
    }
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    // The key in use is not among those that a start deletes.
    host.keys.refuseDeletion(of: [])
    try host.restart()
    XCTAssertTrue(waitForKeyCount(3))
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  func testAWipeOnAFullDiskNeedsNoSpaceToRememberTheKeys() throws {
    let device = try KillHost(configuration: provider.clientConfiguration())
    defer { device.remove() }
    XCTAssertEqual(try device.run(.register(pin)).completions, [.done])
    let wipe = try device.run(.refuseDeletion, .wipe, fileSizeLimit: 0)
    XCTAssertEqual(
      wipe.completions.map(\.status), [WALLET_CORE_ERROR_BRIDGE_FAILED],
      "\(wipe.completions)")
    XCTAssertEqual(try device.platformKeys().count, 2)
    XCTAssertFalse(try device.run().isRegistered)
    XCTAssertEqual(try device.run(.register(otherPin), .wipe).completions, [.done, .done])
    XCTAssertEqual(try device.platformKeys(), [])
  }
}
