import WalletPlatform
import XCTest

@testable import WalletRuntime

final class PromptRegistryTests: XCTestCase {
  func testEveryPromptThatIsExpectedAndNotOverIsEnded() {
    let keeper = PromptRegistry()
    let (waiting, over, later) = (Cancellation(), Cancellation(), Cancellation())
    keeper.expect(waiting)
    keeper.expect(waiting)
    keeper.expect(over)
    keeper.forget(over)
    keeper.cancelAll()
    keeper.expect(later)
    keeper.forget(waiting)
    XCTAssertTrue(waiting.isCancelled)
    XCTAssertFalse(over.isCancelled)
    XCTAssertFalse(later.isCancelled, "what comes after is not meant")
  }

  func testThoseWhoWaitTheirTurnAreCancelledBeforeTheOneWhosePromptIsOpen() {
    let keeper = PromptRegistry()
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
    let keeper = PromptRegistry()
    let request = Cancellation()
    keeper.expect(request)
    keeper.forget(request)
    keeper.cancelAll()
    XCTAssertFalse(request.isCancelled)
  }
}
