import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A wallet with a PID on the dashboard, and a relying party whose authority it knows.
class SharingTestCase: ProofingTestCase {
  private(set) var party: RelyingParty!
  private(set) var directory: URL!

  override func setUpWithError() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("sharing-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    party = try RelyingParty(in: directory)
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try newProvider(settings: ["trust-anchors": party.anchors])
    try newWallet()
    try flow.obtainPID(applicant, account().link)
  }

  override func tearDown() {
    super.tearDown()
    party?.stop()
    party = nil
    if let directory { try? FileManager.default.removeItem(at: directory) }
  }

  /// Opens a link of the relying party, as the operating system does.
  func open(_ options: [String: Any] = [:]) throws {
    flow.open(WALLET_CORE_STARTUP_RESUME, link: try party.request(options))
  }

  /// Scans a code of the relying party.
  func scan(_ options: [String: Any] = [:]) throws {
    let link = try party.request(options)
    flow.choose("scan")
    try flow.expect("UC9.9 1.1")
    flow.choose("granted")
    try flow.expect("UC9.9 1.3")
    let bytes = Array(link.utf8)
    XCTAssertEqual(
      wallet_core_choose_scanned(
        flow.client, flow.step?.serial ?? 0, WALLET_CORE_SYMBOLOGY_QR_CODE, bytes, bytes.count,
        nil), WALLET_CORE_OK)
  }

  /// Goes from the approval to the success.
  func share(to row: String = "UC5.1 1.6", line: UInt = #line) throws {
    flow.choose("share", line: line)
    try flow.expect("PF2.4 1.1", line: line)
    flow.enter(pin, line: line)
    // A slow act is shown on the row on which its failure is told.
    let seen = try flow.next()
    guard seen.row == row else {
      throw TestFailure("expected \(row), saw \(seen) (line \(line))")
    }
  }

  /// The number of copies of the PID that no relying party has seen.
  func unusedCopies() throws -> Int64 {
    let request = try flow.host.begin(wallet_core_cards)
    let event = try flow.host.nextEvent { wallet_core_event_request($0) == request }
    defer { wallet_core_event_free(event) }
    var number: Int64 = 0
    XCTAssertEqual(wallet_core_event_card_number(event, 0, "unused_copies", &number), 1)
    return number
  }

  /// Checks that the relying party has exactly one answer, in which it finds no mistake.
  @discardableResult
  func assertAccepted(line: UInt = #line) throws -> [String: Any] {
    let answer = try party.take("answered", line: line)
    XCTAssertTrue(answer["problem"] is NSNull, "\(answer["problem"] ?? "")", line: line)
    XCTAssertEqual(answer["posts"] as? Int, 1, line: line)
    return answer
  }
}
