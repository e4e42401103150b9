import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// The flows through the C header, with a real provider.
final class FlowTests: XCTestCase {
  private let pin = "142032"
  private var provider: TestProvider!
  private var flow: FlowHost!

  override func setUpWithError() throws {
    provider = try TestProvider()
    let host = try TestHost(configuration: provider.clientConfiguration())
    wallet_core_testing_advance_clock(0)
    try host.start()
    flow = FlowHost(host)
  }

  override func tearDown() {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    flow = nil
    provider = nil
  }

  func testAFirstStartLeadsThroughIntroductionAndSetUpToTheDashboard() throws {
    try flow.walkToChoosePin()
    flow.enter("111111")
    try flow.expect("UC2.1 2.1")
    XCTAssertEqual(flow.text("reason"), "too_few_different_digits")
    flow.choose("ok")
    try flow.expect("UC2.1 1.1")
    try flow.setUp(pin)
    XCTAssertFalse(flow.host.isLocked)
    flow.choose("next")
    try flow.expect("UC3.1 2b")
    flow.choose("later")
    let dashboard = try flow.expect("UC7.1 1.1")
    XCTAssertTrue(dashboard.actions.contains("obtain-pid"))
    flow.choose("lock")
    try flow.expect("UC2.3 1.3")
    XCTAssertTrue(flow.host.isLocked)
    flow.enter("142033")
    try flow.expect("PF2.8 2.1")
    flow.choose("close")
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.expect("UC3.1 2b")
    XCTAssertFalse(flow.host.isLocked)
  }

  // MARK: A provider that dies

  /// Makes a locked wallet that shows the screen of the PIN.
  private func lockedWallet() throws {
    try flow.walkToChoosePin()
    try flow.setUp(pin)
    flow.choose("next")
    try flow.expect("UC3.1 2b")
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.expect("UC2.3 1.3")
  }

