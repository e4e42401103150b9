import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A card whose status list is at another host than the provider's.
final class ForeignStatusListTests: ProofingTestCase {
  private var log: HostLog!
  private var forward: TLSForward?

  override func tearDown() {
    super.tearDown()
    forward?.stop()
    forward = nil
  }

  /// Makes a wallet with a PID that names a status list at `url`. The wallet reaches its provider by
  /// another address.
  private func obtainPID(listsAt url: String) throws {
    provider.settings["public-url"] = url
    try restartProvider()
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    log = HostLog()
    host.log = log
    try host.start()
    flow = FlowHost(host)
    try flow.walkToProofing(pin)
    try flow.obtainPID(applicant, account().link)
  }

  private func state() throws -> wallet_core_card_state {
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    return wallet_core_event_card_state(event, 0)
  }

  private func assertStaysUnchecked(_ reason: String, line: UInt = #line) throws {
    XCTAssertTrue(eventually { log.lines.contains(reason) }, log.lines, line: line)
    XCTAssertEqual(try state(), WALLET_CORE_CARD_STATE_UNCHECKED, line: line)
    XCTAssertFalse(log.lines.contains("127.0.0.1"), "the log has the address", line: line)
    // It can be shown all the same.
    XCTAssertEqual(
      try flow.host.present(["birthdate"]).get().split(separator: "~").count, 3, line: line)
  }

  func testTheListOfAnotherHostIsFetchedThere() throws {
    try newProvider()
    try obtainPID(listsAt: provider.url)
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID })
    XCTAssertFalse(middle.paths.contains { $0.hasPrefix("/status-lists/") })
  }

  func testAListThatCannotBeHadLeavesTheCardUncheckedAndUsable() throws {
    try newProvider()
    // Nobody listens at port 9 of this device.
    try obtainPID(listsAt: "http://127.0.0.1:9")
    try assertStaysUnchecked("The other party refused the connection")
  }

  func testAHostThatFailsIsNotAskedAgainForTenMinutes() throws {
    try newProvider()
    try obtainPID(listsAt: "http://127.0.0.1:9")
    try assertStaysUnchecked("The other party refused the connection")
    func attempts() -> Int { log.lines.components(separatedBy: "refused the connection").count - 1 }
    XCTAssertEqual(attempts(), 1)
    lock()
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.next()
    // A request of the wallet's own thread comes after the work that an unlock begins.
    XCTAssertEqual(try state(), WALLET_CORE_CARD_STATE_UNCHECKED)
    XCTAssertEqual(attempts(), 1)
    try provider.advanceClock(milliseconds: 11 * 60 * 1000)
    flow.advanceClock(11 * 60 * 1000)
    lock()
    try flow.expect("UC2.3 1.3")
    flow.enter(pin)
    try flow.next()
    XCTAssertTrue(eventually { attempts() == 2 }, log.lines)
  }

  /// Puts TLS in front of the provider; the configuration has `anchor` for other parties, if any.
  private func obtainPIDOverTLS(anchor: String?) throws {
    let certificates = try Certificates()
    let certificate = try certificates.issue(for: "IP:127.0.0.1")
    var settings: [String: String] = [:]
    if let anchor {
      let file = certificates.file("anchors.json")
      let entry = [
        "name": "Hosts", "role": "tls", "certificate_file": certificates.file(anchor).path,
        "from": "2020-01-01", "until": "2099-12-31",
      ]
      try JSONSerialization.data(withJSONObject: ["anchors": [entry]]).write(to: file)
      settings["trust-anchors"] = file.path
    }
    try newProvider(settings: settings)
    let forward = try TLSForward(
      certificate: certificate, key: certificates.serverKey, to: provider.port)
    self.forward = forward
    try obtainPID(listsAt: "https://127.0.0.1:\(forward.port)")
  }

  func testAHostIsCertifiedByAnAuthorityOfTheConfiguration() throws {
    try obtainPIDOverTLS(anchor: "authority.pem")
    XCTAssertTrue(eventually { (try? state()) == WALLET_CORE_CARD_STATE_VALID }, log.lines)
  }

  func testAHostOfAnotherAuthorityIsNotBelieved() throws {
    try obtainPIDOverTLS(anchor: "other.pem")
    try assertStaysUnchecked("The other party's TLS was refused")
  }

  func testAHostOfAnAuthorityThatTheDeviceDoesNotKnowIsNotBelieved() throws {
    try obtainPIDOverTLS(anchor: nil)
    try assertStaysUnchecked("The other party's TLS was refused")
  }
}
