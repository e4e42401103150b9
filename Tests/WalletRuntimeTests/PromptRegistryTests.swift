import WalletPlatform
import XCTest

@testable import WalletRuntime

final class PromptRegistryTests: XCTestCase {
  func testEveryExpectedPromptThatIsNotOverIsCancelled() {
    let registry = PromptRegistry()
    let (waiting, over, later) = (Cancellation(), Cancellation(), Cancellation())
    registry.expect(waiting)
    registry.expect(waiting)
    registry.expect(over)
    registry.forget(over)
    registry.cancelAll()
    registry.expect(later)
    registry.forget(waiting)
    XCTAssertTrue(waiting.isCancelled)
    XCTAssertFalse(over.isCancelled)
    XCTAssertFalse(later.isCancelled, "later prompts are not affected")
  }

  func testQueuedPromptsAreCancelledBeforeTheOpenOne() {
    let registry = PromptRegistry()
    let requests = (0..<20).map { _ in Cancellation() }
    for request in requests { registry.expect(request) }
    registry.expect(requests[3])
    // When the open prompt ends, the next one starts.
    requests[0].whileCancellable(
      onCancel: { XCTAssertTrue(requests.dropFirst().allSatisfy(\.isCancelled)) }
    ) { registry.cancelAll() }
    XCTAssertTrue(requests.allSatisfy(\.isCancelled))
  }

  func testAForgottenPromptIsNotCancelled() {
    let registry = PromptRegistry()
    let request = Cancellation()
    registry.expect(request)
    registry.forget(request)
    registry.cancelAll()
    XCTAssertFalse(request.isCancelled)
  }
}
