import CWalletCore
import CWalletCoreTesting
import Foundation
import TestSupport
import WalletPlatform
import XCTest

/// A wallet that reaches its provider by a host's HTTP stack.
final class HTTPBridgeSystemTests: MiddleTestCase {
  /// Everything that reaches the provider went by the bridge.
  func testEveryRequestGoesByTheBridge() throws {
    HTTPHost.handOver()
    let before = HTTPHost.urls.withLock { $0.count }
    try host.start()
    try register()
    XCTAssertEqual(try host.unlock("142032"), .valid)
    let sent = HTTPHost.urls.withLock { $0.count } - before
    XCTAssertEqual(sent, middle.paths.count)
    XCTAssertGreaterThan(sent, 5)
  }

  /// The same bytes are sent once more after a lost answer, and the attempt counts once, whichever
  /// way the first ones went.
  func testABridgeThatComesBetweenTwoRequestsChangesNothing() throws {
    try host.start()
    try register()
    XCTAssertEqual(try host.unlock("142033"), .wrong(3))
    HTTPHost.handOver()
    XCTAssertEqual(try host.unlock("142034"), .wrong(2))
    XCTAssertEqual(wallet_core_set_http_bridge(nil, nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.unlock("142032"), .valid)
  }

  func testACancelledRequestIsCancelledAtTheHost() throws {
    HTTPHost.handOver()
    try host.start()
    try register()
    // Before the PIN is sent, an unlock may be cancelled.
    let held = HeldAnswer("/v2/instructions/challenge")
    middle.answer(with: held.rewrite)
    let request = try host.begin(wallet_core_unlock, "142032")
    try held.waitUntilHeld()
    XCTAssertFalse(HTTPHost.isIdle)
    XCTAssertEqual(wallet_core_cancel(host.client, request, nil), WALLET_CORE_OK)
    XCTAssertEqual(try host.complete(request).status, WALLET_CORE_ERROR_CANCELLED)
    XCTAssertTrue(eventually { HTTPHost.isIdle }, "the answer is still held")
    held.letGo()
  }
}
