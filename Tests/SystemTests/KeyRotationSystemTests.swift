import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// A wallet that does not know the provider's new keys fetches the configuration and goes on.
final class KeyRotationSystemTests: XCTestCase {
  private var provider: TestProvider!
  private var host: TestHost!
  /// The configuration embedded in an app that was built before the keys changed.
  private var document = Data()

  override func setUpWithError() throws {
    _ = wallet_core_testing_reset_process()
    wallet_core_testing_set_network_fault(Int32(WALLET_CORE_TESTING_NETWORK_OK), 0)
    provider = try TestProvider()
    document = try provider.clientConfiguration()
    host = try TestHost(configuration: document)
    try host.start()
  }

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  private func restartProvider() throws {
    provider.stop()
    try provider.start()
  }

  func testAnAnswerByANewKeyIsAcceptedAfterOneFetchOfTheConfiguration() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    try provider.replaceKey("result")
    try restartProvider()
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testARegistrationGoesThroughWhenEveryKeyOfTheAppIsGone() throws {
    for role in ["result", "certificate", "encryption"] { try provider.replaceKey(role) }
    try restartProvider()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(try host.checkPin("142032"), .valid)
  }

  func testAPinForAKeyThatIsGoneIsNeverSentTwiceAndTheNextOneGoesThrough() throws {
    XCTAssertEqual(try host.register("142032"), .done)
    try provider.replaceKey("encryption")
    try restartProvider()
    let refused = try host.checkPin("142033")
    XCTAssertEqual(refused.status, WALLET_CORE_ERROR_SERVER_REFUSED, "\(refused)")
    // Its evaluation was counted, once.
    XCTAssertEqual(try host.checkPin("142033"), .wrong(2))
    XCTAssertEqual(try host.checkPin("142032"), .valid)
  }
}
