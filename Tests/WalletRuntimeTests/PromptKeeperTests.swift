import WalletPlatform
import XCTest

@testable import WalletRuntime

final class PromptKeeperTests: XCTestCase {
  func testThoseWhoWaitTheirTurnAreCancelledBeforeTheOneWhosePromptIsOpen() {
    let keeper = PromptKeeper()
    let requests = (0..<20).map { _ in Cancellation() }
    for request in requests { keeper.expect(request) }
    keeper.expect(requests[3])
    // The end of the open prompt is the turn of the next.
    requests[0].whileCancellable(
      onCancel: { XCTAssertTrue(requests.dropFirst().allSatisfy(\.isCancelled)) }
    ) { keeper.cancelAll() }
    XCTAssertTrue(requests.allSatisfy(\.isCancelled))
  }

  func testWhoIsForgottenIsNotCancelled() {
    let keeper = PromptKeeper()
    let request = Cancellation()
    keeper.expect(request)
    keeper.forget(request)
    keeper.cancelAll()
    XCTAssertFalse(request.isCancelled)
  }
}
