import CWalletCore
import CWalletCoreTesting
import Foundation
import XCTest

/// The effects of the operator's commands on a wallet, seen from its device.
final class AdministrationSystemTests: XCTestCase {
  private var provider: TestProvider?

  override func tearDown() {
    _ = wallet_core_testing_reset_process()
    provider = nil
  }

  func testAWalletThatIsUnblockedByTheOperatorUnlocksAgain() throws {
    _ = wallet_core_testing_reset_process()
    let provider = try TestProvider()
    self.provider = provider
    let host = try TestHost(configuration: provider.clientConfiguration())
    try host.start()
    XCTAssertEqual(try host.register("142032"), .done)
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let listed = try provider.run(["wallet", "list"])
    let id = String(try XCTUnwrap(listed.split(separator: " ").first))

    _ = try provider.run(["wallet", "block", id])
    XCTAssertEqual(try host.unlock("142032"), .blockedForGood)
    try host.restart()
    XCTAssertEqual(try host.unlock("142032"), .blockedForGood)
    _ = try provider.run(["wallet", "unblock", id])
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    XCTAssertEqual(try host.unlock("142032"), .valid)
    XCTAssertFalse(host.isLocked)

    _ = try provider.run(["wallet", "delete", id])
    XCTAssertEqual(wallet_core_lock(nil), WALLET_CORE_OK)
    let gone = try host.unlock("142032")
    XCTAssertEqual(gone.status, WALLET_CORE_ERROR_ACCOUNT_DIVERGED)
    XCTAssertEqual(try host.wipe(), .done)
    XCTAssertEqual(try host.register("142032"), .done)
  }
}
