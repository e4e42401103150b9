import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// A wallet with a PID on the dashboard, and a verifier of others that knows the issuer's authority
/// alone.
class VerifiedTestCase: ProofingTestCase {
  let type = "urn:wallet-provider:pid:1"
  private(set) var judge: VerifierJudge!
  private(set) var directory: URL!

  override func setUpWithError() throws {
    directory = try Scratch.directory("verified")
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    // openvc-core takes cards of an https issuer only.
    try newProvider(settings: ["public-url": "https://issuer.example", "pid-type": type])
    judge = try VerifierJudge(
      issuerAnchor: provider.data.appendingPathComponent("keys/issuer-authority.pem"),
      in: directory)
    provider.settings["trust-anchors"] = judge.trustAnchors
    try restartProvider()
    try newWallet()
    try flow.obtainPID(applicant, account().link)
  }

  override func tearDown() {
    super.tearDown()
    judge?.stop()
    judge = nil
    if let directory { try? FileManager.default.removeItem(at: directory) }
  }

  /// Has the verifier ask, and opens its link as the operating system does.
  @discardableResult
  func ask(_ options: [String: Any]) throws -> VerifierJudge.Asked {
    let asked = try judge.ask(["vct": [type]].merging(options) { $1 })
    flow.open(WALLET_CORE_STARTUP_RESUME, link: asked.link)
    return asked
  }

  /// Agrees, and enters the PIN.
  func share(line: UInt = #line) throws {
    try flow.expect("UC5.1 1.4", line: line)
    XCTAssertEqual(flow.text("organisation"), "Example Verifier", line: line)
    XCTAssertEqual(flow.text("host"), "verifier.localhost", line: line)
    flow.choose("share", line: line)
    try flow.expect("PF2.4 1.1", line: line)
    flow.enter(pin, line: line)
  }

  /// Goes from the success to the dashboard, by the website.
  func returnToWebsite(line: UInt = #line) throws {
    flow.choose("close", line: line)
    try flow.expect("UC5.1 1.7", line: line)
    XCTAssertTrue(flow.text("link").hasPrefix("https://verifier.localhost:"), line: line)
    flow.choose("done", line: line)
    try flow.expect("UC7.1 1.1", line: line)
    XCTAssertFalse(judge.hasVerdict, "the verifier has heard more", line: line)
  }

  /// Expects the error of a known verifier, with a reason.
  func expectKnownVerifier(_ row: String, _ reason: String, line: UInt = #line) throws {
    let step = try flow.next()
    guard step.row == row, step.name == "known-verifier" else {
      throw TestFailure("no error of a known verifier, but \(step) (line \(line))")
    }
    XCTAssertEqual(flow.text("reason"), reason, line: line)
  }
}
