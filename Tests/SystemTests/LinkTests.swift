import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import XCTest

/// Links that come at any moment, through the C header with a real provider.
final class LinkTests: XCTestCase {
  private let pin = "142032"
  private let invalid = "javascript:alert(1)"
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

  /// A link that a new account's page offers to the device that shows it.
  private func enrolmentLink() throws -> String {
    try provider.openAccount(for: Applicant()).link
      .replacingOccurrences(of: "m=qr", with: "m=link")
  }

  /// A link to the provider's own host.
  private func link(to path: String) throws -> String {
    let host = try XCTUnwrap(URL(string: enrolmentLink())?.host)
    return "https://\(host)/\(path)#v=1&m=link"
  }

  private func open(_ link: String) { flow.open(WALLET_CORE_STARTUP_RESUME, link: link) }

  /// Goes to the screen of the PIN of a wallet without a PID.
  private func lockedWallet() throws {
    try flow.walkToProofing(pin)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    try flow.expect("UC2.3 1.3")
  }

  func testUC1_2_3_3cAnEnrolmentLinkOnTheDashboardOpensTheProofing() throws {
    try flow.walkToProofing(pin)
    flow.choose("later")
    try flow.expect("UC7.1 1.1")
    let link = try enrolmentLink()
    open(link)
    XCTAssertEqual(try flow.expect("UC3.1 2b").actions.first, "use-link")
    flow.choose("later")
    XCTAssertEqual(try flow.expect("UC7.1 1.1").notices, [])
    flow.tell(WALLET_CORE_LIFECYCLE_BACKGROUND)
    flow.tell(WALLET_CORE_LIFECYCLE_FOREGROUND)
    try flow.expect("UC7.1 1.1")
    open(link)
    try flow.expect("UC3.1 2b")
    flow.choose("use-link")
    try flow.expect("UC3.1 5c")
  }

  func testUC1_2_3_3bAnInvalidLinkIsToldAsInvalidWithoutAPIDAndDisplacesNone() throws {
    try flow.walkToProofing(pin)
    flow.choose("later")
    try flow.expect("UC7.1 1.1")
    let login = try link(to: "login")
    open(invalid)
    XCTAssertEqual(try flow.expect("UC7.1 1.1").notices, ["link-invalid"])
    open(login)
    XCTAssertEqual(try flow.expect("UC7.1 1.1").notices, ["no-pid"])
    try open(enrolmentLink())
    try flow.expect("UC3.1 2b")
    for (link, notice) in [(invalid, "link-invalid"), (login, "no-pid")] {
      open(link)
      let step = try flow.expect("UC3.1 2b")
      XCTAssertEqual(step.notices, [notice])
      XCTAssertEqual(step.actions.first, "use-link", "the valid link is still offered")
    }
    flow.choose("use-link")
    try flow.expect("UC3.1 5c")
  }

  func testUC1_2_3_1bAnInvalidLinkIsToldAsInvalidWithoutAWallet() throws {
    try flow.launch()
    try flow.expect("UC1.1 1.1")
    for (link, notice) in [
      (invalid, "link-invalid"), (try link(to: "login"), "no-wallet"),
      (try enrolmentLink(), "link-kept"),
      (invalid, "link-invalid"),
    ] {
      open(link)
      XCTAssertEqual(try flow.expect("UC1.1 1.1").notices, [notice])
    }
    flow.choose("skip")
    try flow.expect("UC1.1 1.4")
    flow.choose("next")
    try flow.expect("UC2.1 1.1")
    try flow.setUp(pin)
    flow.choose("next")
    XCTAssertEqual(try flow.expect("UC3.1 2b").actions.first, "use-link")
  }

  func testALinkTakesNoTapFromAnUnlockAndIsOpenedAfterIt() throws {
    try lockedWallet()
    flow.enter("142033")
    try flow.expect("PF2.8 2.1")
    flow.choose("close")
    try flow.expect("UC2.3 1.3")
    flow.enter("142034")
    let wrong = try flow.expect("PF2.8 3.1")
    try open(enrolmentLink())
    open(invalid)
    // The serial of the step that the user saw is still current.
    flow.choose("close")
    XCTAssertEqual(try flow.next().row, "UC2.3 1.3")
    XCTAssertEqual(flow.step?.serial, wrong.serial + 1)
    open(invalid)
    flow.enter(pin)
    let step = try flow.next()
    XCTAssertEqual(step.row, "UC3.1 2b")
    XCTAssertEqual(step.notices, ["failed-attempts", "link-invalid"])
    flow.choose("use-link")
    try flow.expect("UC3.1 5c")
  }

  func testALinkEndsNoCountDown() throws {
    try lockedWallet()
    for (number, row) in ["PF2.8 2.1", "PF2.8 3.1", "PF2.8 4.1", "PF2.8 5.1"].enumerated() {
      flow.enter("14203\(3 + number)")
      try flow.expect(row)
      guard row != "PF2.8 5.1" else { break }
      flow.choose("close")
      try flow.expect("UC2.3 1.3")
    }
    try open(link(to: "login"))
    flow.choose("forgot-pin")
    XCTAssertEqual(try flow.next().row, "PF2.8 10.1")
  }

  func testALinkTakesNoTapFromAPinOfTheSetUp() throws {
    try flow.walkToChoosePin()
    let login = try link(to: "login")
    open(login)
    flow.enter(pin)
    try flow.expect("UC2.1 1.3")
    open(login)
    flow.enter(pin)
    let step = try flow.next()
    XCTAssertEqual(step.row, "UC2.1 1.9")
    XCTAssertEqual(step.notices, ["no-pid"])
  }

  func testALinkEndsNoHandOffAndIsOpenedAfterIt() throws {
    try flow.walkToProofing(pin)
    let applicant = Applicant()
    try flow.obtainPID(applicant, provider.openAccount(for: applicant).link)
    try open(link(to: "issuance"))
    try flow.expect("UC4.1 1")
    let second = try link(to: "issuance?offer=2")
    open(second)
    flow.choose("done")
    let step = try flow.next()
    XCTAssertEqual(step.row, "UC4.1 1")
    XCTAssertEqual(flow.text("link"), second)
  }
}
