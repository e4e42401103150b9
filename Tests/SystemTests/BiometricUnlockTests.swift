import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Enabling, using and disabling biometric unlock through the C header (UC7.1 section 3, UC2.3
/// 1.2).
final class BiometricUnlockTests: XCTestCase {
  private let pin = "142032"
  private var provider: TestProvider!
  private var host: TestHost!
  private var prompts: BiometricPrompts { host.keys.prompts }

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    XCTAssertEqual(try host.register(pin), .done)
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func enableAndLock() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
  }

  private func assertFailed(
    _ completion: Completion, _ reason: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(
      completion.status, WALLET_CORE_ERROR_BIOMETRICS_FAILED, completion.description,
      file: file, line: line)
    XCTAssertTrue(
      completion.data.contains("\"reason\":\"\(reason)\""), completion.data, file: file, line: line)
  }

  func testUC7_1_3_3aTheRightPinEnablesAndBiometricsThenUnlock() throws {
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertTrue(host.isBiometric)
    XCTAssertFalse(host.isLocked, "enabling leaves the lock alone")
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertFalse(host.isLocked)
    try host.restart()
    XCTAssertTrue(host.isBiometric)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(prompts.asked, 3)
  }

  func testUC7_1_3_3AWrongPinEnablesNothingAndItsKeyIsDeleted() throws {
    XCTAssertEqual(try host.enableBiometrics("142033"), .wrong(3))
    XCTAssertFalse(host.isBiometric)
    XCTAssertFalse(host.isLocked)
    XCTAssertEqual(host.keys.keyCount, 2)
    XCTAssertEqual(
      try host.unlockWithBiometrics().status, WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED)
    XCTAssertEqual(prompts.asked, 1, "no prompt opens if nothing is enabled")
  }

  func testUC7_1_3_3ABlockOfThePinLocksTheWallet() throws {
    for left: Int32 in [3, 2, 1] {
      XCTAssertEqual(try host.enableBiometrics("142033"), .wrong(left))
      XCTAssertFalse(host.isLocked)
    }
    XCTAssertEqual(try host.enableBiometrics("142033"), .blocked(60_000))
    XCTAssertTrue(host.isLocked)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(host.keys.keyCount, 2)
  }

  func testEnablingALockedWalletIsRefusedAtOnce() {
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let bytes = Array(pin.utf8)
    XCTAssertEqual(
      wallet_core_enable_biometric_unlock(host.client, bytes, bytes.count, nil, nil),
      WALLET_CORE_ERROR_LOCKED)
    XCTAssertEqual(prompts.asked, 0)
  }

  func testWithoutAWalletThereIsNothingToUnlockOrToDisable() throws {
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(
      try host.unlockWithBiometrics().status, WALLET_CORE_ERROR_NOT_REGISTERED)
    XCTAssertEqual(try host.disableBiometrics(), .done)
  }

  /// Each refusal of the platform and the reason that the error names.
  private static let refusals: [(status: wallet_core_bridge_status, reason: String)] = [
    (WALLET_CORE_BRIDGE_NOT_RECOGNISED, "not_recognised"),
    (WALLET_CORE_BRIDGE_CANCELLED_BY_USER, "cancelled_by_user"),
    (WALLET_CORE_BRIDGE_LOCKED_OUT, "locked_out"),
    (WALLET_CORE_BRIDGE_LOCKED_OUT_PERMANENTLY, "locked_out_permanently"),
    (WALLET_CORE_BRIDGE_NOT_ENROLLED, "not_enrolled"),
    (WALLET_CORE_BRIDGE_UNAVAILABLE, "unavailable"), (-1007, "unavailable"),
  ]
  private static let lostKeys: [(status: wallet_core_bridge_status, reason: String)] = [
    (WALLET_CORE_BRIDGE_KEY_INVALIDATED, "key_invalidated"),
    (WALLET_CORE_BRIDGE_KEY_MISSING, "key_missing"),
  ]

  func testUC7_1_3_1bARefusedPromptEnablesNothingAndSpendsNoPin() throws {
    for (status, reason) in Self.refusals + Self.lostKeys {
      prompts.expect(.refused(status))
      assertFailed(try host.enableBiometrics("142033"), reason)
      XCTAssertFalse(host.isBiometric, reason)
      XCTAssertEqual(host.keys.keyCount, 2, reason)
    }
    XCTAssertEqual(try host.unlock("142033"), .wrong(3), "no PIN was counted")
  }

  func testUC2_3_1_2ARefusedPromptUnlocksNothingAndMayBeRepeated() throws {
    try enableAndLock()
    for (status, reason) in Self.refusals {
      prompts.expect(.refused(status, [2]))
      let completion = try host.unlockWithBiometrics()
      assertFailed(completion, reason)
      if status == -1007 {
        XCTAssertTrue(completion.data.contains("\"host_code\":-1007"), completion.data)
      }
      XCTAssertTrue(host.isLocked, reason)
      XCTAssertTrue(host.isBiometric, reason)
    }
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  func testUC2_3_1_2gAKeyThatIsGoneDisablesAndThePinStillUnlocks() throws {
    for (status, reason) in Self.lostKeys {
      try enableAndLock()
      prompts.expect(.refused(status))
      assertFailed(try host.unlockWithBiometrics(), reason)
      XCTAssertTrue(host.isLocked)
      XCTAssertFalse(host.isBiometric, reason)
      XCTAssertEqual(host.keys.keyCount, 2, reason)
      XCTAssertEqual(
        try host.unlockWithBiometrics().status, WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED)
      XCTAssertEqual(try host.unlock(pin), .valid)
    }
  }

  func testUnlockingByBiometricsNeedsNoNetwork() throws {
    try enableAndLock()
    provider.kill()
    try host.restart()
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertFalse(host.isLocked)
  }

  func testABlockedVersionIsNotUnlockedByBiometricsAndMayDisable() throws {
    try enableAndLock()
    try provider.control("/update-policy", ["rules": [["grade": "block"]]])
    wallet_core_testing_advance_clock(3_600_000)
    wallet_core_event_free(
      try host.nextEvent {
        wallet_core_event_version_grade($0) == WALLET_CORE_GRADE_BLOCK
      })
    XCTAssertEqual(
      wallet_core_unlock_with_biometrics(host.client, nil, nil),
      WALLET_CORE_ERROR_VERSION_BLOCKED)
    XCTAssertEqual(try host.disableBiometrics(), .done)
    XCTAssertFalse(host.isBiometric)
  }

  func testEnablingAgainReplacesTheKeyAndAFailureKeepsTheOldOne() throws {
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    let first = host.keys.encryptionKeys("wallet_core.biometric.").keys
    XCTAssertEqual(try host.enableBiometrics("142033"), .wrong(3))
    XCTAssertTrue(host.isBiometric)
    XCTAssertEqual(host.keys.encryptionKeys("wallet_core.biometric.").keys, first)
    XCTAssertEqual(try host.enableBiometrics(pin), .valid)
    XCTAssertNotEqual(host.keys.encryptionKeys("wallet_core.biometric.").keys, first)
    XCTAssertEqual(host.keys.keyCount, 3)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
  }

  func testUC7_1_1_1mDisablingWorksLockedAndOfflineAndDeletesTheKey() throws {
    try enableAndLock()
    provider.kill()
    XCTAssertEqual(try host.disableBiometrics(), .done)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(host.keys.keyCount, 2)
    XCTAssertEqual(
      try host.unlockWithBiometrics().status, WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED)
    XCTAssertEqual(try host.disableBiometrics(), .done, "disabling twice succeeds")
    try host.restart()
    XCTAssertFalse(host.isBiometric)
  }

  func testAKeyThatCannotBeDeletedStaysNotedUntilItCan() throws {
    try enableAndLock()
    host.keys.refuseDeletion(true)
    XCTAssertEqual(
      try host.disableBiometrics().status, WALLET_CORE_ERROR_BRIDGE_FAILED)
    XCTAssertFalse(host.isBiometric, "it is disabled although the key is left")
    XCTAssertEqual(host.keys.keyCount, 3)
    host.keys.refuseDeletion(false)
    try host.restart()
    XCTAssertEqual(try host.disableBiometrics(), .done)
    XCTAssertEqual(host.keys.keyCount, 2)
    // A wipe meets such a key too.
    XCTAssertEqual(try host.unlock(pin), .valid)
    host.keys.refuseDeletion(true)
    XCTAssertEqual(try host.enableBiometrics("142033"), .wrong(3))
    XCTAssertEqual(host.keys.keyCount, 3)
    host.keys.refuseDeletion(false)
    try host.restart()
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
  }

  func testAWipeDeletesTheBiometricUnlockAlsoForTheNextWallet() throws {
    try enableAndLock()
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(host.keys.keyCount, 0)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(try host.register("271828"), .done)
    XCTAssertFalse(host.isBiometric)
    XCTAssertEqual(
      try host.unlockWithBiometrics().status, WALLET_CORE_ERROR_BIOMETRICS_NOT_ENABLED)
  }

  func testTheCiphertextsOfAnotherWalletDoNotOpenThisOne() throws {
    try enableAndLock()
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let rows = try BiometricRows(in: host.storage)
    try host.start()
    let keys = host.keys.encryptionKeys("wallet_core.biometric.")
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register("271828"), .done)
    XCTAssertEqual(try host.enableBiometrics("271828"), .valid)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    // Old ciphertexts with a platform key that still works must not open the new wallet.
    host.keys.putBack(keys)
    try rows.write(into: host.storage)
    try host.start()
    assertFailed(try host.unlockWithBiometrics(), "key_invalidated")
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("271828"), .valid)
  }

  func testWhetherItIsEnabledIsKnownOnceTheStorageIs() throws {
    try enableAndLock()
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let bridged = try TestHost(
      configuration: provider.clientConfiguration(), storage: host.storage,
      keys: SoftwareKeys(storagePath: host.storage.path))
    XCTAssertEqual(bridged.initialize(givingPath: false), 0)
    var value: Int32 = 1
    XCTAssertEqual(
      wallet_core_is_biometric_unlock_enabled(&value, nil),
      WALLET_CORE_ERROR_PLATFORM_NOT_READY)
    XCTAssertEqual(value, 0)
    XCTAssertEqual(bridged.keys.connect(), 0)
    XCTAssertTrue(bridged.isRegistered)
    XCTAssertTrue(bridged.isBiometric)
    XCTAssertEqual(
      wallet_core_is_biometric_unlock_enabled(nil, nil),
      WALLET_CORE_ERROR_INVALID_ARGUMENT)
  }
}
