import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// The account against a real provider process, through the C header.
final class AccountSystemTests: XCTestCase {
  // Stored here, because the process ends with its last reference.
  private var provider: TestProvider?

  private func start() throws -> (TestProvider, TestHost) {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    let provider = try TestProvider()
    self.provider = provider
    let host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    return (provider, host)
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  func testRegisteringUnlocksAndSurvivesARestartLocked() throws {
    let (_, host) = try start()
    XCTAssertFalse(host.isRegistered)
    XCTAssertTrue(host.isLocked)
    XCTAssertFalse(
      FileManager.default.fileExists(atPath: host.storage.appendingPathComponent("wallet.db").path),
      "an unregistered start creates no database")
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertTrue(host.isRegistered)
    XCTAssertFalse(host.isLocked)
    try host.restart()
    XCTAssertTrue(host.isRegistered)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertFalse(host.isLocked)
  }

  func testAWrongPinIsAResultAndCheckPinLeavesTheLockAlone() throws {
    let (_, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.checkPin("142032"), .valid)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try host.checkPin("999999"), .wrong(3))
    XCTAssertFalse(host.isLocked, "a wrong check does not lock")
  }

  func testTheTableOfAttemptsOneToSixteen() throws {
    let (provider, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    let blocks: [Int64] = [60_000, 300_000, 3_600_000]
    for (round, block) in blocks.enumerated() {
      for left: Int32 in [3, 2, 1] {
        XCTAssertEqual(try host.unlock("142033"), .wrong(left), "round \(round + 1)")
      }
      let counted = try host.unlock("142033")
      XCTAssertEqual(counted, .blocked(block), "round \(round + 1)")
      let during = try host.unlock("142032")
      XCTAssertEqual(during.outcome, WALLET_CORE_PIN_OUTCOME_BLOCKED_TEMPORARILY)
      XCTAssertLessThanOrEqual(during.blockedFor, block)
      XCTAssertGreaterThan(during.blockedFor, 0)
      try provider.advanceClock(milliseconds: Int(block))
    }
    for left: Int32 in [3, 2, 1] {
      XCTAssertEqual(try host.unlock("142033"), .wrong(left, final: true))
    }
    XCTAssertEqual(try host.unlock("142033"), .blockedForGood)
    XCTAssertEqual(try host.unlock("142032"), .blockedForGood, "the right PIN is refused too")
    XCTAssertTrue(FileManager.default.fileExists(atPath: host.storage.path))
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register("142032"), .done)
  }

  func testTheRightPinOnTheSixteenthAttemptSucceedsAndResetsAll() throws {
    let (provider, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    for round in 0..<4 {
      for _ in 0..<3 { _ = try host.unlock("142033") }
      guard round < 3 else { break }
      _ = try host.unlock("142033")
      try provider.advanceClock(milliseconds: 3_600_000)
    }
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
  }

  func testAProviderThatDiesCostsNothingAndComesBack() throws {
    let (provider, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    provider.kill()
    let unreachable = try host.unlock("142032")
    XCTAssertEqual(unreachable.status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    try provider.start()
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testWipeForgetsEverythingAndANewWalletCanBeMade() throws {
    let (_, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertGreaterThan(host.keys.keyCount, 0)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertFalse(host.isRegistered)
    XCTAssertTrue(host.isLocked)
    XCTAssertEqual(host.keys.keyCount, 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: host.storage.path)
    XCTAssertFalse(left.contains { $0.hasPrefix("wallet.db") }, "\(left)")
    XCTAssertEqual(try host.unlock("142032").status, WALLET_CORE_ERROR_NOT_REGISTERED)
    XCTAssertEqual(try host.wipe(), .done, "a wipe without a wallet succeeds")
    XCTAssertEqual(try host.register("271828"), .done)
    XCTAssertEqual(try host.unlock("271828"), .valid)
  }

  func testWipeWorksWithoutAnyNetwork() throws {
    let (provider, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    provider.kill()
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertFalse(host.isRegistered)
  }

  func testALostPlatformKeyIsReportedAndAWipeStartsOver() throws {
    let (_, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    host.keys.loseKeys()
    try host.restart()
    XCTAssertTrue(host.isRegistered)
    XCTAssertEqual(try host.unlock("142032").status, WALLET_CORE_ERROR_STORAGE_KEY_LOST)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register("142032"), .done)
  }

  func testAlreadyRegisteredIsAnErrorOfTheSecondRegistration() throws {
    let (_, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(
      try host.register("271828").status, WALLET_CORE_ERROR_ALREADY_REGISTERED)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testALostAnswerToTheRegistrationEndsInOneAccountAlsoWithAnotherPin() throws {
    let (provider, host) = try start()
    // Every answer is lost, including the one to the retransmission.
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_ANSWER_LOST), -1)
    XCTAssertNotEqual(try host.register("142032").status, 0)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try host.restart()
    XCTAssertFalse(host.isRegistered)
    XCTAssertEqual(try host.register("271828"), .done)
    XCTAssertEqual(try host.unlock("271828"), .valid)
    XCTAssertEqual(try host.unlock("142032"), .wrong(3))
    let counts = try provider.control("/counts")
    XCTAssertEqual(counts["confirmed"] as? Int, 1)
    XCTAssertEqual(counts["pending"] as? Int, 0)
  }

  func testLockDuringAnUnlockInFlightReturnsAtOnceAndEndsLocked() throws {
    let (provider, host) = try start()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try provider.control("/faults", ["kind": "hold", "path": Route.instruction(.challenge)])
    let request = try host.begin(wallet_core_unlock, "142032")
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    try provider.control("/faults", [:])
    XCTAssertTrue(host.isLocked)
  }
}
