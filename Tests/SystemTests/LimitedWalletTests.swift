import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletProtocol
import XCTest

/// A provider's rate limit for wallets, seen from the wallet.
final class LimitedWalletTests: XCTestCase {
  // Stored here, because the process ends with its last reference.
  private var provider: TestProvider?

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  func testAWalletThatAsksTooOftenIsToldToWaitLosesNoAttemptAndIsServedAgain() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    // One instruction in six seconds: deriving a PIN key is faster on any machine.
    let provider = try TestProvider(settings: ["wallet-rate": "10", "wallet-burst": "2"])
    self.provider = provider
    let host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    XCTAssertEqual(try host.register("142032"), .done)
    var wrong = 0
    var limited: Completion?
    while limited == nil, wrong < 3 {
      let completion = try host.checkPin("142033")
      if completion.status == 0 { wrong += 1 } else { limited = completion }
    }
    let refused = try XCTUnwrap(limited, "never limited")
    XCTAssertEqual(refused.status, WALLET_CORE_ERROR_SERVER_UNREACHABLE, "\(refused)")
    XCTAssertTrue(
      (1...6).contains { refused.data.contains("\"retry_after_s\":\($0)") }, refused.data)

    var completion = refused
    _ = try eventually {
      completion = try host.checkPin("142032")
      return completion.status == 0
    }
    XCTAssertEqual(completion, .valid)
    XCTAssertEqual(
      try provider.control("/counts")["judged"] as? Int, wrong + 1,
      "a limited instruction counts no attempt")
  }

  func testAnAttemptWhoseAnswerIsRefusedForASecondIsCompletedAndCountedOnce() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    let provider = try TestProvider()
    self.provider = provider
    let middle = try ManInTheMiddle(before: provider)
    defer { middle.stop() }
    let host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
    try host.start()
    XCTAssertEqual(try host.register("142032"), .done)
    var judged = 0
    // A 503 is repeated at once, so two of them are needed for a wait.
    let (check, challenge) = (Route.instruction(.checkPin), Route.instruction(.challenge))
    for (path, refused) in [
      (check, [429]), (check, [503, 503]), (challenge, [503, 429]),
    ] {
      let refusals = Refusals(path, refused, seconds: 1)
      middle.answer { refusals.answer(to: $0) }
      XCTAssertEqual(try host.checkPin("142032"), .valid, "\(path) \(refused)")
      XCTAssertEqual(refusals.left, 0)
      judged += 1
      XCTAssertEqual(try provider.control("/counts")["judged"] as? Int, judged)
      let same = Dictionary(grouping: middle.all(path), by: \.request).values.map(\.count)
      XCTAssertEqual(same.max(), refused.count + 1, "the same bytes each time")
    }
  }
}
