import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// After a restart the device's calendar may bring a block of the app's version forward, but never
/// lift one. A fetched policy corrects the effect of a wrong calendar.
final class CalendarSystemTests: XCTestCase {
  private static let day: Int64 = 86_400
  private var provider: TestProvider!
  private var host: TestHost!
  /// How far this test moved the calendar, in seconds; tearDown moves it back.
  private var calendar: Int64 = 0

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    provider = try TestProvider()
    let block = Int64(Date().timeIntervalSince1970) + 30 * Self.day
    try provider.control(
      "/update-policy",
      ["rules": [["grade": "recommend"], ["grade": "block", "from": block, "warning_seconds": 0]]])
    host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    try expect(WALLET_CORE_GRADE_RECOMMEND)
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
  }

  override func tearDown() {
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    wallet_core_testing_advance_calendar(-calendar)
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func setNetwork(_ fault: Int) {
    wallet_core_testing_set_network_fault(Int32(fault), -1)
  }

  private func moveCalendar(days: Int64) {
    calendar += days * Self.day
    wallet_core_testing_advance_calendar(days * Self.day)
  }

  /// Takes version states until one has this grade.
  private func expect(_ grade: wallet_core_version_grade) throws {
    wallet_core_event_free(try nextState { $0 == grade })
  }

  /// The first version state that a new client gets.
  private func firstGrade() throws -> wallet_core_version_grade {
    let event = try nextState { _ in true }
    defer { wallet_core_event_free(event) }
    return wallet_core_event_version_grade(event)
  }

  private func nextState(_ isWanted: (wallet_core_version_grade) -> Bool) throws -> OpaquePointer {
    try host.nextEvent {
      wallet_core_event_kind($0) == WALLET_CORE_EVENT_VERSION_STATE
        && isWanted(wallet_core_event_version_grade($0))
    }
  }

  private func assertBlocked(line: UInt = #line) {
    XCTAssertEqual(
      host.statusOfUnlock("142032"), WALLET_CORE_ERROR_VERSION_BLOCKED, line: line)
  }

  private func assertAllowed(line: UInt = #line) throws {
    XCTAssertEqual(try host.unlock("142032"), .valid, line: line)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK, line: line)
  }

  func testACalendarThatJumpsUnderARunningWalletChangesNothing() throws {
    moveCalendar(days: 60)
    try assertAllowed()
    try host.attach()
    XCTAssertEqual(try firstGrade(), WALLET_CORE_GRADE_RECOMMEND)
    moveCalendar(days: -120)
    try host.attach()
    XCTAssertEqual(try firstGrade(), WALLET_CORE_GRADE_RECOMMEND)
    try assertAllowed()
  }

  func testACalendarSetForwardAndBackBlocksUntilTheNextFetchPutsItRight() throws {
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    moveCalendar(days: 60)
    try host.restart()
    try expect(WALLET_CORE_GRADE_BLOCK)
    assertBlocked()
    // Back again, and further: the version stays blocked until a policy was fetched.
    for days in [-60, -60] as [Int64] {
      moveCalendar(days: days)
      try host.restart()
      XCTAssertEqual(try firstGrade(), WALLET_CORE_GRADE_BLOCK)
      assertBlocked()
    }
    // Online again: the next hourly fetch.
    try provider.advanceClock(milliseconds: 3_600_000)
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    wallet_core_testing_advance_clock(3_600_000)
    try expect(WALLET_CORE_GRADE_RECOMMEND)
    try assertAllowed()
    // The policy on disk is correct too.
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    moveCalendar(days: 60)
    try host.restart()
    XCTAssertEqual(try firstGrade(), WALLET_CORE_GRADE_RECOMMEND)
  }

  func testACalendarSetBackLiftsNoBlockThatTimeBroughtWhileOffline() throws {
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    wallet_core_testing_advance_clock(31 * Self.day * 1000)
    try expect(WALLET_CORE_GRADE_BLOCK)
    assertBlocked()
    moveCalendar(days: -60)
    try host.restart()
    XCTAssertEqual(try firstGrade(), WALLET_CORE_GRADE_BLOCK)
    assertBlocked()
    // A wipe does not lift it either.
    XCTAssertEqual(try host.wipe(), .done)
    assertBlocked()
  }
}
