import CWalletCore
import CWalletCoreTesting
import Foundation
import WalletProtocol
import XCTest

/// A man in the middle who has retired keys of the provider and keeps every newer configuration
/// from the wallet gets PIN messages only until the wallet's configuration has expired.
final class ExpiredConfigurationTests: MiddleTestCase {
  private static let day: Int64 = 86_400
  private static let unreachable = WALLET_CORE_ERROR_SERVER_UNREACHABLE
  private let challengePath = Route.instruction(.challenge)
  /// How far this test moved the calendar, in seconds; tearDown moves it back.
  private var calendar: Int64 = 0

  override func tearDown() {
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    moveCalendar(-calendar)
    super.tearDown()
  }

  private func setNetwork(_ fault: Int) {
    wallet_core_testing_set_network_fault(Int32(fault), -1)
  }

  private func moveCalendar(_ seconds: Int64) {
    calendar += seconds
    wallet_core_testing_advance_calendar(seconds)
  }

  /// Starts, and makes a locked wallet that has fetched configuration and policy.
  private func startAndRegister() throws {
    try host.start()
    XCTAssertEqual(try host.refresh(), .done)
    try register()
  }

  /// Keeps the wallet at what it knows, by the answers that it got.
  private func attack(resultKey: StolenResultKey? = nil) throws {
    let policy = try XCTUnwrap(middle.latest(Route.updatePolicy)).answer
    let challengePath = challengePath
    middle.answer { exchange in
      switch exchange.path {
      case Route.updatePolicy: policy
      case Route.configuration: ManInTheMiddle.http(304, "")
      case challengePath: resultKey.flatMap { $0.resign(exchange) }
      default: nil
      }
    }
  }

  private func configuration() throws -> ConfigurationClaims {
    let client = try WireJSON.decode(
      ClientConfiguration.self, from: Array(provider.clientConfiguration()))
    return try SignedMessage(parsing: client.configuration).unverifiedContent(
      ConfigurationClaims.self)
  }

  /// The keys that the PIN messages on the network were sealed to, in their order.
  private func sealedTo() throws -> [String?] {
    try middle.all(checkPinPath).map { exchange in
      let body = String(decoding: exchange.request, as: UTF8.self).components(
        separatedBy: "\r\n\r\n"
      ).last
      let envelope = try WireJSON.decode(
        InstructionEnvelope.self, from: Array(XCTUnwrap(body).utf8))
      return try SignedMessage(parsing: envelope.signature)
        .unverifiedContent(InstructionClaims.self).encryptionKey
    }
  }

  private func assertNoPinIsSent(line: UInt = #line) throws {
    let before = try sealedTo().count
    let completion = try host.unlock("142032")
    XCTAssertEqual(completion.status, Self.unreachable, "\(completion)", line: line)
    XCTAssertEqual(try sealedTo().count, before, "no PIN message", line: line)
  }

  func testARetiredKeyGetsNoPinOnceTheConfigurationHasExpired() throws {
    try startAndRegister()
    let retired = try (
      key: configuration().encryptionKeys[0].id, result: StolenResultKey(of: provider)
    )
    for role in ["encryption", "result"] { try provider.replaceKey(role) }
    provider.stop()
    try provider.start()
    try attack(resultKey: retired.result)
    // The attack works while the configuration is valid: the middle holds the key.
    XCTAssertNotEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try sealedTo(), [retired.key])
    wallet_core_testing_advance_clock(3 * Self.day * 1000)
    XCTAssertNotEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try sealedTo(), [retired.key, retired.key])

    wallet_core_testing_advance_clock(4 * Self.day * 1000)
    try assertNoPinIsSent()
    // The next process knows, though the calendar has not moved.
    try host.restart()
    try assertNoPinIsSent()

    middle.answer(with: nil)
    // The provider has evaluated, and counted, the two PINs whose messages it could not open.
    XCTAssertEqual(try host.unlock("142033"), .wrong(1), "no other attempt was used")
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertFalse(try sealedTo().suffix(2).contains(retired.key))
  }

  func testACalendarThatIsSetBackOrAheadChangesNothing() throws {
    try startAndRegister()
    let key = try configuration().encryptionKeys[0].id
    try attack()
    moveCalendar(30 * Self.day)
    try host.restart()
    try assertNoPinIsSent()
    moveCalendar(-30 * Self.day)
    try host.restart()
    try assertNoPinIsSent()
    // A calendar that is ahead by mistake locks nobody out.
    moveCalendar(30 * Self.day)
    middle.answer(with: nil)
    try host.restart()
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try sealedTo(), [key])
  }

  func testAConfigurationOlderThanThePolicySaysIsFetchedFirst() throws {
    try startAndRegister()
    let former = try configuration().encryptionKeys[0].id
    try provider.replaceKey("encryption")
    provider.stop()
    try provider.start()
    middle.answer { $0.path == Route.configuration ? ManInTheMiddle.http(304, "") : nil }
    XCTAssertEqual(try host.refresh(), .done)
    try assertNoPinIsSent()
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertFalse(try sealedTo().contains(former))
  }

  func testAnEmbeddedConfigurationIsFetchedBeforeTheFirstPin() throws {
    let path = Route.configuration
    middle.answer { $0.path == path ? ManInTheMiddle.http(304, "") : nil }
    try host.start()
    XCTAssertEqual(try host.register("142032").status, Self.unreachable)
    XCTAssertEqual(middle.all(Route.registrations).count, 0)
    middle.answer(with: nil)
    XCTAssertEqual(try host.register("142032"), .done)
  }

  func testAWalletThatWasOfflineForAMonthOpensByBiometrics() throws {
    try startAndRegister()
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertEqual(try host.enableBiometrics("142032"), .valid)
    setNetwork(WALLET_CORE_TESTING_NETWORK_NO_INTERNET)
    moveCalendar(30 * Self.day)
    wallet_core_testing_advance_clock(30 * Self.day * 1000)
    try host.restart()
    XCTAssertEqual(try host.unlockWithBiometrics(), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlock("142032").status, WALLET_CORE_ERROR_NO_INTERNET)
    setNetwork(WALLET_CORE_TESTING_NETWORK_OK)
    XCTAssertEqual(try host.unlock("142033"), .wrong(3), "no attempt was used")
  }
}
