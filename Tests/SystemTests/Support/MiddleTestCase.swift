import CWalletCore
import CWalletCoreTesting
import XCTest

/// A host that reaches a real provider through a man in the middle.
class MiddleTestCase: XCTestCase {
  var provider: TestProvider!
  var middle: ManInTheMiddle!
  var host: TestHost!
  let checkPinPath = "/v2/instructions/check_pin"

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    middle = try ManInTheMiddle(before: provider)
    host = try TestHost(configuration: provider.clientConfiguration(url: middle.url))
  }

  override func tearDown() {
    // No answer may be held back while the core ends.
    middle?.answer(with: nil)
    _ = wallet_core_testing_reset_process()
    middle?.stop()
    provider?.stop()
  }

  /// Makes a wallet with the PIN 142032 and locks it.
  func register() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
  }

  /// Checks that the wallet still waits for an answer that is held back: after the request's timeout
  /// it would have sent the request once more. So what has returned by now did not wait for it.
  func assertStillWaits(_ path: String, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(middle.all(path).count, 1, "sent again", file: file, line: line)
  }

  /// Checks that the first wrong PIN leaves three attempts, or fewer if so many were counted before,
  /// and that the right one unlocks.
  func assertNothingLost(
    left: Int32 = 3, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    middle.answer(with: nil)
    XCTAssertEqual(try host.unlock("142033"), .wrong(left), file: file, line: line)
    XCTAssertEqual(try host.unlock("142032"), .valid, file: file, line: line)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
  }
}
