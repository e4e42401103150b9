import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// A wallet at UC3.1 2b and a real provider, with a man in the middle who can hold back answers.
class ProofingTestCase: XCTestCase {
  let pin = "142032"
  let applicant = Applicant()
  private(set) var provider: TestProvider!
  private(set) var middle: ManInTheMiddle!
  var flow: FlowHost!
  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    try newProvider()
    try newWallet()
  }

  /// Starts an empty provider.
  func newProvider(settings: [String: String] = [:], log: URL? = nil) throws {
    middle?.stop()
    provider = try TestProvider(settings: settings, log: log)
    middle = try ManInTheMiddle(before: provider)
  }

  override func tearDown() {
    // No answer may be held back while the core ends.
    middle?.answer(with: nil)
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    flow = nil
    middle?.stop()
    provider = nil
  }

  /// Makes a wallet on another device, at UC3.1 2b.
  func newWallet() throws {
    XCTAssertEqual(wallet_core_testing_reset_process(), 1)
    let host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    try host.start()
    flow = FlowHost(host)
    try flow.walkToProofing(pin)
  }

  /// Kills the provider and starts it again.
  func restartProvider() throws {
    provider.kill()
    try provider.start()
  }

  func account() throws -> TestProvider.Account { try provider.openAccount(for: applicant) }

  /// Restarts as after a kill of the process, and waits for `row`.
  func restart(to row: String, line: UInt = #line) throws {
    try flow.host.restart()
    try flow.launch()
    try unlock(to: row, line: line)
  }

  func unlock(to row: String, line: UInt = #line) throws {
    try flow.expect("UC2.3 1.3", line: line)
    flow.enter(pin)
    try flow.expect(row, line: line)
  }

  func lock() { XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK) }

  func simulateVerdict(_ name: String?) throws {
    try provider.control("/vetting", name.map { ["verdict": $0] } ?? [:])
  }

  /// The provider's counts: claimed, consumed, sessions, proofed.
  func proofings() throws -> [String: Int] {
    try provider.control("/proofings").compactMapValues { $0 as? Int }
  }

  func path(_ instruction: String) -> String { "/v2/instructions/\(instruction)" }

  /// The number of different requests of an instruction that have reached the provider.
  func requests(_ instruction: String) -> Int {
    Set(middle.all(path(instruction)).map(\.request)).count
  }

  func pass(_ point: String) -> Int64 { wallet_core_testing_crash_point_count(point) }

  /// Waits until a crash point was passed once more than `count` times.
  func awaitPass(_ point: String, beyond count: Int64, line: UInt = #line) throws {
    guard eventually({ pass(point) > count }) else {
      throw TestFailure("\(point) was not passed (line \(line))")
    }
  }

  /// Checks that there is one card, one proofed account, one consumed code, and no claim.
  func assertOnePID(_ what: String = "", file: StaticString = #filePath, line: UInt = #line) throws
  {
    let cards = try flow.host.cards().get()
    XCTAssertEqual(cards.map { $0.claims["family_name"] }, [applicant.familyName], what)
    let counts = try proofings()
    XCTAssertEqual(
      ["claimed", "consumed", "sessions", "proofed"].map { counts[$0] }, [0, 1, 1, 1], what,
      file: file, line: line)
    XCTAssertEqual(flow.host.keys.keyCount, 12, what, file: file, line: line)
  }
}
