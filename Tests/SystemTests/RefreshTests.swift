import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletProtocol
import XCTest

/// A host with its own screens fetches the update policy and the configuration when it wants to.
final class RefreshTests: MiddleTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try publish("recommend")
    try host.start()
    // After the first fetch the library would fetch again in an hour.
    try expect(WALLET_CORE_GRADE_RECOMMEND)
  }

  override func tearDown() {
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    super.tearDown()
  }

  private func publish(_ grade: String?) throws {
    try provider.control("/update-policy", ["rules": grade.map { [["grade": $0]] } ?? []])
  }

  /// Takes events until the version state has this grade.
  private func expect(_ grade: wallet_core_version_grade) throws {
    wallet_core_event_free(
      try host.nextEvent {
        wallet_core_event_kind($0) == WALLET_CORE_EVENT_VERSION_STATE
          && wallet_core_event_version_grade($0) == grade
      })
  }

  /// Refreshes, and checks that the state with this grade comes before the completion.
  private func refresh(to grade: wallet_core_version_grade) throws {
    let request = try host.begin(wallet_core_refresh)
    try expect(grade)
    XCTAssertEqual(try host.complete(request), .done)
  }

  func testANewPolicyIsInForceWithoutWaitingForTheHour() throws {
    try publish("block")
    try refresh(to: WALLET_CORE_GRADE_BLOCK)
    XCTAssertEqual(host.statusOfUnlock("142032"), WALLET_CORE_ERROR_VERSION_BLOCKED)
  }

  func testABlockedVersionMayRefreshAndSeesThatTheBlockIsLifted() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    try publish("block")
    try refresh(to: WALLET_CORE_GRADE_BLOCK)
    try publish(nil)
    try refresh(to: WALLET_CORE_GRADE_OK)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testALockedWalletMayRefreshAndStaysLocked() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try publish("warn")
    XCTAssertEqual(try host.refresh(), .done)
    XCTAssertTrue(host.isLocked)
  }

  func testTheConfigurationIsFetchedToo() throws {
    XCTAssertEqual(try host.refresh(), .done)
    let before = middle.all(Route.configuration).count
    XCTAssertEqual(try host.refresh(), .done)
    XCTAssertEqual(middle.all(Route.configuration).count, before + 1)
    middle.answer { exchange in
      exchange.path == Route.configuration ? ManInTheMiddle.http(200, "x.y.z") : nil
    }
    XCTAssertEqual(try host.refresh().status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
  }

  func testAFailureIsToldByItsStatus() throws {
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_NO_INTERNET), -1)
    XCTAssertEqual(try host.refresh().status, WALLET_CORE_ERROR_NO_INTERNET)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_REFUSED), -1)
    XCTAssertEqual(try host.refresh().status, WALLET_CORE_ERROR_SERVER_UNREACHABLE)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    XCTAssertEqual(try host.refresh(), .done)
  }

  func testACancelledRefreshEndsWhileItsAnswerIsAwaitedAndDelaysNoOtherRequest() throws {
    // The first round is over.
    XCTAssertEqual(try host.refresh(), .done)
    let held = HeldAnswer(Route.updatePolicy)
    middle.answer { held.rewrite($0) }
    defer { held.letGo() }
    let request = try host.begin(wallet_core_refresh)
    try held.waitUntilHeld()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_cancel(host.client, request, nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
  }

  func testADetachedClientsRefreshEnds() throws {
    XCTAssertEqual(try host.refresh(), .done)
    let held = HeldAnswer(Route.updatePolicy)
    middle.answer { held.rewrite($0) }
    defer { held.letGo() }
    _ = try host.begin(wallet_core_refresh)
    try held.waitUntilHeld()
    XCTAssertEqual(wallet_core_client_detach(host.client, nil), WALLET_CORE_OK)
    try host.attach()
  }
}
