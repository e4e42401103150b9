import CWalletCore
import CWalletCoreTesting
import Foundation
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
    try flow.expect("UC3.1 1")
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
    try flow.expect("UC3.1 1")
    XCTAssertFalse(flow.host.isLocked)
  }
}