  func testAnEntryWithoutAPinIsRefusedWithItsReasonAndTheStepStays() throws {
    try lockedWallet()
    let serial = try XCTUnwrap(flow.step?.serial)
    let digits = Array(pin.utf8)
    for isGiven in [false, true] {
      var error: OpaquePointer?
      XCTAssertEqual(
        wallet_core_choose(flow.client, serial, "enter", isGiven ? digits : nil, 0, &error),
        WALLET_CORE_ERROR_PIN_REFUSED)
      defer { wallet_core_error_free(error) }
      XCTAssertEqual(
        String(cString: wallet_core_error_data(error, nil)),
        #"{"reason":"wrong_length","schema":1}"#)
    }
    flow.enter(pin)
    try flow.expect("UC3.1 2b")
  }

  func testPF2_8_1_1mAProviderThatDiesInTheMiddleCostsAtMostTheOneAttempt() throws {
    try lockedWallet()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_ANSWER_LOST), -1)
    flow.enter("142033")
    XCTAssertEqual(try flow.next().name, "server-unreachable")
    provider.kill()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    flow.choose("try-again")
    try flow.expect("UC2.3 1.3")
    flow.enter("142033")
    XCTAssertEqual(try flow.next().name, "server-unreachable")
    try provider.start()
    flow.choose("back")
    try flow.expect("UC2.3 1.3")
    flow.enter("142033")
    // The lost answer may have been to an attempt, so this is the first or the second one.
    let row = try flow.next().row
    XCTAssertTrue(["PF2.8 2.1", "PF2.8 3.1"].contains(row), row)
    flow.choose("close")
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.expect("UC3.1 2b")
    XCTAssertFalse(flow.host.isLocked)
  }

  // MARK: Known weaknesses of wallets

  func testABlockedVersionShowsItsOwnStepAndNeverAGenericError() throws {
    try lockedWallet()
    try provider.control(
      "/update-policy", ["rules": [["grade": "block", "update_available": true]]])
    flow.advanceClock(3_600_000)
    let event = try flow.host.nextEvent {
      wallet_core_event_version_grade($0) == WALLET_CORE_GRADE_BLOCK
    }
    wallet_core_event_free(event)
    flow.enter(pin)
    let step = try flow.next()
    XCTAssertEqual(step.row, "PF1.4 2.1")
    XCTAssertEqual(step.name, "update-needed")
    XCTAssertTrue(flow.host.isLocked, "a block is entered before UC2.3 1.5")
  }

  func testReadingTheStateNeverWaitsForItsChanges() throws {
    try lockedWallet()
    let client = flow.client
    let ends = DispatchGroup()
    for number in 0..<6 {
      DispatchQueue.global().async(group: ends) {
        for _ in 0..<2_000 {
          var value: Int32 = 0
          switch number % 3 {
          case 0: XCTAssertEqual(wallet_core_is_locked(&value, nil), WALLET_CORE_OK)
          case 1: XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
          default:
            XCTAssertEqual(
              wallet_core_open_app(client, WALLET_CORE_STARTUP_RESUME, nil, nil), WALLET_CORE_OK)
            _ = wallet_core_has_registration(&value, nil)
            _ = wallet_core_is_biometric_unlock_enabled(&value, nil)
          }
        }
      }
    }
    XCTAssertEqual(ends.wait(timeout: .now() + Patience.seconds), .success, "every reader returns")
  }

  func testALinkWhosePathOnlyBeginsWithAKnownOneIsRefused() throws {
    try lockedWallet()
    flow.enter(pin)
    try flow.expect("UC3.1 2b")
    let applicant = Applicant()
    let account = try provider.openAccount(for: applicant)
    try flow.obtainPID(applicant, account.link)
    let host = try XCTUnwrap(URL(string: account.link)?.host)
    for path in ["/login2", "/login/", "/loginX", "/issuance-of", "/sharing%2F", "//login"] {
      flow.open(WALLET_CORE_STARTUP_RESUME, link: "https://\(host)\(path)#v=1")
      let step = try flow.next()
      XCTAssertEqual(step.row, "UC7.1 1.1", path)
      XCTAssertEqual(step.notices, ["link-invalid"], path)
    }
  }

  // MARK: Choices

  func testADoubleTapAndTheTapOfADeadEngineDoNothing() throws {
    try flow.launch()
    let first = try flow.expect("UC1.1 1.1")
    flow.choose("next")
    XCTAssertEqual(flow.status(of: "next"), WALLET_CORE_ERROR_STALE_STEP)
    try flow.expect("UC1.1 1.2")
    XCTAssertEqual(
      flow.status(of: "next", serial: first.serial), WALLET_CORE_ERROR_STALE_STEP)
    XCTAssertEqual(flow.status(of: "enter", pin: pin), WALLET_CORE_ERROR_INVALID_ARGUMENT)
    XCTAssertEqual(flow.status(of: "no-such"), WALLET_CORE_ERROR_INVALID_ARGUMENT)
    flow.choose("back")
    try flow.expect("UC1.1 1.1")
  }

  func testOneOfManyTapsAtTheSameTimeIsTaken() throws {
    try flow.launch()
    for row in ["UC1.1 1.2", "UC1.1 1.3", "UC1.1 1.4"] {
      let serial = try flow.next().serial
      let client = flow.client
      let taken = Tally()
      DispatchQueue.concurrentPerform(iterations: 16) { _ in
        if wallet_core_choose(client, serial, "next", nil, 0, nil) == WALLET_CORE_OK { taken.add() }
      }
      XCTAssertEqual(taken.count, 1, row)
    }
    try flow.expect("UC1.1 1.4")
  }
}

private final class Tally: @unchecked Sendable {
  // Sendable: the count is touched only with `lock` held.
  private let lock = NSLock()
  private var value = 0

  var count: Int { lock.withLock { value } }

  func add() { lock.withLock { value += 1 } }
}
